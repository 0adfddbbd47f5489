/**
 * @file The last switch on the way to a loop: an operator of `native/` calls a stub, and the stub calls the kernel registered for
 * the device. Kernels of `native/cpu/` register themselves when they are imported.
 * @mirrors aten/src/ATen/native/DispatchStub.h
 * @differs PyTorch compiles each CPU kernel several times and picks by CPUCapability; there is one JavaScript kernel, DEFAULT.
 */
import { DeviceType, toString } from "#c10/core/DeviceType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { tracer } from "#c10/util/Trace";

// biome-ignore lint/suspicious/noExplicitAny: stubs of every signature
type Kernel = (...args: any[]) => any;

export interface DispatchStub<F extends Kernel> {
  readonly name: string;
  /** Calls the kernel of this device. */
  call(device_type: DeviceType, ...args: Parameters<F>): ReturnType<F>;
  is_device_supported(device_type: DeviceType): boolean;
}

interface Registration {
  readonly kernel: Kernel;
  readonly name: string;
}

class DispatchStubImpl {
  readonly name: string;
  private cpu_: Kernel | null = null;
  private readonly table_ = new Map<DeviceType, Registration>();

  constructor(name: string) {
    this.name = name;
  }

  // A fixed number of parameters: rest parameters would cost more than the call.
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
    if (tracer !== null) return this.callTraced(device_type, [a, b, c, d, e, f, g, h, i, j, k, l]);
    const kernel = device_type === DeviceType.CPU && this.cpu_ !== null ? this.cpu_ : this.get(device_type).kernel;
    if (d === undefined) return kernel(a, b, c); // most stubs; fewer operands to pass
    return kernel(a, b, c, d, e, f, g, h, i, j, k, l);
  }

  private callTraced(device_type: DeviceType, args: unknown[]): unknown {
    const active = tracer as NonNullable<typeof tracer>;
    const registration = this.get(device_type);
    const id = active.begin("stub", `at::native::${this.name}`, {
      kernel: registration.name,
      device: toString(device_type),
      capability: "DEFAULT",
    });
    try {
      const result = registration.kernel(...args);
      active.end(id);
      return result;
    } catch (error) {
      active.end(id, { error });
      throw error;
    }
  }

  private get(device_type: DeviceType): Registration {
    const found = this.table_.get(device_type);
    TORCH_CHECK(found !== undefined, "DispatchStub: missing kernel for ", toString(device_type));
    return found;
  }

  is_device_supported(device_type: DeviceType): boolean {
    return this.table_.has(device_type);
  }

  set(device_type: DeviceType, kernel: Kernel, name: string): void {
    this.table_.set(device_type, { kernel, name });
    if (device_type === DeviceType.CPU) this.cpu_ = kernel;
  }
}

export function DEFINE_DISPATCH<F extends Kernel>(name: string): DispatchStub<F> {
  return new DispatchStubImpl(name) as unknown as DispatchStub<F>;
}

/** Gives a stub its CPU kernel. `name` is what traces print: minifiers drop `kernel.name`. */
export function REGISTER_DISPATCH<F extends Kernel>(stub: DispatchStub<F>, kernel: F, name: string): void {
  REGISTER_DEVICE_DISPATCH(stub, DeviceType.CPU, kernel, name);
}

/** The same for another device. */
export function REGISTER_DEVICE_DISPATCH<F extends Kernel>(
  stub: DispatchStub<F>,
  device_type: DeviceType,
  kernel: F,
  name: string,
): void {
  (stub as unknown as DispatchStubImpl).set(device_type, kernel, name);
}
