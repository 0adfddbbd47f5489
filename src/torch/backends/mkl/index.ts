/**
 * @file `torch.backends.mkl`: whether there is Intel's library of mathematics.
 * @mirrors torch/backends/mkl/__init__.py
 * @differs It is never there, and cannot be made to talk.
 */
import { AssertionError } from "#c10/util/Exception";
import { AbstractContextManager } from "#torch/_C";
import { def } from "#torch/_signature";
import { def_context } from "#torch/utils/_contextlib";

/** Whether the library was built for MKL: never. */
export const is_available = def("is_available()", (): boolean => false);

/** For `verbose`: MKL says nothing. */
export const VERBOSE_OFF = 0;
/** For `verbose`: MKL says what it does. */
export const VERBOSE_ON = 1;

/**
 * Inside, MKL says what it does.
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
