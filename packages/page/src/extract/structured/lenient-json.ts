/** How deep objects and lists may lie in each other; beyond it a text is not read. */
const MAX_DEPTH = 200;

/**
 * Reads JSON as shops write it. Beyond the standard it bears comments, raw control characters in strings, quotes
 * that were not escaped, single quotes, keys without quotes, commas too many or missing, brackets missing at the end,
 * several values one after the other (which become a list), and HTML or CDATA comment marks around it. Undefined
 * where nothing can be made of the text.
 */
export function parseLenientJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    // most pages end above; the rest is worth a second look
  }
  const text = unwrap(source);
  try {
    const reader = new LenientReader(text);
    const values = reader.values();
    return values.length === 1 ? values[0] : values.length === 0 ? undefined : values;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function unwrap(source: string): string {
  const text = source.replace(
    /^[\s\ufeff]*(?:\/[/*]\s*)?(?:<!--|<!\[CDATA\[)(?:\s*\*\/)?|(?:\/[/*]\s*)?(?:-->|\]\]>)(?:\s*\*\/)?[\s;]*$/g,
    '',
  );
  // escaped as if it stood in an attribute
  return text.includes('"') ? text : text.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&');
}

class Unreadable extends Error {}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const BARE = /[^\s,:[\]{}"']+/y;

const KEY = /"[\w@:-]{1,40}"\s{0,9}:/y;

/** Goes through the text once; looking ahead passes over white space alone. */
class LenientReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  values(): unknown[] {
    const values: unknown[] = [];
    for (this.#skip(';,'); this.#at < this.#text.length; this.#skip(';,')) values.push(this.#value(0));
    return values;
  }

  #value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new Unreadable('too deep');
    const character = this.#text.charAt(this.#at);
    if (character === '{') return this.#object(depth);
    if (character === '[') return this.#array(depth);
    if (character === '"' || character === "'") return this.#string(character);
    return this.#bare();
  }

  #object(depth: number): Record<string, unknown> {
    // without a prototype, so that a key such as __proto__ is a key like others
    const object: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    this.#at += 1;
    for (this.#skip(','); !this.#ends('}'); this.#skip(',')) {
      const quote = this.#text.charAt(this.#at);
      const key = quote === '"' || quote === "'" ? this.#string(quote) : this.#word();
      this.#skip('');
      if (this.#text.charAt(this.#at) !== ':') throw new Unreadable('no colon');
      this.#at += 1;
      this.#skip('');
      object[key] = this.#value(depth + 1);
    }
    this.#at += 1;
    return object;
  }

  #array(depth: number): unknown[] {
    const array: unknown[] = [];
    this.#at += 1;
    for (this.#skip(','); !this.#ends(']'); this.#skip(',')) array.push(this.#value(depth + 1));
    this.#at += 1;
    return array;
  }

  /** The end of the text closes what is open, if it comes after a whole value. */
  #ends(bracket: string): boolean {
    return this.#at >= this.#text.length || this.#text.charAt(this.#at) === bracket;
  }

  #string(quote: string): string {
    let value = '';
    this.#at += 1;
    let from = this.#at;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (character === '\\') {
        value += this.#text.slice(from, this.#at) + this.#escape();
        from = this.#at + 1;
      } else if (character === quote && this.#endsString()) {
        value += this.#text.slice(from, this.#at);
        this.#at += 1;
        return value;
      }
    }
    throw new Unreadable('no end of a string');
  }

  /** A quote ends its string where JSON goes on behind it; any other was meant to be escaped. */
  #endsString(): boolean {
    let next = this.#at + 1;
    while (next < this.#text.length && this.#text.charCodeAt(next) <= 0x20) next += 1;
    if (next >= this.#text.length || ',:]}/;'.includes(this.#text.charAt(next))) return true;
    // a key: only the comma is missing
    KEY.lastIndex = next;
    return next > this.#at + 1 && KEY.test(this.#text);
  }

  #escape(): string {
    this.#at += 1;
    const character = this.#text.charAt(this.#at);
    if (character !== 'u') return ESCAPES[character] ?? character;
    const hex = this.#text.slice(this.#at + 1, this.#at + 5);
    if (!/^[0-9a-f]{4}$/i.test(hex)) return 'u';
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  #bare(): unknown {
    const word = this.#word();
    if (word === 'true' || word === 'false') return word === 'true';
    if (/^(?:null|undefined|NaN)$/.test(word)) return null;
    if (/^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(word)) return Number(word);
    throw new Unreadable(`unknown word ${word}`);
  }

  #word(): string {
    BARE.lastIndex = this.#at;
    const word = BARE.exec(this.#text)?.[0];
    if (word === undefined) throw new Unreadable('no value');
    this.#at += word.length;
    return word;
  }

  /** Passes white space, comments and the given signs. */
  #skip(signs: string): void {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      const comment = character === '/' ? this.#text.charAt(this.#at + 1) : '';
      if (comment === '*' || comment === '/') {
        const end = this.#text.indexOf(comment === '*' ? '*/' : '\n', this.#at + 2);
        this.#at = end < 0 ? this.#text.length : end + (comment === '*' ? 1 : 0);
      } else if (character > ' ' && !/\s/.test(character) && !signs.includes(character)) return;
    }
  }
}
