/**
 * @file `torch.backends.mkl`: whether Intel's math library MKL is available.
 * @mirrors torch/backends/mkl/__init__.py
 * @differs Ours never has MKL and cannot log its calls; PyTorch can.
 */
import { AssertionError } from "#c10/util/Exception";
import { AbstractContextManager } from "#torch/_C";
import { def } from "#torch/_signature";
import { def_context } from "#torch/utils/_contextlib";

/** Whether the library was built with MKL: always false. */
export const is_available = def("is_available()", (): boolean => false);

/** Level for `verbose`: MKL logs nothing. */
export const VERBOSE_OFF = 0;
/** Level for `verbose`: MKL logs its calls. */
export const VERBOSE_ON = 1;

/**
 * Inside this context, MKL logs its calls.
 * @throws {AssertionError} unless `enable` is `VERBOSE_OFF`: there is no MKL
 */
export const verbose = def_context(
  "verbose.__init__(self, enable)",
  class verbose extends AbstractContextManager {
    private readonly enable: number;

    constructor(enable: number) {
      super();
      this.enable = enable;
    }

    override __enter__(): void {
      if (this.enable === VERBOSE_OFF) return;
      throw new AssertionError("Failed to set MKL into verbose mode. Please consider to disable this verbose scope.");
    }

    override __exit__(): void {}
  },
);
