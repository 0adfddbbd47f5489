/**
 * @file `torch.Generator`: the Python class of an `at::Generator`.
 * @mirrors torch/csrc/Generator.h
 */
import { getAcceleratorHooksInterface } from "#aten/Context/index";
import { createCPUGenerator, getDefaultCPUGenerator } from "#aten/CPUGeneratorImpl";
import { Generator } from "#aten/core/Generator";
import { RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { TensorBase } from "./autograd/python_variable/type.ts";
import { THPVariable_Wrap } from "./autograd/python_variable/wrap.ts";
import { type THPDevice, THPDevice_New, toDevice } from "./Device.ts";
import { maybe_initialize_device } from "./utils/device_lazy_init.ts";
import {
  isDict,
  python_type,
  THPUtils_checkLong,
  THPUtils_packInt64,
  THPUtils_unpackInt64,
} from "./utils/python_numbers.ts";

export class THPGenerator {
  static readonly __name__ = "torch._C.Generator";
  readonly cdata: Generator;

  /** @param device the device that draws the numbers; `new torch.Generator()` draws on the CPU. */
  constructor(device: unknown = "cpu") {
    if (device instanceof Generator) {
      this.cdata = device;
      return;
    }
    const where = toDevice(isDict(device) ? (device["device"] ?? "cpu") : device);
    if (where.is_cpu()) {
      this.cdata = createCPUGenerator();
      return;
    }
    maybe_initialize_device(where);
    this.cdata = getAcceleratorHooksInterface(where.type()).getNewGenerator(where.index());
  }

  get device(): THPDevice {
    return THPDevice_New(this.cdata.device());
  }

  manual_seed(seed: number | bigint): this {
    this.cdata.set_current_seed(unpack_seed(seed));
    return this;
  }

  initial_seed(): number | bigint {
    return THPUtils_packInt64(this.cdata.current_seed());
  }

  seed(): number | bigint {
    return THPUtils_packInt64(this.cdata.seed());
  }

  get_state(): TensorBase {
    return THPVariable_Wrap(this.cdata.get_state()) as TensorBase;
  }

  set_state(new_state: TensorBase): this {
    if (!(new_state instanceof TensorBase))
      throw new TypeError_(`expected a torch.ByteTensor, but got ${python_type(new_state)}`);
    this.cdata.set_state(new_state.cdata);
    return this;
  }

  /** An independent generator that will draw the same numbers. */
  clone_state(): THPGenerator {
    return new THPGenerator(this.cdata.clone());
  }

  /** Shares the state of another generator, for recorded graphs of kernels; the CPU's generator throws. */
  graphsafe_set_state(new_state: THPGenerator): this {
    if (!THPGenerator_Check(new_state)) throw new TypeError_(`expected a Generator, but got ${python_type(new_state)}`);
    this.cdata.graphsafe_set_state(new_state.cdata);
    return this;
  }

  graphsafe_get_state(): THPGenerator {
    return new THPGenerator(this.cdata.graphsafe_get_state());
  }

  /** Sets the number of draws so far, for generators that count them; the CPU's generator throws. */
  set_offset(offset: number | bigint): this {
    if (!THPUtils_checkLong(offset))
      throw new RuntimeError(`manual_offset expected a long, but got ${python_type(offset)}`);
    this.cdata.set_offset(BigInt.asUintN(64, THPUtils_unpackInt64(offset)));
    return this;
  }

  get_offset(): number | bigint {
    return THPUtils_packInt64(this.cdata.get_offset());
  }
}

/** Converts a seed to uint64: a negative one means the unsigned number with the same bits. */
function unpack_seed(seed: number | bigint): bigint {
  if (!THPUtils_checkLong(seed)) throw new RuntimeError(`manual_seed expected a long, but got ${python_type(seed)}`);
  if (typeof seed === "bigint") {
    if (BigInt.asUintN(64, seed) !== seed && BigInt.asIntN(64, seed) !== seed)
      throw new ValueError("Overflow when unpacking long long");
    return BigInt.asUintN(64, seed);
  }
  return BigInt.asUintN(64, THPUtils_unpackInt64(seed));
}

export function THPGenerator_Check(obj: unknown): obj is THPGenerator {
  return obj instanceof THPGenerator;
}

export function THPGenerator_init(module: Record<string, unknown>): void {
  module["Generator"] = THPGenerator;
}

/** Makes `torch.default_generator`, used when no generator is given. */
export function THPGenerator_initDefaultGenerator(module: Record<string, unknown>): void {
  module["default_generator"] = new THPGenerator(getDefaultCPUGenerator());
}
