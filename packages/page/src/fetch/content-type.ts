/** Types that are read as pages; a missing one is decided by the bytes. */
const PAGE_TYPE = /^(?:text\/(?:html|xml|plain|x-html)|application\/(?:xhtml\+xml|xml)|[\w.-]+\/[\w.-]+\+xml)$/;

/** Whether a Content-Type can be that of a page: HTML, XHTML, XML or text. */
export function isPageType(contentType: string | null): boolean {
  const essence = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return essence === '' || !essence.includes('/') || PAGE_TYPE.test(essence);
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
