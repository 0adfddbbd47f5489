/**
 * @file Contexts that switch gradient recording: `no_grad`, `enable_grad`, `set_grad_enabled`, `inference_mode`.
 * @mirrors torch/autograd/grad_mode.py
 */
import {
  _InferenceMode,
  _is_grad_layout_enforcement_enabled,
  _is_multithreading_enabled,
  _set_grad_enabled,
  _set_grad_layout_enforcement_enabled,
  _set_multithreading_enabled,
  _unsafe_set_version_counter,
  AbstractContextManager,
  is_grad_enabled,
  repr,
} from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";
import { def_context, not_callable } from "#torch/utils/_contextlib";

/** Sets the mode at the beginning and restores the former mode at the end. */
abstract class GradMode extends AbstractContextManager {
  protected prev = false;
  protected abstract readonly mode: boolean;

  override __enter__(): void {
    this.prev = is_grad_enabled();
    _set_grad_enabled(this.mode);
  }

  override __exit__(): void {
    _set_grad_enabled(this.prev);
  }
}

/** Disables recording: results do not require grad, even if inputs do. */
export const no_grad = def_context(
  "_NoParamDecoratorContextManager.__new__(cls, orig_func=None)",
  class no_grad extends GradMode {
    protected readonly mode = false;

    constructor(orig_func: null) {
      super();
      if (orig_func !== null) throw not_callable(orig_func);
    }
  },
);

/** Enables recording, also inside `no_grad`. It has no effect on tensors of `inference_mode`. */
export const enable_grad = def_context(
  "_NoParamDecoratorContextManager.__new__(cls, orig_func=None)",
  class enable_grad extends GradMode {
    protected readonly mode = true;

    constructor(orig_func: null) {
      super();
      if (orig_func !== null) throw not_callable(orig_func);
    }
  },
);

/** Sets recording immediately; used as a context, it restores the former state at its end. */
export const set_grad_enabled = def_context(
  "set_grad_enabled.__init__(self, mode)",
  class set_grad_enabled extends AbstractContextManager {
    private readonly prev = is_grad_enabled();
    private readonly mode: boolean;

    constructor(mode: boolean) {
      super();
      this.mode = mode;
      _set_grad_enabled(mode);
    }

    override _before_decorating(): void {
      _set_grad_enabled(this.prev);
    }

    override __enter__(): void {
      _set_grad_enabled(this.mode);
    }

    override __exit__(): void {
      _set_grad_enabled(this.prev);
    }

    __repr__(): string {
      return `torch.autograd.grad_mode.set_grad_enabled(mode=${repr(this.mode)})`;
    }
  },
);

/**
 * Like `no_grad`, but also without view tracking and version counters. Tensors created inside can never be recorded.
 * Precondition: none of them is used in a graph later.
 */
export const inference_mode = def_context(
  "inference_mode.__new__(cls, mode=True)",
  class inference_mode extends AbstractContextManager {
    private readonly mode: boolean;
    private guard: _InferenceMode | null = null;

    constructor(mode: boolean) {
      super();
      if (typeof mode !== "boolean") throw not_callable(mode);
      this.mode = mode;
    }

    override __enter__(): void {
      this.guard = new _InferenceMode(this.mode);
    }

    override __exit__(): void {
      this.guard?.restore();
    }
  },
);

/** Sets the flag immediately; it has no effect, since backward runs on one thread here. */
export const set_multithreading_enabled = def_context(
  "set_multithreading_enabled.__init__(self, mode)",
  class set_multithreading_enabled extends AbstractContextManager {
    private readonly prev = _is_multithreading_enabled();

    constructor(mode: boolean) {
      super();
      _set_multithreading_enabled(mode);
    }

    override __enter__(): void {}

    override __exit__(): void {
      _set_multithreading_enabled(this.prev);
    }
  },
);

/** Sets whether `.grad` must have the strides of its parameter. If not, backward may keep gradients in any layout. */
export const enforce_grad_layout_policy = def_context(
  "enforce_grad_layout_policy.__init__(self, enable=True)",
  class enforce_grad_layout_policy extends AbstractContextManager {
    private readonly prev = _is_grad_layout_enforcement_enabled();

    constructor(enable: boolean) {
      super();
      _set_grad_layout_enforcement_enabled(enable);
    }

    override __enter__(): void {}

    override __exit__(): void {
      _set_grad_layout_enforcement_enabled(this.prev);
    }
  },
);

/**
 * Ignores in-place changes between the call and the end of the context. Use it only if the values saved for backward stay correct.
 */
export const _unsafe_preserve_version_counter = def_context(
  "_unsafe_preserve_version_counter.__init__(self, tensors)",
  class _unsafe_preserve_version_counter extends AbstractContextManager {
    private readonly tensors: readonly Tensor[];
    private readonly prev_versions: readonly number[];

    constructor(tensors: Tensor | readonly Tensor[]) {
      super();
      this.tensors = Array.isArray(tensors) ? (tensors as Tensor[]) : [tensors as Tensor];
      this.prev_versions = this.tensors.map((t) => t._version);
    }

    override __enter__(): void {}

    override __exit__(): void {
      _unsafe_set_version_counter(this.tensors, this.prev_versions);
    }
  },
);
