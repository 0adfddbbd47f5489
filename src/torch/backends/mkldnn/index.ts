/**
 * @file `torch.backends.mkldnn`: switches of oneDNN, which are stored but have no effect.
 * @mirrors torch/backends/mkldnn/__init__.py
 * @differs Ours has no oneDNN, so no switch changes a result, and no switches for the precision of single operators; PyTorch has both.
 */
import { AssertionError, NotImplementedError } from "#c10/util/Exception";
import { _C, AbstractContextManager } from "#torch/_C";
import { def } from "#torch/_signature";
import { def_context } from "#torch/utils/_contextlib";

type Flags = [
  enabled: boolean | null,
  deterministic: boolean | null,
  allow_tf32: boolean | null,
  fp32_precision: string,
];

/** Level for `verbose`: oneDNN logs nothing. */
const VERBOSE_OFF = 0;

/** Sets the flags that are not null, and returns the former ones. */
const set_flags = def(
  "set_flags(_enabled=None, _deterministic=None, _allow_tf32=None, _fp32_precision='none')",
  (...[enabled, deterministic, allow_tf32, fp32_precision]: Flags): Flags => {
    const orig_flags: Flags = [mkldnn.enabled, mkldnn.deterministic, mkldnn.allow_tf32, "none"];
    if (fp32_precision !== null && fp32_precision !== "none")
      throw new NotImplementedError("torch.backends.mkldnn: fp32_precision other than 'none' is not implemented");
    if (enabled !== null) _C._set_mkldnn_enabled(enabled);
    if (deterministic !== null) _C._set_mkldnn_deterministic(deterministic);
    if (allow_tf32 !== null) _C._set_onednn_allow_tf32(allow_tf32);
    return orig_flags;
  },
);

/** Inside this context, the flags have the given values; afterwards they are restored. */
const flags = def_context(
  "flags(enabled=False, deterministic=False, allow_tf32=True, fp32_precision='none')",
  class flags extends AbstractContextManager {
    private readonly flags: Flags;
    private orig_flags: Flags | null = null;

    constructor(enabled: boolean, deterministic: boolean, allow_tf32: boolean, fp32_precision: string) {
      super();
      this.flags = [enabled, deterministic, allow_tf32, fp32_precision];
    }

    override __enter__(): void {
      this.orig_flags = set_flags(...this.flags);
    }

    override __exit__(): void {
      if (this.orig_flags !== null) set_flags(...this.orig_flags);
    }
  },
);

/**
 * Inside this context, oneDNN logs its calls.
 * @throws {AssertionError} unless `level` is `VERBOSE_OFF`: there is no oneDNN
 */
const verbose = def_context(
  "verbose.__init__(self, level)",
  class verbose extends AbstractContextManager {
    private readonly level: number;

    constructor(level: number) {
      super();
      this.level = level;
    }

    override __enter__(): void {
      if (this.level === VERBOSE_OFF) return;
      throw new AssertionError(
        "Failed to set MKLDNN into verbose mode. Please consider to disable this verbose scope.",
      );
    }

    override __exit__(): void {}
  },
);

export const mkldnn = {
  /** Whether operators may use oneDNN; true by default. */
  get enabled(): boolean {
    return _C._get_mkldnn_enabled();
  },
  set enabled(enabled: boolean) {
    _C._set_mkldnn_enabled(enabled);
  },
  /** Whether oneDNN must give identical bits in each run. */
  get deterministic(): boolean {
    return _C._get_mkldnn_deterministic();
  },
  set deterministic(deterministic: boolean) {
    _C._set_mkldnn_deterministic(deterministic);
  },
  /** Whether oneDNN may round to TF32; null without an Intel GPU, and setting it warns. */
  get allow_tf32(): boolean | null {
    return _C._get_onednn_allow_tf32();
  },
  set allow_tf32(allow: boolean | null) {
    _C._set_onednn_allow_tf32(allow);
  },
  /** Whether oneDNN is available: always false. */
  is_available: def("is_available()", (): boolean => false),
  /** Whether oneDNN with Arm's kernel library is available: always false. */
  is_acl_available: def("is_acl_available()", (): boolean => false),
  set_flags,
  flags,
  VERBOSE_OFF,
  /** Level for `verbose`: oneDNN logs its calls. */
  VERBOSE_ON: 1,
  /** Level for `verbose`: oneDNN also logs the kernels that it creates. */
  VERBOSE_ON_CREATION: 2,
  verbose,
};
