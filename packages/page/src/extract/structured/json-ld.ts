import { parseLenientJson } from './lenient-json.js';
import { localName, type StructuredNode, type StructuredValue } from './node.js';

/** What lies deeper is left out: real data does not, and recursion must end. */
const MAX_DEPTH = 64;
/** Of one script; larger ones are catalogues of everything, not of the page. */
const MAX_SCRIPT_LENGTH = 4_000_000;

/** The items of a page's JSON-LD scripts, those of @graph too. Scripts that can't be read are passed over. */
export function readJsonLd(scripts: readonly string[]): StructuredNode[] {
  const roots: StructuredNode[] = [];
  for (const script of scripts) {
    if (script.length > MAX_SCRIPT_LENGTH) continue;
    for (const value of toValues(parseLenientJson(script), 0)) if (typeof value !== 'string') roots.push(value);
  }
  return withReferences(roots);
}

function toValues(value: unknown, depth: number): StructuredValue[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => toValues(item, depth + 1));
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [plainNumber(value)];
  if (typeof value !== 'object' || value === null) return [];
  const properties = new Map<string, readonly StructuredValue[]>();
  let types: string[] = [];
  let id: string | null = null;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '@context') continue;
    const values = toValues(inner, depth + 1);
    if (key === '@type' || key === 'type') types = values.filter((type) => typeof type === 'string').map(localName);
    else if (key === '@id') id = values.find((found) => typeof found === 'string') ?? null;
    else properties.set(key === '@graph' || key === '@value' ? key : localName(key), values);
  }
  const [alone] = properties.get('@value') ?? [];
  return alone === undefined ? [{ types, id, properties }] : [alone];
}

/** A number as a decimal string without exponent. */
function plainNumber(value: number | boolean): string {
  const text = String(value);
  return typeof value === 'number' && text.includes('e') ? value.toFixed(12).replace(/\.?0+$/, '') : text;
}

/** `{ "@id": "#offer" }` alone stands for the item of that id elsewhere on the page. */
function withReferences(roots: readonly StructuredNode[]): StructuredNode[] {
  const known = new Map<string, StructuredNode>();
  const references: { list: StructuredValue[]; index: number; id: string }[] = [];
  const pending = [...roots];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.id !== null && node.properties.size > 0 && !known.has(node.id)) known.set(node.id, node);
    for (const values of node.properties.values()) {
      for (const [index, value] of values.entries()) {
        if (typeof value === 'string') continue;
        if (value.id !== null && value.properties.size === 0) {
          references.push({ list: values as StructuredValue[], index, id: value.id });
        } else pending.push(value);
      }
    }
  }
  for (const { list, index, id } of references) {
    const target = known.get(id);
    if (target !== undefined) list[index] = target;
  }
  return [...roots];
}
