/**
 * @file Dispatch from an operator to a loop: an operator of `native/` calls a stub, and the stub calls the kernel
 * registered for the device. On the CPU it is the best kernel that this machine can run. Kernels of `native/cpu/`
 * register themselves when they are imported.
 * @mirrors aten/src/ATen/native/DispatchStub.h
 * @differs Ours has DEFAULT (JavaScript) and WebAssembly's capabilities; PyTorch has AVX2, AVX512, VSX, ZVECTOR and
 * SVE.
 */

import { is_relaxed_simd_supported, is_simd128_supported } from "#aten/cpu/vec/capability";
import { DeviceType, toString } from "#c10/core/DeviceType";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { nothing, type TraceData, traceCall, tracer } from "#c10/util/Trace";

/** Instruction sets of CPU kernels, the simplest first. A machine can run all kernels up to its own capability. */
export const CPUCapability = { DEFAULT: 0, SIMD128: 1, RELAXED_SIMD: 2 } as const;
export type CPUCapability = (typeof CPUCapability)[keyof typeof CPUCapability];

const capability_names = Object.keys(CPUCapability) as readonly (keyof typeof CPUCapability)[];

/** The capability named by the environment variable ATEN_CPU_CAPABILITY, else the best of this machine. */
function compute_cpu_capability(): CPUCapability {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const wanted = process?.env?.["ATEN_CPU_CAPABILITY"]?.toLowerCase();
  if (wanted === "default" || !is_simd128_supported()) return CPUCapability.DEFAULT;
  if (wanted !== undefined && wanted !== "simd128" && wanted !== "relaxed_simd")
    TORCH_WARN("ignoring invalid value for ATEN_CPU_CAPABILITY: ", wanted);
  return wanted !== "simd128" && is_relaxed_simd_supported() ? CPUCapability.RELAXED_SIMD : CPUCapability.SIMD128;
}

const cpu_capability = compute_cpu_capability();

/** Capability of this machine; it is determined once. */
export function get_cpu_capability(): CPUCapability {
  return cpu_capability;
}

/** Its name, as in `torch.backends.cpu.get_cpu_capability()`. */
export function get_cpu_capability_name(): string {
  return capability_names[cpu_capability];
}

/** Supertype of all kernels. A stub passes up to twelve arguments; TypeScript refuses a kernel with more. */
// biome-ignore-start lint/suspicious/noExplicitAny: stubs of every signature
// biome-ignore format: a list of twelve
type Kernel = (a?: any, b?: any, c?: any, d?: any, e?: any, f?: any, g?: any, h?: any, i?: any, j?: any, k?: any, l?: any) => any;
// biome-ignore-end lint/suspicious/noExplicitAny: above

export interface DispatchStub<F extends Kernel> {
  readonly name: string;
  /** Calls the kernel of this device. No argument is undefined: None is null. */
  call(device_type: DeviceType, ...args: Parameters<F>): ReturnType<F>;
  is_device_supported(device_type: DeviceType): boolean;
}

/** One cell of a stub's table. */
interface Registration {
  readonly kernel: Kernel;
  readonly name: string;
  /** Undefined on devices other than the CPU. */
  readonly capability: CPUCapability | undefined;
  /**
   * Whether the kernel serves every capability because its loops choose (cpu/Loops/index.ts). PyTorch compiles such a
   * kernel once per capability.
   */
  readonly for_all: boolean;
}

// Note [A stub's table]
// ~~~~~~~~~~~~~~~~~~~~~
//                 DEFAULT        SIMD128        RELAXED_SIMD
//   cpu           a kernel       maybe one      maybe one          chosen: the rightmost that get_cpu_capability() allows
//   others        one kernel each
//
// A cell is chosen when it is registered, not at each call, so that a call reads one field. PyTorch chooses at the
// first call and remembers the result: its kernels are all linked by then, but ours may still be imported.
class DispatchStubImpl {
  readonly name: string;
  /** One registration per capability. */
  private readonly cpu_: Registration[] = [];
  /**
   * The registration that a call uses: the CPU's, which nearly every call uses, and those of other devices by device
   * type.
   */
  private chosen_cpu_: Registration | null = null;
  private others_: Map<DeviceType, Registration> | null = null;

  constructor(name: string) {
    this.name = name;
  }

  // @parameters spelled out, because passing a rest parameter took 9 % of a small `add`.
  call(
    device_type: DeviceType,
    a?: unknown,
    b?: unknown,
    c?: unknown,
    d?: unknown,
    e?: unknown,
    f?: unknown,
    g?: unknown,
    h?: unknown,
    i?: unknown,
    j?: unknown,
    k?: unknown,
    l?: unknown,
  ): unknown {
    const cpu = this.chosen_cpu_;
    const cell = device_type === DeviceType.CPU && cpu !== null ? cpu : this.get(device_type);
    if (d !== undefined) return this.call_many(cell, device_type, [a, b, c, d, e, f, g, h, i, j, k, l]);
    if (tracer !== null) return this.callSlow(cell, device_type, [a, b, c]);
    return cell.kernel(a, b, c); // the usual number of arguments
  }

