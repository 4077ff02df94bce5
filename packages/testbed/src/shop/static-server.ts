import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { ShopCounter, type ShopCounts } from './counts.js';
import { close, listen } from './shop.js';

export interface StaticServerOptions {
  readonly directory: string;
  /** Default 0: any free one. */
  readonly port?: number;
  readonly host?: string;
}

export interface StaticServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  counts(): ShopCounts;
  stop(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.xml': 'application/xml',
  '.txt': 'text/plain',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.pdf': 'application/pdf',
  '.gz': 'application/gzip',
};

/**
 * Serves the files of a folder and nothing outside of it, links followed and checked. No charset is said: that is for
 * the files to say, as on many real servers.
 */
export async function startStaticServer(options: StaticServerOptions): Promise<StaticServer> {
  const root = await realpath(resolve(options.directory));
  const host = options.host ?? '127.0.0.1';
  const counter = new ShopCounter();
  const server = createServer((request, response) => {
    const target = request.url ?? '/';
    counter.arrived(target, request.headers['user-agent'] ?? '');
    const before = request.socket.bytesWritten;
    response.once('close', () => {
      const bytes = request.socket.bytesWritten - before;
      const status = response.headersSent ? response.statusCode : null;
      counter.ended(target, { status, complete: response.writableFinished, bytes });
    });
    serveFile(root, request, response).catch(() => response.destroy());
  });
  const port = await listen(server, options.port ?? 0, host);
  return {
    url: `http://${host}:${port}`,
    port,
    counts: () => counter.read(),
    stop: async () => close(server),
  };
}

async function serveFile(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const path = decodedPath(request.url ?? '/');
  const file = path === null ? null : await fileInside(root, path);
  if (path === null || file === null) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    return;
  }
  const found = await stat(file);
  if (found.isDirectory() && !path.endsWith('/')) {
    // Relative links of the folder's page need the slash.
    response.writeHead(301, { location: `${encodeURI(path).replace(/^\/+/, '/')}/` }).end();
    return;
  }
  const page = found.isDirectory() ? await fileInside(root, `${path}index.html`) : file;
  const size = page === null ? null : await stat(page);
  if (page === null || size === null || !size.isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    return;
  }
  response.writeHead(200, {
    'content-type': TYPES[extname(page).toLowerCase()] ?? 'application/octet-stream',
    'content-length': size.size,
    'last-modified': size.mtime.toUTCString(),
  });
  if (request.method === 'HEAD') response.end();
  else await pipeline(createReadStream(page), response);
}

/** The path of a request target, decoded; null if it is none. */
function decodedPath(target: string): string | null {
  try {
    const path = decodeURIComponent(target.replace(/[?#].*$/s, ''));
    return path.startsWith('/') && !path.includes('\0') ? path : null;
  } catch {
    return null;
  }
}

/** The real file behind a path, or null if there is none or it is not inside `root`. */
async function fileInside(root: string, path: string): Promise<string | null> {
  const file = await realpath(join(root, path)).catch(() => null);
  return file !== null && (file === root || file.startsWith(root + sep)) ? file : null;
}
