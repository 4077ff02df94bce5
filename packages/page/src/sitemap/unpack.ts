import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';

/** Layers of gzip that are undone: a packed file, packed again by whoever made it. */
const MAX_LAYERS = 3;

/**
 * Undoes gzip for as long as the bytes begin as gzip does, whatever name and type the file has. Of a file that is cut
 * off or broken it gives what came before, and never more than `maxBytes`.
 */
export async function unpack(body: Buffer, maxBytes: number): Promise<Buffer> {
  let unpacked = body;
  for (let layer = 0; layer < MAX_LAYERS && isGzip(unpacked); layer += 1) unpacked = await gunzip(unpacked, maxBytes);
  return unpacked;
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function gunzip(packed: Buffer, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    await pipeline([packed], createGunzip(), async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maxBytes) throw new Error('enough');
      }
    });
  } catch {
    // what was unpacked before the end or the damage is good
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
