/** A Redis or a MySQL that belongs to whoever started it. */
export interface PrivateServer {
  /** `given`: from `REDIS_URL`/`DATABASE_URL`, ours to use but not to stop; the others were started by us. */
  readonly origin: 'given' | 'process' | 'docker';
  /** Where clients connect, password included. Stays the same over stop, kill and restart. */
  readonly url: string;
  /** On 127.0.0.1, unless given. */
  readonly port: number;
  /** Of the server process while it runs; always null for a given server or a container. */
  readonly pid: number | null;
  /** Shuts down in order and waits for the end. May be called when it does not run. Data stays for `restart`. */
  stop(): Promise<void>;
  /** SIGKILL, and waits for the end: what a crash or a pulled plug looks like to clients. */
  kill(): Promise<void>;
  /** Stops it if it runs, starts it again on the same port with the same data, waits until it answers. */
  restart(): Promise<void>;
  /** `stop` for good: the data of a server that is not durable go with it. May be called twice. */
  close(): Promise<void>;
  /** Lets it live on after this process: no guard ends it any more. */
  detach(): Promise<void>;
}

export interface RedisServer extends PrivateServer {
  readonly kind: 'redis';
}

export interface MySqlServer extends PrivateServer {
  readonly kind: 'mysql';
  /** The Unix socket, where there is one. */
  readonly socket: string | null;
  /** Creates an empty utf8mb4 database (dropping one of that name) and gives its URL. */
  createDatabase(name: string): Promise<string>;
}

/** What all ways to start a server are asked. */
export interface ServerOptions {
  /** Where data, log, socket and settings go; made if missing. One server a folder. */
  readonly directory: string;
  /**
   * `false` (default): for tests and demos; starts empty, skips fsync, and the data go when it stops for good.
   * `true`: keeps data, port and password over restarts, and writes as safely as the server does by default.
   */
  readonly durable?: boolean;
  /** Whether it ends with this process, whatever ends that (default true). */
  readonly guarded?: boolean;
  /** Further arguments for the server, after ours, so that they win. */
  readonly args?: readonly string[];
  /** Told what a user should know, a line at a time. */
  readonly log?: ((line: string) => void) | undefined;
  /** Gives up a start that is under way. A server that runs is stopped by `stop()` alone. */
  readonly signal?: AbortSignal | undefined;
}

/** A private server did not come up. The message ends with the last lines of its log. */
export class ServerStartError extends Error {
  readonly code = 'SERVER_START';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServerStartError';
  }
}
