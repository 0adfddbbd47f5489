/**
 * @file The CPU's random generator: a Mersenne Twister, plus the second half of the last Box-Muller pair, kept between calls.
 * @mirrors aten/src/ATen/CPUGeneratorImpl.cpp
 * @differs `random64` exists as two calls of `random()` (high half first), because a JavaScript number cannot hold 64
 * bits; PyTorch's returns one uint64.
 * @see core/MT19937RNGEngine.ts; core/DistributionsHelper.ts
 */
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { default_rng_seed_val, GeneratorImpl, getNonDeterministicRandom } from "#c10/core/GeneratorImpl";
import { ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TORCH_CHECK } from "#c10/util/Exception";
import { check_rng_state, Generator, get_generator_or_default } from "./core/Generator.ts";
import { MERSENNE_STATE_N, mt19937 } from "./core/MT19937RNGEngine.ts";
import { empty_cpu } from "./EmptyTensor.ts";

// Note [The bytes of a CPU generator's state]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// `get_state` writes PyTorch's C struct, little-endian with its padding, so that states move between the two libraries:
//
//   offset  size  field
//        0     8  seed                         uint64
//        8     4  draws left before a twist    int32
//       12     4  seeded                       int32, 1
//       16     8  next word                    uint64
//       24  4992  the 624 words, 8 bytes each  uint64
//     5016     8  normal_x                     double, always 0
//     5024     8  cached normal (double)       0 if there is none
//     5032     8  normal_rho                   double, always 0
//     5040     4  a cached double is there     int32, then 4 bytes of padding
//     5048     4  cached normal (float32)      never set by our kernels
//     5052     1  a cached float32 is there    then 3 bytes of padding
const STATE_SIZE = 5056;
const WORDS = 24;
const NORMAL = WORDS + MERSENNE_STATE_N * 8;

export class CPUGeneratorImpl extends GeneratorImpl {
  private engine_: mt19937;
  private next_float_normal_sample_: number | null = null;
  private next_double_normal_sample_: number | null = null;

  constructor(seed_in: bigint = default_rng_seed_val) {
    super(new Device(DeviceType.CPU), DispatchKeySet.of(DispatchKey.CPU));
    this.engine_ = new mt19937(seed_in);
  }

  static device_type(): DeviceType {
    return DeviceType.CPU;
  }

  override set_current_seed(seed: bigint): void {
    this.next_float_normal_sample_ = null;
    this.next_double_normal_sample_ = null;
    this.engine_ = new mt19937(BigInt.asUintN(64, seed));
  }

  override set_offset(_offset: bigint): void {
    TORCH_CHECK(false, "CPU Generator does not use offset");
  }

  override get_offset(): bigint {
    TORCH_CHECK(false, "CPU Generator does not use offset");
  }

  override current_seed(): bigint {
    return this.engine_.seed();
  }

  override seed(): bigint {
    const random = getNonDeterministicRandom();
    this.set_current_seed(random);
    return random;
  }

  override set_state(new_state: TensorImpl): void {
    check_rng_state(new_state);
    TORCH_CHECK(
      new_state.numel() === STATE_SIZE,
      "Expected a CPUGeneratorImplState of size ",
      STATE_SIZE,
      " but found the input RNG state size to be ",
      new_state.numel(),
    );
    const view = stateView(new_state);
    const state = new Uint32Array(MERSENNE_STATE_N);
    for (let j = 0; j < MERSENNE_STATE_N; j++) state[j] = view.getUint32(WORDS + 8 * j, true);
    const engine = new mt19937();
    engine.set_data({
      seed_: view.getBigUint64(0, true),
      left_: view.getInt32(8, true),
      seeded_: view.getInt32(12, true) !== 0,
      next_: view.getUint32(16, true),
      state_: state,
    });
    TORCH_CHECK(engine.is_valid(), "Invalid mt19937 state");
    this.engine_ = engine;
    this.next_double_normal_sample_ = view.getInt32(NORMAL + 24, true) !== 0 ? view.getFloat64(NORMAL + 8, true) : null;
    this.next_float_normal_sample_ = view.getUint8(NORMAL + 36) !== 0 ? view.getFloat32(NORMAL + 32, true) : null;
  }

  override get_state(): TensorImpl {
    const tensor = empty_cpu([STATE_SIZE], ScalarType.Byte);
    const view = stateView(tensor.unsafeGetTensorImpl());
    for (let offset = 0; offset < STATE_SIZE; offset += 8) view.setBigUint64(offset, 0n);
    const data = this.engine_.data();
    view.setBigUint64(0, data.seed_, true);
    view.setInt32(8, data.left_, true);
    view.setInt32(12, data.seeded_ ? 1 : 0, true);
    view.setUint32(16, data.next_, true);
    for (let j = 0; j < MERSENNE_STATE_N; j++) view.setUint32(WORDS + 8 * j, data.state_[j], true);
    if (this.next_double_normal_sample_ !== null) {
      view.setFloat64(NORMAL + 8, this.next_double_normal_sample_, true);
      view.setInt32(NORMAL + 24, 1, true);
    }
    if (this.next_float_normal_sample_ !== null) {
      view.setFloat32(NORMAL + 32, this.next_float_normal_sample_, true);
      view.setUint8(NORMAL + 36, 1);
    }
    return tensor.unsafeGetTensorImpl();
  }

  /** The next 32 random bits. */
  random(): number {
    return this.engine_.random();
  }

  /** The next draws, at most `n` and at least one, as int32; the array is valid until the next draw. */
  random_words(n: number): Int32Array {
    return this.engine_.random_words(n);
  }

  next_float_normal_sample(): number | null {
    return this.next_float_normal_sample_;
  }

  next_double_normal_sample(): number | null {
    return this.next_double_normal_sample_;
  }

  set_next_float_normal_sample(randn: number | null): void {
    this.next_float_normal_sample_ = randn;
  }

  set_next_double_normal_sample(randn: number | null): void {
    this.next_double_normal_sample_ = randn;
  }

  engine(): mt19937 {
    return this.engine_;
  }

  set_engine(engine: mt19937): void {
    this.engine_ = engine;
  }

  protected override clone_impl(): CPUGeneratorImpl {
    const copy = new CPUGeneratorImpl();
    copy.engine_ = this.engine_.clone();
    copy.next_float_normal_sample_ = this.next_float_normal_sample_;
    copy.next_double_normal_sample_ = this.next_double_normal_sample_;
    return copy;
  }
}

function stateView(state: TensorImpl): DataView {
  const bytes = state.data_view();
  return new DataView(bytes.buffer, bytes.byteOffset + state.data_offset(), STATE_SIZE);
}

const default_gen_cpu = createCPUGenerator();

/**
 * The default generator, seeded by `torch.manual_seed`; every random operator on the CPU uses it unless it is given another one.
 */
export function getDefaultCPUGenerator(): Generator {
  return default_gen_cpu;
}

export function createCPUGenerator(seed_val: bigint = default_rng_seed_val): Generator {
  return new Generator(new CPUGeneratorImpl(seed_val));
}

/** The generator of a CPU kernel: `gen`, or the default one. */
export function cpu_generator(gen: Generator | null): CPUGeneratorImpl {
  return get_generator_or_default<CPUGeneratorImpl>(gen, getDefaultCPUGenerator(), CPUGeneratorImpl.device_type());
}
