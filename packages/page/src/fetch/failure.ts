/**
 * Why a fetch gave no page. `http-…` is the status of the last answer; `robots…` is about where it was sent on to;
 * `not-modified` is the answer to validators.
 */
export type FetchFailureKind =
  | 'aborted'
  | 'bad-encoding'
  | 'bad-redirect'
  | 'bad-response'
  | 'bomb'
  | 'dns'
  | 'headers-too-large'
  | 'network'
  | 'not-html'
  | 'not-modified'
  | 'out-of-scope'
  | 'private-address'
  | 'proxy'
  | 'redirect-loop'
  | 'refused'
  | 'reset'
  | 'robots'
  | 'robots-unreachable'
  | 'timeout'
  | 'tls'
  | 'too-large'
  | 'too-many-redirects'
  | 'unreachable'
  | `http-${number}`;

/** Thrown inside a fetch where it must stop; the fetch turns it into its result. */
export class FetchFailure extends Error {
  readonly kind: FetchFailureKind;
  /** When to try again, where that is known. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: FetchFailureKind,
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.name = 'FetchFailure';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

const KINDS: Readonly<Record<string, FetchFailureKind>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  ERR_STREAM_PREMATURE_CLOSE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  EPROTO: 'tls',
};
const PATTERNS: readonly [RegExp, FetchFailureKind][] = [
  [/^(?:HPE_|HTTPParserError$)/, 'bad-response'],
  [/^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|CRL_)/, 'tls'],
  [/^(?:Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING)/, 'bad-encoding'],
];

/** Names what went wrong below HTTP; whatever has no name of its own is `network`. */
export function failureOf(error: unknown): FetchFailure {
  for (const cause of causesOf(error)) {
    if (cause instanceof FetchFailure) return cause;
    // undici's parser gives no code to an answer that is not HTTP at all
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
    const kind = KINDS[code] ?? PATTERNS.find(([pattern]) => pattern.test(code))?.[1];
    if (kind !== undefined) return new FetchFailure(kind, cause.message || code, { cause: error });
  }
  return new FetchFailure('network', error instanceof Error ? error.message : String(error), { cause: error });
}

/** The error, what it was made of (of several addresses tried, each), and what caused it. */
function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const parts = error instanceof AggregateError ? error.errors.flatMap(causesOf) : [];
  return [...parts, error, ...causesOf(error.cause)];
}
