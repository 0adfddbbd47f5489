/**
 * @file SHA-512, by which `random.seed` makes an int of a text.
 * @mirrors Modules/sha512module.c (CPython 3.11)
 */

const WORD = (1n << 64n) - 1n;

/** The first 64 bits after the point of a root of each prime: square roots begin the state, cube roots are the constants of the rounds. */
function roots(count: number, power: bigint): bigint[] {
  const result: bigint[] = [];
  for (let n = 2; result.length < count; n++) {
    let prime = true;
    for (let i = 2; i * i <= n; i++) if (n % i === 0) prime = false;
    if (!prime) continue;
    // The largest x with x^power <= n * 2^(64 power), bit by bit.
    let x = 0n;
    for (let bit = 1n << 68n; bit > 0n; bit >>= 1n) if ((x + bit) ** power <= BigInt(n) << (64n * power)) x += bit;
    result.push(x & WORD);
  }
  return result;
}

const turned = (x: bigint, by: bigint): bigint => ((x >> by) | (x << (64n - by))) & WORD;

let constants: bigint[] | null = null;

export function sha512(data: Uint8Array): Uint8Array {
  constants ??= roots(80, 3n);
  const length = Math.ceil((data.length + 17) / 128) * 128;
  const padded = new Uint8Array(length);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(length - 8, BigInt(data.length) * 8n);
  const state = roots(8, 2n);
  for (let at = 0; at < length; at += 128) {
    const w = Array.from({ length: 16 }, (_, i) => view.getBigUint64(at + 8 * i));
    for (let i = 16; i < 80; i++) {
      const [x, y] = [w[i - 15] as bigint, w[i - 2] as bigint];
      const s0 = turned(x, 1n) ^ turned(x, 8n) ^ (x >> 7n);
      const s1 = turned(y, 19n) ^ turned(y, 61n) ^ (y >> 6n);
      w.push(((w[i - 16] as bigint) + s0 + (w[i - 7] as bigint) + s1) & WORD);
    }
    let [a, b, c, d, e, f, g, h] = state as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
    for (let i = 0; i < 80; i++) {
      const s1 = turned(e, 14n) ^ turned(e, 18n) ^ turned(e, 41n);
      const t1 = h + s1 + ((e & f) ^ (~e & g)) + (constants[i] as bigint) + (w[i] as bigint);
      const s0 = turned(a, 28n) ^ turned(a, 34n) ^ turned(a, 39n);
      const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & WORD, c, b, a, (t1 + t2) & WORD];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => {
      state[i] = ((state[i] as bigint) + x) & WORD;
    });
  }
  const digest = new DataView(new ArrayBuffer(64));
  state.forEach((x, i) => {
    digest.setBigUint64(8 * i, x);
  });
  return new Uint8Array(digest.buffer);
}
