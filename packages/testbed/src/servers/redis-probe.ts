import { connect } from 'node:net';

/**
 * What a Redis on 127.0.0.1 says of itself (INFO server), or null if it does not answer, refuses the password, or is
 * still loading its data.
 */
export async function probeRedis(port: number, password: string): Promise<Map<string, string> | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let reply = '';
    const finish = (info: Map<string, string> | null): void => {
      socket.destroy();
      resolve(info);
    };
    socket.setEncoding('utf8');
    socket.setTimeout(2_000, () => finish(null));
    socket.once('error', () => finish(null));
    socket.once('close', () => finish(null));
    socket.once('connect', () => {
      socket.write(password === '' ? '' : `AUTH ${password}\r\n`);
      socket.write('PING\r\nINFO server\r\n');
    });
    socket.on('data', (chunk: string) => {
      reply += chunk;
      if (/^-/m.test(reply)) finish(null);
      else if (/^process_id:\d+\r$/m.test(reply)) finish(parseInfo(reply));
    });
  });
}

function parseInfo(text: string): Map<string, string> {
  const pairs = text.matchAll(/^([a-z_]+):(.*)\r$/gm);
  return new Map([...pairs].map(([, name = '', value = '']) => [name, value]));
}
