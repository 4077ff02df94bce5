import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { REDACTED, redactText } from './redact.js';

export type { Logger } from 'pino';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** The levels that `LOG_LEVEL` may name, from the most to the least talkative. */
export const LOG_LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export interface LogSettings {
  /** Who speaks: `consumer`, `producer`, `crawl`, … */
  readonly name: string;
  readonly level: LogLevel;
  /** Lines for people rather than JSON. Default: whether the destination is a terminal. */
  readonly pretty?: boolean;
  /** Fields on every line, such as `{ node: nodeTag }`. */
  readonly base?: Readonly<Record<string, unknown>>;
  /**
   * Daemons log to stdout, where process supervisors look (the default); one-shot commands to stderr, as their
   * stdout carries the result. A stream takes the lines in tests.
   */
  readonly destination?: 'stdout' | 'stderr' | DestinationStream;
}

/** Names of fields that hold secrets, wherever in the first three levels of a logged object they stand. */
const secretFields = ['password', 'authorization', 'Authorization', 'cookie', 'Cookie', 'cookies', 'token', 'secret'];
const quotedSecretFields = ['set-cookie', 'Set-Cookie', 'proxy-authorization', 'Proxy-Authorization'];

function secretPaths(): string[] {
  const prefixes = ['', '*.', '*.*.'];
  return prefixes.flatMap((prefix) => [
    ...secretFields.map((field) => `${prefix}${field}`),
    ...quotedSecretFields.map((field) => `${prefix.replace(/\.$/u, '')}["${field}"]`),
  ]);
}

/**
 * A logger that writes JSON lines, or readable ones on a terminal. Writes are synchronous, so that the last line before
 * an exit is never lost. Secret fields, and passwords in URLs anywhere in a line (error messages too), are redacted.
 */
export function createLogger(settings: LogSettings): Logger {
  const options: LoggerOptions = {
    name: settings.name,
    level: settings.level,
    base: { pid: process.pid, ...settings.base },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: secretPaths(), censor: REDACTED },
    hooks: { streamWrite: redactText },
  };
  return pino(options, openDestination(settings));
}

/** A logger that says nothing, for tests and for callers that were given none. */
export function createSilentLogger(): Logger {
  return pino({ level: 'silent' });
}

function openDestination({ destination = 'stdout', pretty }: LogSettings): DestinationStream {
  if (typeof destination !== 'string') return pretty === true ? prettyStream(destination, false) : destination;
  const fd = destination === 'stdout' ? 1 : 2;
  const plain = pino.destination({ dest: fd, sync: true });
  return (pretty ?? isatty(fd)) ? prettyStream(plain, isatty(fd)) : plain;
}

/** pino-pretty's formatter alone: its stream, in this thread or another, would lose the last lines at exit. */
function prettyStream(destination: DestinationStream, colorize: boolean): DestinationStream {
  const format = prettyFactory({ colorize, ignore: 'pid,hostname,node', translateTime: 'SYS:HH:MM:ss.l' });
  return { write: (line) => destination.write(format(line) ?? '') };
}
