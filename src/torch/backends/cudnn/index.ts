/**
 * @file `torch.backends.cudnn`: switches that normalization and convolution pass to their operators.
 * @mirrors torch/backends/cudnn/__init__.py
 * @differs Ours has no cuDNN, so no switch changes a result, and no switches for the precision of single operators; PyTorch has both.
 */
import { _C, AbstractContextManager } from "../../_C.ts";
import { def } from "../../_signature.ts";
import { def_context } from "../../utils/_contextlib.ts";

type Flags = [
  enabled: boolean | null,
  benchmark: boolean | null,
  benchmark_limit: number | null,
  deterministic: boolean | null,
  allow_tf32: boolean | null,
];

/** Sets the switches that are not null and gives what they were. */
function set_switches([enabled, benchmark, , deterministic, allow_tf32]: Flags): Flags {
  const before: Flags = [cudnn.enabled, cudnn.benchmark, null, cudnn.deterministic, cudnn.allow_tf32];
  if (enabled !== null) cudnn.enabled = enabled;
  if (benchmark !== null) cudnn.benchmark = benchmark;
  if (deterministic !== null) cudnn.deterministic = deterministic;
  if (allow_tf32 !== null) cudnn.allow_tf32 = allow_tf32;
  return before;
}

export const cudnn = {
  /** Whether operators may use cuDNN; true by default. */
  get enabled(): boolean {
    return _C._get_cudnn_enabled();
  },
  set enabled(enabled: boolean) {
    _C._set_cudnn_enabled(enabled);
  },
  /** Whether cuDNN must give identical bits in each run. */
  get deterministic(): boolean {
    return _C._get_cudnn_deterministic();
  },
  set deterministic(deterministic: boolean) {
    _C._set_cudnn_deterministic(deterministic);
  },
  /** Whether cuDNN may measure which of its algorithms is the fastest. */
  get benchmark(): boolean {
    return _C._get_cudnn_benchmark();
  },
  set benchmark(benchmark: boolean) {
    _C._set_cudnn_benchmark(benchmark);
  },
  /** Whether cuDNN's convolutions may round to TF32. */
  get allow_tf32(): boolean {
    return _C._get_cudnn_allow_tf32();
  },
  set allow_tf32(allow: boolean) {
    _C._set_cudnn_allow_tf32(allow);
  },
  /** Whether cuDNN is available: always false. */
  is_available: def("is_available()", (): boolean => false),
  /** The version of cuDNN: null, since it is not available. */
  version: def("version()", (): null => null),
  /** Sets the switches that are given, and returns their former values. */
  set_flags: def(
    "set_flags(_enabled=None, _benchmark=None, _benchmark_limit=None, _deterministic=None, _allow_tf32=None, _fp32_precision='none', _depthwise_kernel=None)",
    (...flags: unknown[]): Flags => set_switches(flags.slice(0, 5) as Flags),
  ),
  /** Sets the switches inside a body, or as a decorator for a function, and puts them back. */
  flags: def_context(
    "flags(enabled=False, benchmark=False, benchmark_limit=10, deterministic=False, allow_tf32=True, fp32_precision='none', depthwise_kernel='auto')",
    class flags extends AbstractContextManager {
      private readonly flags: Flags;
      private before: Flags | null = null;

      constructor(...flags: unknown[]) {
        super();
        this.flags = flags.slice(0, 5) as Flags;
      }

      override __enter__(): void {
        this.before = set_switches(this.flags);
      }

      override __exit__(): void {
        if (this.before !== null) set_switches(this.before);
      }
    },
  ),
};
