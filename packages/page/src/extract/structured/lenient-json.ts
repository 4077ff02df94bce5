/** How deep objects and lists may lie in each other; beyond it a text is not read. */
const MAX_DEPTH = 200;

/**
 * Reads JSON as shops write it. Beyond the standard it bears comments, markup between the tokens, raw control characters in
 * strings, quotes that were not escaped, single and typographic quotes, keys without quotes, values without quotes or left out,
 * commas too many or missing, brackets missing at the end or too many there, text around it, several values one after the
 * other (which become a list), and HTML or CDATA comment marks around it. Undefined where nothing can be made of the text.
 */
export function parseLenientJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    // most pages end above; the rest is worth a second look
  }
  const values = new LenientReader(unwrap(source)).values();
  return values.length > 1 ? values : values[0];
}

function unwrap(source: string): string {
  const text = source.replace(
    /^[\s\ufeff]*(?:\/[/*]\s*)?(?:<!--|<!\[CDATA\[)(?:\s*\*\/)?|(?:\/[/*]\s*)?(?:-->|\]\]>)(?:\s*\*\/)?[\s;]*$/g,
    '',
  );
  if (text.includes('"')) return text;
  // escaped as if it stood in an attribute, or typeset by a text editor
  return text.replace(/&quot;|&#0*34;|&#x0*22;|[“”„]/gi, '"').replaceAll('&amp;', '&');
}

/** Where a string stands: each place has its own signs behind it. */
type Place = 'key' | 'member' | 'item';

class Unreadable extends Error {}

function test(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function literal(word: string): unknown {
  if (/^(?:true|false)$/i.test(word)) return word.toLowerCase() === 'true';
  if (/^(?:null|none|undefined|nan|nil|)$/i.test(word)) return null;
  return /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(word) ? Number(word) : word;
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const BARE = /[^\s,:[\]{}"']+/y;

/** A key with its colon. */
const KEY = /(?:"(?:[^"\\]|\\.){0,200}"|'(?:[^'\\]|\\.){0,200}'|[A-Za-z_@$][\w@-]{0,40})\s{0,9}:/y;
const QUOTED_KEY = /"[\w@:-]{1,40}"\s{0,9}:/y;

/** A value of an object without quotes: up to the next key or bracket. */
const UNQUOTED =
  /(?:(?!\s{0,50}(?:,\s{0,50}){0,3}[}\]]|,\s{0,50}(?:'[^']{1,100}'|[A-Za-z_@$][\w@-]{0,40})\s{0,9}:)[^"{}[\]]){1,200}/y;

const SPACE = /[\s\u200b]/;

/** Markup that an editor put between the tokens: `<br />`, `<p>`, comments. */
const MARKUP = /<(?:!--[\s\S]{0,2000}?-->|\/?[a-z][^<>]{0,200}>)/iy;

/** Goes through the text once; looking ahead passes over white space alone. */
class LenientReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The objects and lists of the text; what can't be read ends it, what was read before counts. */
  values(): unknown[] {
    const values: unknown[] = [];
    try {
      for (this.#toBracket(); this.#at < this.#text.length; this.#toBracket()) values.push(this.#value(0, 'item'));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
    return values;
  }

  /** Passes over what stands around a value. */
  #toBracket(): void {
    for (this.#skip(''); this.#at < this.#text.length; this.#skip('')) {
      const character = this.#text.charAt(this.#at);
      if (character === '{' || character === '[') return;
      this.#at += 1;
    }
  }

  #value(depth: number, place: Place): unknown {
    if (depth > MAX_DEPTH) throw new Unreadable('too deep');
    const character = this.#text.charAt(this.#at);
    if (character === '{') return this.#object(depth);
    if (character === '[') return this.#array(depth);
    if (character === '"' || character === "'") return this.#string(character, place);
    return place === 'member' ? this.#unquoted() : this.#bare();
  }

  #object(depth: number): Record<string, unknown> {
    // without a prototype, so that a key such as __proto__ is a key like others
    const object: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    this.#at += 1;
    for (this.#skip(','); !this.#ends('}'); this.#skip(',')) {
      const quote = this.#text.charAt(this.#at);
      const key = quote === '"' || quote === "'" ? this.#string(quote, 'key') : this.#word();
      this.#skip('');
      if (this.#text.charAt(this.#at) !== ':') throw new Unreadable('no colon');
      this.#at += 1;
      this.#skip('');
      object[key] = this.#isLeftOut() ? null : this.#value(depth + 1, 'member');
    }
    this.#at += 1;
    return object;
  }

  #array(depth: number): unknown[] {
    const array: unknown[] = [];
    this.#at += 1;
    for (this.#skip(','); !this.#ends(']'); this.#skip(',')) array.push(this.#value(depth + 1, 'item'));
    this.#at += 1;
    return array;
  }

  /** The end of the text closes what is open, if it comes after a whole value. */
  #ends(bracket: string): boolean {
    return this.#at >= this.#text.length || this.#text.charAt(this.#at) === bracket;
  }

  #string(quote: string, place: Place): string {
    let value = '';
    this.#at += 1;
    let from = this.#at;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (character === '\\') {
        value += this.#text.slice(from, this.#at) + this.#escape();
        from = this.#at + 1;
      } else if (character === quote && this.#endsString(place)) {
        value += this.#text.slice(from, this.#at);
        this.#at += 1;
        return value;
      }
    }
    throw new Unreadable('no end of a string');
  }

  /** A quote ends its string where JSON goes on behind it; any other was meant to be escaped. */
  #endsString(place: Place): boolean {
    const next = this.#pastSpace(this.#at + 1);
    const character = this.#text.charAt(next);
    if (place === 'key') return character === ':';
    // a key: only the comma is missing
    if (next > this.#at + 1 && test(QUOTED_KEY, this.#text, next)) return true;
    if (character === ',') return this.#goesOn(this.#pastSpace(next + 1, ','), place);
    return this.#goesOn(next, 'closed');
  }

  /** Whether a value, a key or the end can begin here. */
  #goesOn(at: number, place: Place | 'closed'): boolean {
    const character = this.#text.charAt(at);
    if (character === '' || '/;<'.includes(character)) return true;
    if (character === '}' || character === ']') {
      // not a bracket within the text
      const after = this.#text.charAt(this.#pastSpace(at + 1, '}]'));
      return after === '' || ',;/<{["\''.includes(after) || !this.#text.includes('"', at);
    }
    if (place === 'member') return test(KEY, this.#text, at);
    return place === 'item';
  }

  #pastSpace(at: number, signs = ''): number {
    let next = at;
    while (SPACE.test(this.#text.charAt(next)) || (next < this.#text.length && signs.includes(this.#text.charAt(next))))
      next += 1;
    return next;
  }

  /** `"price": ,` */
  #isLeftOut(): boolean {
    const character = this.#text.charAt(this.#at);
    return character === ',' || character === '}';
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
    return literal(this.#word());
  }

  /** Of a value without quotes as much as belongs to it: `12,50`, `12.50 EUR`, `In Stock`. */
  #unquoted(): unknown {
    UNQUOTED.lastIndex = this.#at;
    const [text] = UNQUOTED.exec(this.#text) ?? [];
    if (text === undefined) throw new Unreadable('no value');
    this.#at += text.length;
    return literal(
      text
        .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|<[^<>]{1,200}>/g, '')
        .replace(/[\s,]+$/, '')
        .trim(),
    );
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
      } else if (character === '<' && test(MARKUP, this.#text, this.#at)) {
        this.#at = MARKUP.lastIndex - 1;
      } else if (character > ' ' && !SPACE.test(character) && !signs.includes(character)) return;
    }
  }
}
