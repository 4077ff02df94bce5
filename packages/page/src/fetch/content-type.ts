import { MIMEType } from 'whatwg-mimetype';

/** Types that are read as pages. */
const PAGE_TYPE = /^(?:text\/(?:html|xml|plain|x-html)|application\/(?:xhtml\+xml|xml)|[\w.-]+\/[\w.-]+\+xml)$/;

interface MediaType {
  /** `text/html` */
  readonly essence: string;
  readonly charset: string | null;
}

/**
 * The media type of an answer and its charset (WHATWG Fetch, "extract a MIME type"): of several the last that can be parsed,
 * with the charset of an earlier one where it is the same. Null where none can be: then the bytes decide.
 */
export function mediaTypeOf(contentType: string | null): MediaType | null {
  let found: MediaType | null = null as MediaType | null;
  for (const value of (contentType ?? '').slice(0, MAX_HEADER).split(COMMA)) {
    const type = MIMEType.parse(value);
    if (type === null || type.essence === '*/*') continue;
    const charset = type.parameters.get('charset') ?? null;
    found = { essence: type.essence, charset: charset ?? (found?.essence === type.essence ? found.charset : null) };
  }
  return found;
}

/** Outside of quoted strings. */
const COMMA = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/;

/** Longer ones are cut. */
const MAX_HEADER = 1_000;

/** Whether a Content-Type can be that of a page: HTML, XHTML, XML or text, or none at all. */
export function isPageType(contentType: string | null): boolean {
  const type = mediaTypeOf(contentType);
  return type === null || PAGE_TYPE.test(type.essence);
}

const MAGIC = [
  '%PDF-',
  '\x89PNG',
  'GIF8',
  '\xff\xd8\xff',
  'PK\x03\x04',
  '\x1f\x8b',
  'RIFF',
  'OggS',
  'ID3',
  '\x7fELF',
  'wOF',
];

/** Whether a body of undeclared type is no text: it begins as a known file format does, or has NULs as no text has. */
export function looksBinary(body: Buffer): boolean {
  const head = body.subarray(0, 512).toString('latin1');
  if (MAGIC.some((magic) => head.startsWith(magic))) return true;
  const utf16 = /^(?:\xff\xfe|\xfe\xff|<\0|\0<)/.test(head);
  return !utf16 && head.includes('\0');
}
