/**
 * @file Fake implementations, which compute the properties of a result for tensors without data. They serve fake tensors and meta tensors.
 * @mirrors torch/_library/fake_impl.py
 * @differs A context makes no sizes that depend on data; PyTorch's makes symbols for them.
 */
import { RuntimeError } from "#c10/util/Exception";
import { _dispatch_has_kernel_for_dispatch_key, type PythonFunction } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Library } from "./Library.ts";
import { RegistrationHandle } from "./utils.ts";

interface Kernel {
  readonly func: PythonFunction;
  readonly source: string;
}

let global_ctx_getter: () => unknown = () => null;

/** The result of `torch.library.get_ctx()` inside a fake implementation. */
export const get_ctx = def("get_ctx()", (): unknown => global_ctx_getter());

/** Runs `fn`, in which `get_ctx()` gives this context. */
export function with_ctx<R>(ctx: unknown, fn: () => R): R {
  const previous = global_ctx_getter;
  global_ctx_getter = () => ctx;
  try {
    return fn();
  } finally {
    global_ctx_getter = previous;
  }
}

export class FakeImplHolder {
  private readonly qualname: string;
  /** Registered kernels, oldest first; the newest one runs. */
  private readonly kernels: Kernel[] = [];

  constructor(qualname: string) {
    this.qualname = qualname;
  }

  get kernel(): Kernel | null {
    return this.kernels.at(-1) ?? null;
  }

  register(
    func: PythonFunction,
    source: string,
    lib: Library,
    options: { allow_override?: boolean } = {},
  ): RegistrationHandle {
    const allow_override = options.allow_override ?? true;
    if (!allow_override) this.refuseSecond();
    const kernel: Kernel = { func, source };
    this.kernels.push(kernel);
    const deregister = (): void => void this.kernels.splice(this.kernels.indexOf(kernel), 1);
    try {
      lib.impl(this.qualname, this.meta_kernel(), "Meta", { allow_override });
    } catch (error) {
      deregister();
      throw error;
    }
    return new RegistrationHandle(deregister);
  }

  private refuseSecond(): void {
    if (this.kernel !== null) {
      throw new RuntimeError(
        `register_fake(...): the operator ${this.qualname} already has a fake impl registered at ${this.kernel.source}.`,
      );
    }
    if (_dispatch_has_kernel_for_dispatch_key(this.qualname, "Meta")) {
      throw new RuntimeError(
        `register_fake(...): the operator ${this.qualname} already has a DispatchKey::Meta implementation via a ` +
          "pre-existing torch.library or TORCH_LIBRARY registration. Please either remove that registration or don't call register_fake.",
      );
    }
    if (_dispatch_has_kernel_for_dispatch_key(this.qualname, "CompositeImplicitAutograd")) {
      throw new RuntimeError(
        `register_fake(...): the operator ${this.qualname} already has an implementation for this device type via a ` +
          "pre-existing registration to DispatchKey::CompositeImplicitAutograd." +
          "CompositeImplicitAutograd operators do not need a fake impl; " +
          "instead, the operator will decompose into its constituents and those can have fake impls defined on them.",
      );
    }
  }

  /** The kernel for meta tensors: it runs the newest fake implementation, which must not ask for sizes that depend on data. */
  private meta_kernel(): PythonFunction {
    return (...args) => {
      const kernel = this.kernel as Kernel;
      const previous = global_ctx_getter;
      global_ctx_getter = () => {
        throw new RuntimeError(
          `${this.qualname} (${kernel.source}): You're trying to run this operator with meta Tensors (as opposed to FakeTensors), but this ` +
            "operator may return an output Tensor with data-dependent shape. Meta " +
            "Tensors don't support operators with outputs that have data-dependent shapes but FakeTensors do. " +
            "If your operator does not return an output with data-dependent shape, " +
            "make sure the FakeTensor and/or meta kernel does not call torch.library.get_ctx(). Otherwise, please use FakeTensors.",
        );
      };
      try {
        return kernel.func(...args);
      } finally {
        global_ctx_getter = previous;
      }
    };
  }
}
