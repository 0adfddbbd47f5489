/**
 * @file The Mersenne Twister (MT19937) behind every random number on the CPU: 624 words of state, 32 bits a draw, period 2^19937 - 1.
 * @mirrors aten/src/ATen/core/MT19937RNGEngine.h
 * @see ../CPUGeneratorImpl.ts (who owns one); DistributionsHelper.ts (what is made of its bits)
 */

export const MERSENNE_STATE_N = 624;
const MERSENNE_STATE_M = 397;
const MATRIX_A = 0x9908b0df | 0;
const UPPER_BIT = 0x80000000 | 0;
const LOWER_BITS = 0x7fffffff;

/** The engine's whole state, in the form that `Generator.get_state` writes and `set_state` reads. */
export interface mt19937_data_pod {
  /** The 64-bit seed given to the constructor; only the low 32 bits reach the state. */
  seed_: bigint;
  /** Draws left before the next twist, counting from 624 down to 1. */
  left_: number;
  seeded_: boolean;
  /** Index of the next word to temper. */
  next_: number;
  state_: Uint32Array;
}

export class mt19937 {
  private seed_: bigint;
  private seeded_ = true;
  private left_ = 1; // the first draw must twist
  private next_ = 0;
  private readonly state_ = new Int32Array(MERSENNE_STATE_N);
  /** The tempered words of `state_`, which draws return. All are tempered at once, so a draw is one load. */
  private readonly tempered_ = new Int32Array(MERSENNE_STATE_N);

  constructor(seed: bigint = 5489n) {
    this.seed_ = seed;
    const state = this.state_;
    state[0] = Number(BigInt.asIntN(32, seed));
    for (let j = 1; j < MERSENNE_STATE_N; j++) {
      const previous = state[j - 1];
      state[j] = Math.imul(1812433253, previous ^ (previous >>> 30)) + j;
    }
  }

  /** A copy of the state, for `Generator.get_state`. */
  data(): mt19937_data_pod {
    const { seed_, left_, seeded_, next_ } = this;
    return { seed_, left_, seeded_, next_, state_: Uint32Array.from(this.state_, (word) => word >>> 0) };
  }

  set_data(data: mt19937_data_pod): void {
    this.seed_ = data.seed_;
    this.left_ = data.left_;
    this.seeded_ = data.seeded_;
    this.next_ = data.next_;
    this.state_.set(data.state_);
    temper(this.state_, this.tempered_);
  }

  seed(): bigint {
    return this.seed_;
  }

  /** Whether some sequence of draws can lead to this state. */
  is_valid(): boolean {
    return this.seeded_ && this.left_ > 0 && this.left_ <= MERSENNE_STATE_N && this.next_ <= MERSENNE_STATE_N;
  }

  /** A copy that continues independently. */
  clone(): mt19937 {
    const copy = new mt19937();
    copy.set_data(this.data());
    return copy;
  }

  /** The next 32 random bits, as an unsigned integer (C++: `operator()`). */
  random(): number {
    if (--this.left_ === 0) this.next_state();
    return this.tempered_[this.next_++] >>> 0;
  }

  /**
   * Results of the next calls of `random`, at most `n` and at least one, as int32: a view of the engine's own words,
   * valid until the next draw.
   */
  random_words(n: number): Int32Array {
    if (this.left_ === 1) {
      this.next_state();
      this.left_++; // no word has been drawn yet
    }
    const begin = this.next_;
    const count = Math.min(n, this.left_ - 1);
    this.next_ += count;
    this.left_ -= count;
    return this.tempered_.subarray(begin, begin + count);
  }

  private next_state(): void {
    this.left_ = MERSENNE_STATE_N;
    this.next_ = 0;
    twist_all(this.state_);
    temper(this.state_, this.tempered_);
  }
}

function twist(u: number, v: number): number {
  const mixed = (u & UPPER_BIT) | (v & LOWER_BITS);
  return (mixed >>> 1) ^ (-(v & 1) & MATRIX_A); // without a branch, which would be mispredicted half of the time
}

/** Replaces all 624 words; each new one mixes two neighbours with the word 397 places ahead. */
function twist_all(p: Int32Array): void {
  const split = MERSENNE_STATE_N - MERSENNE_STATE_M;
  let next = p[0]; // read once: as the upper neighbour, then as the lower
  for (let j = 0; j < split; j++) {
    const u = next;
    next = p[j + 1];
    p[j] = p[j + MERSENNE_STATE_M] ^ twist(u, next);
  }
  for (let j = split; j < MERSENNE_STATE_N - 1; j++) {
    const u = next;
    next = p[j + 1];
    p[j] = p[j - split] ^ twist(u, next);
  }
  const last = MERSENNE_STATE_N - 1;
  p[last] = p[MERSENNE_STATE_M - 1] ^ twist(next, p[0]);
}

/** Tempers the words: the last mixing of bits, within each word. */
function temper(state: Int32Array, out: Int32Array): void {
  for (let j = 0; j < MERSENNE_STATE_N; j++) {
    let y = state[j];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    y ^= y >>> 18;
    out[j] = y;
  }
}
