/**
 * @file `torch.backends.opt_einsum`: whether `einsum` uses a Python package to choose the order of multiplication.
 * @mirrors torch/backends/opt_einsum/__init__.py
 * @differs Our `einsum` always multiplies from left to right; PyTorch does so only without the package.
 */
import { ValueError } from "#c10/util/Exception";
import { AbstractContextManager, py_str } from "#torch/_C";
import { def } from "#torch/_signature";
import { def_context } from "#torch/utils/_contextlib";

type Flags = [enabled: boolean | null, strategy: string | null];

function _set_enabled(_enabled: boolean): void {
  if (!_enabled) return;
  throw new ValueError(
    `opt_einsum is not available, so setting \`enabled\` to ${py_str(_enabled)} will not reap ` +
      "the benefits of calculating an optimal path for einsum. torch.einsum will " +
      "fall back to contracting from left to right. To enable this optimal path " +
      "calculation, please install opt-einsum.",
  );
}

function _set_strategy(_strategy: string): void {
  throw new ValueError(
    `opt_einsum is not available, so setting \`strategy\` to ${py_str(_strategy)} will not be meaningful. ` +
      "torch.einsum will bypass path calculation and simply contract from left to right. " +
      "Please install opt_einsum or unset `strategy`.",
  );
}

/** Sets the flags that are not null, and returns the former ones. */
const set_flags = def("set_flags(_enabled=None, _strategy=None)", (...[enabled, strategy]: Flags): Flags => {
  if (enabled !== null) _set_enabled(enabled);
  if (strategy !== null) _set_strategy(strategy);
  return [false, null];
});

/** Inside this context, the flags have the given values. */
const flags = def_context(
  "flags(enabled=None, strategy=None)",
  class flags extends AbstractContextManager {
    private readonly flags: Flags;

    constructor(...flags: Flags) {
      super();
      this.flags = flags;
    }

    override __enter__(): void {
      set_flags(...this.flags);
    }

    override __exit__(): void {}
  },
);

export const opt_einsum = {
  /** Whether the package is used; without the package it has no effect. */
  enabled: false,
  /** The search strategy of the package; null without it. */
  strategy: null as string | null,
  /** Whether the package is available: always false. */
  is_available: def("is_available()", (): boolean => false),
  /** The package, or null if it is not available. */
  get_opt_einsum: def("get_opt_einsum()", (): null => null),
  set_flags,
  flags,
};
