/**
 * @file Fake implementations: what an operator does to tensors without data. They serve meta tensors here.
 * @mirrors torch/_library/fake_impl.py
 * @differs There are no fake tensors, so no context with unbacked sizes.
 */
import { RuntimeError } from "#c10/util/Exception";
import { _dispatch_has_kernel_for_dispatch_key, type PythonFunction } from "#torch/_C";
import type { Library } from "./Library.ts";
import { RegistrationHandle } from "./utils.ts";

interface Kernel {
  readonly func: PythonFunction;
  readonly source: string;
}

let global_ctx_getter: () => unknown = () => null;

/** What `torch.library.get_ctx()` gives inside a fake implementation. */
export function get_ctx(): unknown {
  return global_ctx_getter();
}

export class FakeImplHolder {
  private readonly qualname: string;
  /** Oldest first; the newest is the one that runs. */
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

  /** The kernel for meta tensors: runs the newest fake implementation, which may not ask for sizes that depend on data. */
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
