/**
 * @file `torch.backends.mkldnn`: switches of oneDNN, which are kept.
 * @mirrors torch/backends/mkldnn/__init__.py
 * @differs There is no oneDNN here: none changes a result. The switches of single operators' precision are left out.
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

/** For `verbose`: it says nothing. */
const VERBOSE_OFF = 0;

/** Sets what is not null, and gives what was set before. */
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

/** Inside, the switches are as given; behind it, as before. */
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
 * Inside, oneDNN says what it does.
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
  /** Whether operators may ask it: true at first. */
  get enabled(): boolean {
    return _C._get_mkldnn_enabled();
  },
  set enabled(enabled: boolean) {
    _C._set_mkldnn_enabled(enabled);
  },
  /** Whether it must give the same bits each time. */
  get deterministic(): boolean {
    return _C._get_mkldnn_deterministic();
  },
  set deterministic(deterministic: boolean) {
    _C._set_mkldnn_deterministic(deterministic);
  },
  /** Whether it may round to TF32: null where there is no GPU of Intel, and setting it warns. */
  get allow_tf32(): boolean | null {
    return _C._get_onednn_allow_tf32();
  },
  set allow_tf32(allow: boolean | null) {
    _C._set_onednn_allow_tf32(allow);
  },
  /** Whether there is a oneDNN: never. */
  is_available: def("is_available()", (): boolean => false),
  /** Whether there is a oneDNN with Arm's library of kernels: never. */
  is_acl_available: def("is_acl_available()", (): boolean => false),
  set_flags,
  flags,
  VERBOSE_OFF,
  /** For `verbose`: it says what it does. */
  VERBOSE_ON: 1,
  /** For `verbose`: and which kernels it makes. */
  VERBOSE_ON_CREATION: 2,
  verbose,
};