  /**
   * The rest of `call`. It is a separate function, so that `call` stays small: the engine inlines small functions.
   */
  private call_many(cell: Registration, device_type: DeviceType, args: Parameters<Kernel>): unknown {
    if (tracer !== null) return this.callSlow(cell, device_type, args);
    return cell.kernel(...args);
  }

  private callSlow(cell: Registration, device_type: DeviceType, args: Parameters<Kernel>): unknown {
    const data = { kernel: cell.name, device: toString(device_type), ...told_of_capability(cell) };
    return traceCall("stub", `at::native::${this.name}`, cell.kernel, args, data, nothing);
  }

  private get(device_type: DeviceType): Registration {
    const found = this.chosen(device_type);
    if (found !== null) return found;
    const wrapper = wrapper_in(new Error().stack ?? "");
    const caller = wrapper === null ? "" : `, called by ${wrapper}`;
    TORCH_CHECK(false, `DispatchStub: missing kernel for ${toString(device_type)} (stub ${this.name}${caller})`);
  }

  private chosen(device_type: DeviceType): Registration | null {
    return device_type === DeviceType.CPU ? this.chosen_cpu_ : (this.others_?.get(device_type) ?? null);
  }

  is_device_supported(device_type: DeviceType): boolean {
    return this.chosen(device_type) !== null;
  }

  set(device_type: DeviceType, cell: Registration): void {
    if (device_type !== DeviceType.CPU) {
      (this.others_ ??= new Map()).set(device_type, cell);
      return;
    }
    this.cpu_[cell.capability ?? CPUCapability.DEFAULT] = cell;
    this.chosen_cpu_ = choose_cpu_impl(this.cpu_, get_cpu_capability());
  }
}

/**
 * The generated function that serves the operator, `wrapper_CPU_special_i1e`, as the stack of an error names it; null where names were
 * minified. A call keeps no record of its operator: an error can afford to read the stack, a call could not afford to keep one.
 */
function wrapper_in(stack: string): string | null {
  return /\bwrapper_[A-Z]\w*/.exec(stack)?.[0] ?? null;
}

/** Trace fields of a CPU kernel: its capability, and why it is not the best of this machine. */
function told_of_capability({ capability, for_all }: Registration): TraceData {
  if (capability === undefined) return {};
  const best = get_cpu_capability();
  if (for_all || capability === best) return { capability: capability_names[best] };
  if (capability !== CPUCapability.DEFAULT) return { capability: capability_names[capability] };
  return { capability: "DEFAULT", why: "no kernel with vectors" };
}

/** The best entry of `cells` (indexed by capability, with gaps) that a machine with `capability` can run. */
export function choose_cpu_impl<C>(cells: readonly C[], capability: CPUCapability): C | null {
  for (let best: number = capability; best > CPUCapability.DEFAULT; best--) {
    const cell = cells[best];
    if (cell !== undefined) return cell;
  }
  return cells[CPUCapability.DEFAULT] ?? null;
}

export function DEFINE_DISPATCH<F extends Kernel>(name: string): DispatchStub<F> {
  return new DispatchStubImpl(name) as unknown as DispatchStub<F>; // its `call` has no particular stub's type
}

function set<F extends Kernel>(stub: DispatchStub<F>, device_type: DeviceType, cell: Registration): void {
  (stub as unknown as DispatchStubImpl).set(device_type, cell); // the reverse cast
}

/**
 * Registers a stub's CPU kernel for every capability that has no kernel of its own. `name` is printed by traces,
 * because minifiers drop `kernel.name`.
 */
export function REGISTER_DISPATCH<F extends Kernel>(stub: DispatchStub<F>, kernel: F, name: string): void {
  set(stub, DeviceType.CPU, { kernel, name, capability: CPUCapability.DEFAULT, for_all: true });
}

/**
 * Registers a CPU kernel in JavaScript whose loops do not choose. Every machine runs it if the stub has no SIMD kernel.
 */
export function REGISTER_DEFAULT_DISPATCH<F extends Kernel>(stub: DispatchStub<F>, kernel: F, name: string): void {
  REGISTER_ARCH_DISPATCH(stub, CPUCapability.DEFAULT, kernel, name);
}

/** Registers the CPU kernel for machines with `capability` or better. */
export function REGISTER_ARCH_DISPATCH<F extends Kernel>(
  stub: DispatchStub<F>,
  capability: CPUCapability,
  kernel: F,
  name: string,
): void {
  set(stub, DeviceType.CPU, { kernel, name, capability, for_all: false });
}

/** Registers the kernel of another device. */
export function REGISTER_DEVICE_DISPATCH<F extends Kernel>(
  stub: DispatchStub<F>,
  device_type: DeviceType,
  kernel: F,
  name: string,
): void {
  set(stub, device_type, { kernel, name, capability: undefined, for_all: false });
}

/** Registers the kernel of a backend outside of the library. */
export function REGISTER_PRIVATEUSE1_DISPATCH<F extends Kernel>(stub: DispatchStub<F>, kernel: F, name: string): void {
  REGISTER_DEVICE_DISPATCH(stub, DeviceType.PrivateUse1, kernel, name);
}
