import { DrizzleQueryError } from 'drizzle-orm';
import { z } from 'zod';

/*
 * The one place that decides what an error of the database means. Numbers are those of MySQL 8.4 and MariaDB 10.11
 * to 11; where both give a number to different things, the meaning here holds for both.
 */

/**
 * `conflict`: another transaction was in the way, the same again will do. `connection`: the server is away, starting
 * or stopping. `busy`: it has no room for us now. `storage`: its disk is full. `read-only`: it takes no writes, as
 * after a failover. `data`: it refuses a value of this row. `access`: user, password or database are wrong.
 * `fatal`: none of these, a mistake of the program.
 */
export type DatabaseFault = TransientFault | 'data' | 'access' | 'fatal';
export type TransientFault = 'conflict' | 'connection' | 'busy' | 'storage' | 'read-only';

/** The database can't do it now and will later, without anybody's help or with an operator's: wait and try again. */
export class TransientDatabaseError extends Error {
  readonly code = 'DATABASE_TRANSIENT';
  readonly fault: TransientFault;
  /** `host:port/database`. */
  readonly address: string;

  constructor(fault: TransientFault, address: string, cause: unknown) {
    super(`MySQL at ${address} (${fault}): ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'TransientDatabaseError';
    this.fault = fault;
    this.address = address;
  }
}

const FAULT_OF_NUMBER = new Map<number, DatabaseFault>([
  ...numbers('conflict', 1213, 1205, 1020),
  // Server shutting down, gone, lost, network errors, connection or statement killed, idle too long.
  ...numbers('connection', 1053, 1077, 1079, 1080, 1152, 1158, 1159, 1160, 1161, 1184, 1317, 1927, 2006, 2013, 4031),
  // Too many connections (of all, of a user), no memory, no threads, host blocked after errors, statement time-out.
  ...numbers('busy', 1037, 1038, 1040, 1041, 1129, 1135, 1203, 1226, 1969, 3024),
  // Error writing a file, disk full, error from the engine, table full, lock table full, error at commit.
  ...numbers('storage', 3, 1021, 1026, 1030, 1114, 1180, 1206),
  ...numbers('read-only', 1290, 1792, 1836),
  ...numbers('access', 1044, 1045, 1049, 1142, 1251, 1698, 1820),
  // Data errors that have no SQLSTATE of class 22 or 23 on one of the servers: truncation, wrong value or string,
  // no default, illegal value, row too big, check violated, JSON too deep or invalid, packet too large.
  ...numbers('data', 1118, 1153, 1265, 1300, 1364, 1366, 1367, 1411, 1525, 3140, 3157, 3819, 4025, 4038),
]);

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
  'EADDRNOTAVAIL',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'DATABASE_DEADLINE',
]);

const driverError = z.object({
  errno: z.number().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
  sqlState: z.string().optional().catch(undefined),
  /** Set by the driver where the connection can't be used any more. */
  fatal: z.boolean().optional().catch(undefined),
});

/** Takes off Drizzle's wrapper, whose message repeats the whole statement with its values. */
export function causeOf(error: unknown): unknown {
  return error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error;
}

/** What an error thrown by the driver, by Drizzle or by this door means. */
export function classify(error: unknown): DatabaseFault {
  const cause = causeOf(error);
  if (cause instanceof TransientDatabaseError) return cause.fault;
  if (cause instanceof AggregateError) return cause.errors.map(classify).find((fault) => fault !== 'fatal') ?? 'fatal';
  const parsed = driverError.safeParse(cause);
  if (!parsed.success) return 'fatal';
  const { errno, code, sqlState, fatal } = parsed.data;
  const byNumber = errno === undefined ? undefined : FAULT_OF_NUMBER.get(errno);
  if (byNumber !== undefined) return byNumber;
  if (code !== undefined && NETWORK_CODES.has(code)) return 'connection';
  if (errno === undefined && fatal === true) return 'connection';
  // SQLSTATE classes: 08 connection, 22 data exception, 23 integrity constraint violation.
  if (sqlState?.startsWith('08') === true) return 'connection';
  if (sqlState?.startsWith('22') === true || sqlState?.startsWith('23') === true) return 'data';
  return 'fatal';
}

/** Whether waiting and trying again may help. */
export function isTransient(error: unknown): boolean {
  return isTransientFault(classify(error));
}

export function isTransientFault(fault: DatabaseFault): fault is TransientFault {
  return fault !== 'data' && fault !== 'access' && fault !== 'fatal';
}

/** The server's number of an error; 0 where it has none. */
export function errorNumberOf(error: unknown): number {
  const parsed = driverError.safeParse(causeOf(error));
  // Errors of the operating system have a negative errno.
  return parsed.success ? Math.max(0, parsed.data.errno ?? 0) : 0;
}

function numbers(fault: DatabaseFault, ...list: number[]): [number, DatabaseFault][] {
  return list.map((number) => [number, fault]);
}
