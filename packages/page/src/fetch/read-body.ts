import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, type Zlib } from 'node:zlib';
import { FetchFailure } from './failure.js';

/** A body that grows more than this when unpacked was made to do harm; HTML packs to a tenth, at best a fiftieth. */
const BOMB_RATIO = 100;

export interface BodyLimit {
  /** Of the body as sent, and of the body unpacked. */
  readonly maxBytes: number;
  /** What to do beyond: give the fetch up, or take what came so far (robots.txt). */
  readonly beyond: 'fail' | 'truncate';
}

export interface Body {
  readonly body: Buffer;
  /** Bytes sent, before unpacking. */
  readonly sentBytes: number;
}

/** Reads and unpacks a body; `encoding` is its Content-Encoding. Throws FetchFailure `too-large`, `bomb`, `bad-encoding`. */
export async function readBody(source: Readable, encoding: string | undefined, limit: BodyLimit): Promise<Body> {
  const sent: Sent = { bytes: 0, unpacked: () => sent.bytes };
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unpack(countSent(source, sent, limit), encoding, sent)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit.maxBytes) throw tooLarge(size, sent, limit);
    }
  } catch (error) {
    source.destroy();
    if (!(error instanceof Beyond)) throw error;
    return { body: Buffer.concat(chunks).subarray(0, limit.maxBytes), sentBytes: sent.bytes };
  }
  return { body: Buffer.concat(chunks, size), sentBytes: sent.bytes };
}

/** Ends reading early with what is there. */
class Beyond extends Error {}

interface Sent {
  bytes: number;
  /** Of these, the bytes that were unpacked so far. */
  unpacked: () => number;
}

function tooLarge(size: number, sent: Sent, { maxBytes, beyond }: BodyLimit): Error {
  if (beyond === 'truncate') return new Beyond();
  if (size > BOMB_RATIO * sent.unpacked()) {
    return new FetchFailure('bomb', `${sent.unpacked()} bytes unpack to more than ${maxBytes}`);
  }
  return new FetchFailure('too-large', `the body has more than ${maxBytes} bytes`);
}

async function* countSent(source: AsyncIterable<Buffer>, sent: Sent, limit: BodyLimit) {
  for await (const chunk of source) {
    sent.bytes += chunk.length;
    yield chunk;
    if (sent.bytes > limit.maxBytes) throw tooLarge(0, sent, limit);
  }
}

/** The body unpacked; how, is decided when its first bytes are there. */
async function* unpack(packed: AsyncGenerator<Buffer>, encoding: string | undefined, sent: Sent) {
  const first = await packed.next();
  if (first.done === true) return;
  let unpacked: AsyncGenerator<Buffer> = startingWith(first.value, packed);
  const decoders = decodersFor(encoding, first.value);
  const outermost = decoders[0];
  if (outermost !== undefined) sent.unpacked = () => outermost.bytesWritten;
  for (const decoder of decoders) unpacked = through(unpacked, decoder);
  yield* unpacked;
}

async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* through(input: AsyncGenerator<Buffer>, decoder: Transform): AsyncGenerator<Buffer> {
  // What fails on the way in destroys the decoder with the same error, and is thrown below.
  void pipeline(input, decoder).catch(() => undefined);
  yield* decoder as AsyncIterable<Buffer>;
}

type Decoder = Transform & Zlib;

/** What undoes the encodings, the last first. A body that is not packed as said is taken as it is. */
function decodersFor(encoding: string | undefined, first: Buffer): Decoder[] {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const packed = names.filter((name) => name !== '' && !['identity', 'none', 'utf-8'].includes(name));
  return packed.toReversed().flatMap((name, index) => {
    switch (name) {
      case 'gzip':
      case 'x-gzip':
        return index === 0 && !(first[0] === 0x1f && first[1] === 0x8b) ? [] : [createGunzip()];
      case 'deflate':
        // meant is zlib's format (RFC 9110, 8.4.1.2), sent is often the raw one
        return [((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()];
      case 'br':
        return [createBrotliDecompress()];
      default:
        throw new FetchFailure('bad-encoding', `the body is packed as ${name}, which was not asked for`);
    }
  });
}
