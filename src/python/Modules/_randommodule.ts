/**
 * @file The generator behind `random`: Mersenne Twister, with CPython's way to seed it. The distributions are Lib/random.py.
 * @mirrors Modules/_randommodule.c (CPython 3.11)
 */
import { PyBytes } from "../Objects/bytesobject.ts";
import { OverflowError, TypeError_, ValueError } from "../Objects/exceptions.ts";
import { float_value } from "../Objects/floatobject.ts";
import { hash_of } from "../Objects/hashing.ts";
import { int_value } from "../Objects/longobject.ts";
import { define_methods } from "../Objects/methodobject.ts";
import { PyTuple, tuple } from "../Objects/tupleobject.ts";
import { builtin_type, type PyClass } from "../Objects/typeobject.ts";
import { float_of, index, int_of, ssize } from "./arguments.ts";
import { sha512 } from "./sha512module.ts";

const N = 624;
const M = 397;

class Random {
  // Private, because a subclass may have attributes of any name.
  readonly #state = new Uint32Array(N);
  #at = N;

  begin(seed: number): void {
    this.#state[0] = seed;
    for (let i = 1; i < N; i++) {
      const before = this.#state[i - 1] as number;
      this.#state[i] = Math.imul(1812433253, before ^ (before >>> 30)) + i;
    }
    this.#at = N;
  }

  /** Mixes the words of a key into the state. */
  begin_with(key: readonly number[]): void {
    const state = this.#state;
    this.begin(19650218);
    let i = 1;
    const mixed = (factor: number): number => {
      const before = state[i - 1] as number;
      return (state[i] as number) ^ Math.imul(before ^ (before >>> 30), factor);
    };
    const advance = (): void => {
      if (++i < N) return;
      state[0] = state[N - 1] as number;
      i = 1;
    };
    for (let k = 0; k < Math.max(N, key.length); k++) {
      const j = k % key.length;
      state[i] = mixed(1664525) + (key[j] as number) + j;
      advance();
    }
    for (let k = 1; k < N; k++) {
      state[i] = mixed(1566083941) - i;
      advance();
    }
    state[0] = 0x80000000;
  }

  /** The next 32 bits. */
  word(): number {
    const state = this.#state;
    if (this.#at >= N) {
      for (let i = 0; i < N; i++) {
        const y = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % N] as number) & 0x7fffffff);
        state[i] = (state[(i + M) % N] as number) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      this.#at = 0;
    }
    let y = state[this.#at++] as number;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** A float in [0, 1) of 53 bits. */
  float(): number {
    const high = this.word() >>> 5;
    return (high * 67108864 + (this.word() >>> 6)) / 9007199254740992;
  }

  /** An int of `k` bits. */
  bits(k: number): number | bigint {
    if (k <= 32) return k === 0 ? 0 : this.word() >>> (32 - k);
    let result = 0n;
    for (let done = 0; done < k; done += 32) {
      const word = this.word();
      result |= BigInt(k - done < 32 ? word >>> (32 - (k - done)) : word) << BigInt(done);
    }
    return int_value(result);
  }

  /** All words of the state, then the place of the next one. */
  get whole(): number[] {
    return [...this.#state, this.#at];
  }

  set whole(words: readonly number[]) {
    this.#state.set(words.slice(0, N));
    this.#at = words[N] as number;
  }
}

/** Words of 32 bits, lowest first. */
function words_of(value: bigint): number[] {
  const words: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
  return words.length === 0 ? [0] : words;
}

function bytes_of_seed(seed: unknown): Uint8Array | undefined {
  if (typeof seed === "string") return new TextEncoder().encode(seed);
  return seed instanceof PyBytes ? seed.data : undefined;
}

function seed(self: Random, value: unknown): void {
  const bytes = bytes_of_seed(value);
  if (bytes !== undefined) {
    const hex = [...bytes, ...sha512(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    self.begin_with(words_of(BigInt(`0x${hex}`)));
    return;
  }
  if (value === null) {
    self.begin_with(Array.from({ length: 8 }, () => Math.floor(Math.random() * 2 ** 32)));
    return;
  }
  if (int_of(value) === undefined && float_of(value) === undefined)
    throw new TypeError_("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.");
  // CPython reads the hash of a float as an unsigned word of 64 bits.
  const float = float_of(value) === undefined ? undefined : BigInt.asUintN(64, BigInt(hash_of(value)));
  const number = float ?? BigInt(index(value));
  self.begin_with(words_of(number < 0n ? -number : number));
}

/** An int below `n`, by drawing bits until they are below it. */
function randbelow(self: Random, value: unknown): number | bigint {
  const n = index(value);
  if (typeof n === "number" && n > 0 && n <= 0x7fffffff) {
    const shift = Math.clz32(n);
    let r = self.word() >>> shift;
    while (r >= n) r = self.word() >>> shift;
    return r;
  }
  if (n <= 0) return 0;
  const k = n.toString(2).length;
  let r = self.bits(k);
  while (r >= n) r = self.bits(k);
  return r;
}

function getrandbits(self: Random, k: unknown): number | bigint {
  const count = ssize(k);
  if (count < 0) throw new ValueError("number of bits must be non-negative");
  if (count > 0x7fffffff) throw new OverflowError("Python int too large to convert to C int");
  return self.bits(count);
}

function setstate(self: Random, state: unknown): void {
  if (!(state instanceof PyTuple)) throw new TypeError_("state vector must be a tuple");
  if (state.length !== N + 1) throw new ValueError("state vector is the wrong size");
  self.whole = state.map((word) => ssize(word));
}

export function _random(): Map<string, unknown> {
  const type = builtin_type("Random", {
    cls: Random,
    module: "_random",
    tp_alloc: (cls: PyClass) => Reflect.construct(Random, [], cls) as object,
  });
  define_methods(type, {
    "__init__(self, x=None, /)": (self: Random, x) => seed(self, x),
    "seed(self, n=None, /)": seed,
    "random(self, /)": (self: Random) => float_value(self.float()),
    "getrandbits(self, k, /)": getrandbits,
    "_randbelow(self, n, /)": randbelow,
    "getstate(self, /)": (self: Random) => tuple(self.whole),
    "setstate(self, state, /)": setstate,
  });
  return new Map([["Random", type.cls]]);
}
