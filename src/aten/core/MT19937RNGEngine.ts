/**
 * @file The Mersenne Twister (MT19937) behind every random number on the CPU: 624 words of state, 32 bits a draw, period 2^19937 - 1.
 * @mirrors aten/src/ATen/core/MT19937RNGEngine.h
 * @see ../CPUGeneratorImpl.ts (who owns one); DistributionsHelper.ts (what is made of its bits)
 */

export const MERSENNE_STATE_N = 624;
const MERSENNE_STATE_M = 397;
const MATRIX_A = 0x9908b0df;
const UPPER_BIT = 0x80000000;
const LOWER_BITS = 0x7fffffff;

/** The engine's whole state, in the form that `Generator.get_state` writes and `set_state` reads. */
export interface mt19937_data_pod {
  /** As given to the constructor, 64 bits; only the low 32 reach the state. */
  seed_: bigint;
  /** Draws left before the next twist, counting from 624 down to 1. */
  left_: number;
  seeded_: boolean;
  /** Index of the next word to temper. */
  next_: number;
  state_: Uint32Array;
}

export class mt19937 {
  private data_: mt19937_data_pod;

  constructor(seed: bigint = 5489n) {
    const state = new Uint32Array(MERSENNE_STATE_N);
    state[0] = Number(seed & 0xffffffffn);
    for (let j = 1; j < MERSENNE_STATE_N; j++) {
      const previous = state[j - 1] as number;
      state[j] = Math.imul(1812433253, previous ^ (previous >>> 30)) + j;
    }
    // The first draw must twist: `left_` of 1 reaches 0 at once.
    this.data_ = { seed_: seed, left_: 1, seeded_: true, next_: 0, state_: state };
  }

  data(): mt19937_data_pod {
    return this.data_;
  }

  set_data(data: mt19937_data_pod): void {
    this.data_ = data;
  }

  seed(): bigint {
    return this.data_.seed_;
  }

  /** A state that some sequence of draws could have left. */
  is_valid(): boolean {
    const { seeded_, left_, next_ } = this.data_;
    return seeded_ && left_ > 0 && left_ <= MERSENNE_STATE_N && next_ <= MERSENNE_STATE_N;
  }

  /** A copy that draws on independently. */
  clone(): mt19937 {
    const copy = new mt19937();
    copy.data_ = { ...this.data_, state_: this.data_.state_.slice() };
    return copy;
  }

  /** The next 32 random bits, as an unsigned integer (C++: `operator()`). */
  random(): number {
    const data = this.data_;
    if (--data.left_ === 0) next_state(data);
    let y = data.state_[data.next_++] as number;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    y ^= y >>> 18;
    return y >>> 0;
  }
}

function twist(u: number, v: number): number {
  const mixed = (u & UPPER_BIT) | (v & LOWER_BITS);
  return (mixed >>> 1) ^ (v & 1 ? MATRIX_A : 0);
}

/** Replaces all 624 words at once; each new word mixes two neighbours with the word 397 places ahead. */
function next_state(data: mt19937_data_pod): void {
  const p = data.state_;
  data.left_ = MERSENNE_STATE_N;
  data.next_ = 0;
  const split = MERSENNE_STATE_N - MERSENNE_STATE_M;
  for (let j = 0; j < split; j++) {
    p[j] = (p[j + MERSENNE_STATE_M] as number) ^ twist(p[j] as number, p[j + 1] as number);
  }
  for (let j = split; j < MERSENNE_STATE_N - 1; j++) {
    p[j] = (p[j - split] as number) ^ twist(p[j] as number, p[j + 1] as number);
  }
  const last = MERSENNE_STATE_N - 1;
  p[last] = (p[MERSENNE_STATE_M - 1] as number) ^ twist(p[last] as number, p[0] as number);
}
