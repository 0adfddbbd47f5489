/**
 * @file `torch.backends.nnpack`: the switch of NNPACK, which is stored but has no effect.
 * @mirrors torch/backends/nnpack/__init__.py
 * @differs Ours has no NNPACK, so the switch changes nothing; in PyTorch it selects NNPACK's convolutions.
 */
import { _C, AbstractContextManager } from "#torch/_C";
import { def } from "#torch/_signature";
import { def_context } from "#torch/utils/_contextlib";

/** Whether the library was built with NNPACK: always false. */
export const is_available = def("is_available()", (): boolean => false);

/** Allows or forbids NNPACK in convolutions, and returns the former setting. */
export const set_flags = def("set_flags(_enabled)", (enabled: boolean): [enabled: boolean] => {
  const orig_flags: [boolean] = [_C._get_nnpack_enabled()];
  _C._set_nnpack_enabled(enabled);
  return orig_flags;
});

/** Inside this context, NNPACK is allowed or forbidden; afterwards the setting is restored. */
export const flags = def_context(
  "flags(enabled=False)",
  class flags extends AbstractContextManager {
    private readonly enabled: boolean;
    private orig_flags: [enabled: boolean] | null = null;

    constructor(enabled: boolean) {
      super();
      this.enabled = enabled;
    }

    override __enter__(): void {
      this.orig_flags = set_flags(this.enabled);
    }

    override __exit__(): void {
      if (this.orig_flags !== null) set_flags(...this.orig_flags);
    }
  },
);
