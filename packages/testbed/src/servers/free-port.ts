import { createServer } from 'node:net';

/**
 * A TCP port on 127.0.0.1 that was free a moment ago: `preferred` where it can be had, else one the system picks.
 * Somebody else may take it before it is used, so whoever binds it must be ready to ask again.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined) {
    const port = await tryPort(preferred);
    if (port !== null) return port;
  }
  const port = await tryPort(0);
  if (port === null) throw new Error('the system has no free TCP port on 127.0.0.1');
  return port;
}

async function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
