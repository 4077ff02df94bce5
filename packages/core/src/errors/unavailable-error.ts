export type Service = 'Redis' | 'MySQL';

/** A service did not answer before the deadline. `address` is host and port, never a password. */
export class UnavailableError extends Error {
  readonly code = 'UNAVAILABLE';
  readonly service: Service;
  readonly address: string;

  constructor(service: Service, address: string, cause: unknown) {
    super(`${service} at ${address} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'UnavailableError';
    this.service = service;
    this.address = address;
  }
}
