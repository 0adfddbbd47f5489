/**
 * @file Digests of bytes: MD5, SHA-1 and SHA-256; `hashlib` is written in Python.
 * @mirrors Modules/md5module.c, Modules/sha1module.c, Modules/sha256module.c (CPython 3.11)
 */
import { PyBytes } from "../Objects/bytesobject.ts";
import { functions } from "../Objects/methodobject.ts";
import { sha512 } from "./sha512module.ts";

// An idea in miniature
// ~~~~~~~~~~~~~~~~~~~~
// All three pad the message to blocks of 64 bytes: a bit 1, zeros, the length in bits. A few words of state start from constants. Each block mixes its 16
// words into the state in 64 or 80 rounds; what the state was before is added at the end. They differ in the constants, the rounds and the order of bytes.

const left = (x: number, by: number): number => (x << by) | (x >>> (32 - by));
const right = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

/** The message with its padding. */
function padded(data: Uint8Array, little_endian: boolean): DataView {
  const length = Math.ceil((data.length + 9) / 64) * 64;
  const bytes = new Uint8Array(length);
  bytes.set(data);
  bytes[data.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(length - 8, BigInt(data.length) * 8n, little_endian);
  return view;
}

/** Runs `mix` on the state with the words of each block, and writes the state. */
function digest(
  data: Uint8Array,
  state: Int32Array,
  little_endian: boolean,
  mix: (state: Int32Array, words: Int32Array) => void,
): Uint8Array {
  const view = padded(data, little_endian);
  const words = new Int32Array(16);
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i, little_endian);
    const before = state.slice();
    mix(state, words);
    for (let i = 0; i < state.length; i++) state[i] = (state[i] as number) + (before[i] as number);
  }
  const result = new DataView(new ArrayBuffer(4 * state.length));
  state.forEach((word, i) => {
    result.setInt32(4 * i, word, little_endian);
  });
  return new Uint8Array(result.buffer);
}

const SINES = Int32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));
const TURNS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0] as const;

function md5(data: Uint8Array): Uint8Array {
  return digest(data, Int32Array.from(START.slice(0, 4)), true, (state, words) => {
    let [a, b, c, d] = state as unknown as [number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      const [f, word] =
        round === 0
          ? [(b & c) | (~b & d), i]
          : round === 1
            ? [(d & b) | (~d & c), 5 * i + 1]
            : round === 2
              ? [b ^ c ^ d, 3 * i + 5]
              : [c ^ (b | ~d), 7 * i];
      const sum = (a + f + (SINES[i] as number) + (words[word & 15] as number)) | 0;
      const turn = (TURNS[round] as readonly number[])[i & 3] as number;
      [a, d, c, b] = [d, c, b, (b + left(sum, turn)) | 0];
    }
    state.set([a, b, c, d]);
  });
}

function sha1(data: Uint8Array): Uint8Array {
  const w = new Int32Array(80);
  return digest(data, Int32Array.from(START), false, (state, words) => {
    w.set(words);
    for (let i = 16; i < 80; i++)
      w[i] = left((w[i - 3] as number) ^ (w[i - 8] as number) ^ (w[i - 14] as number) ^ (w[i - 16] as number), 1);
    let [a, b, c, d, e] = state as unknown as [number, number, number, number, number];
    for (let i = 0; i < 80; i++) {
      const [f, k] =
        i < 20
          ? [(b & c) | (~b & d), 0x5a827999]
          : i < 40
            ? [b ^ c ^ d, 0x6ed9eba1]
            : i < 60
              ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
              : [b ^ c ^ d, 0xca62c1d6];
      [e, d, c, b, a] = [d, c, left(b, 30), a, (left(a, 5) + f + e + k + (w[i] as number)) | 0];
    }
    state.set([a, b, c, d, e]);
  });
}

/** The first 32 bits of the fractions of roots of the first primes. */
function root_bits(count: number, root: (n: number) => number): Int32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return Int32Array.from(primes, (p) => Math.floor((root(p) % 1) * 2 ** 32));
}
let sha256_constants: Int32Array | null = null;

export function sha256(data: Uint8Array): Uint8Array {
  sha256_constants ??= root_bits(64, Math.cbrt);
  const k = sha256_constants;
  const w = new Int32Array(64);
  return digest(data, root_bits(8, Math.sqrt), false, (state, words) => {
    w.set(words);
    for (let i = 16; i < 64; i++) {
      const [x, y] = [w[i - 15] as number, w[i - 2] as number];
      const s0 = right(x, 7) ^ right(x, 18) ^ (x >>> 3);
      const s1 = right(y, 17) ^ right(y, 19) ^ (y >>> 10);
      w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as number[] as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let i = 0; i < 64; i++) {
      const s1 = right(e, 6) ^ right(e, 11) ^ right(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (k[i] as number) + (w[i] as number)) | 0;
      const s0 = right(a, 2) ^ right(a, 13) ^ right(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    state.set([a, b, c, d, e, f, g, h]);
  });
}

const DIGESTS: Readonly<Record<string, (data: Uint8Array) => Uint8Array>> = { md5, sha1, sha256, sha512 };

export function _hash(): Map<string, unknown> {
  return functions("_hash", {
    "digest(name, data, /)": (name: string, { data }: PyBytes) =>
      new PyBytes((DIGESTS[name] as (data: Uint8Array) => Uint8Array)(data)),
  });
}
