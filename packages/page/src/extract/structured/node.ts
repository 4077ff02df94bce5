/** An item of structured data (JSON-LD or microdata): property → values, in the order of the page. */
export interface StructuredNode {
  /** Names of types without their vocabulary: `Product`. */
  readonly types: readonly string[];
  readonly id: string | null;
  readonly properties: ReadonlyMap<string, readonly StructuredValue[]>;
}

/** Numbers have become text. */
export type StructuredValue = string | StructuredNode;

/** `https://schema.org/Product`, `schema:Product`, `Product` → `Product`. */
export function localName(name: string): string {
  const whole = name.replace(/\/+$/, '');
  return whole.slice(Math.max(whole.lastIndexOf('/'), whole.lastIndexOf('#'), whole.lastIndexOf(':')) + 1);
}

function valuesOf(node: StructuredNode, ...names: readonly string[]): readonly StructuredValue[] {
  for (const name of names) {
    const values = node.properties.get(name);
    if (values !== undefined && values.length > 0) return values;
  }
  return [];
}

export function nodesOf(node: StructuredNode, ...names: readonly string[]): StructuredNode[] {
  return valuesOf(node, ...names).filter((value) => typeof value !== 'string');
}

/** References may lead in circles; names do not lie this deep. */
const MAX_STEPS = 4;

/** The first text among the values of a property; of a node there, its name. */
export function textValue(node: StructuredNode, ...names: readonly string[]): string | null {
  return textWithin(node, names, MAX_STEPS);
}

function textWithin(node: StructuredNode, names: readonly string[], steps: number): string | null {
  for (const value of valuesOf(node, ...names)) {
    const text = typeof value === 'string' ? value : steps > 0 ? textOfNode(value, steps - 1) : null;
    if (text !== null && text.trim() !== '') return text.trim();
  }
  return null;
}

/** Names before addresses: of an image object its address, since it seldom has a name. */
function textOfNode(node: StructuredNode, steps = MAX_STEPS): string | null {
  return textWithin(node, ['@value', 'name', 'url', 'contentUrl'], steps) ?? node.id;
}

/** All texts at a path such as offers.price; what stands in lists counts as if it stood there alone. */
export function dig(node: StructuredNode, path: readonly string[]): string[] {
  let level: readonly StructuredValue[] = [node];
  for (const name of path) {
    level = level.flatMap((value) => {
      if (typeof value === 'string') return [];
      if (name === '@id') return value.id === null ? [] : [value.id];
      if (name === '@type') return value.types;
      return valuesOf(value, name);
    });
  }
  return level.flatMap((value) => {
    const text = typeof value === 'string' ? value : textOfNode(value);
    return text === null ? [] : [text];
  });
}
