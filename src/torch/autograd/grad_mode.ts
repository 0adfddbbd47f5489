/**
 * @file Scopes that switch recording of gradients: `no_grad`, `enable_grad`, `set_grad_enabled`, `inference_mode`.
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
  is_grad_enabled,
} from "#torch/_C";
import type { Tensor } from "#torch/_tensor";
import { def_context, type Scope } from "#torch/utils/_contextlib";

class GradModeScope implements Scope {
  private readonly prev = is_grad_enabled();

  constructor(mode: boolean) {
    _set_grad_enabled(mode);
  }

  [Symbol.dispose](): void {
    _set_grad_enabled(this.prev);
  }
}

/** No gradients are recorded inside; results do not require grad, even if inputs do. */
export const no_grad = def_context(
  "_NoParamDecoratorContextManager.__new__(cls, orig_func=None)",
  (_orig_func: null) => new GradModeScope(false),
);

/** Records inside, also within `no_grad`. No effect inside `inference_mode`'s tensors. */
export const enable_grad = def_context(
  "_NoParamDecoratorContextManager.__new__(cls, orig_func=None)",
  (_orig_func: null) => new GradModeScope(true),
);

/** Sets recording from here on; the scope it returns can put it back. */
export const set_grad_enabled = def_context(
  "set_grad_enabled.__init__(self, mode)",
  (mode: boolean) => new GradModeScope(mode),
);

class InferenceModeScope implements Scope {
  private readonly guard: _InferenceMode;

  constructor(mode: boolean) {
    this.guard = new _InferenceMode(mode);
  }

  [Symbol.dispose](): void {
    this.guard.restore();
  }
}

/**
 * Like `no_grad`, and no view tracking and no version counters either. Tensors made inside can never take part in recording.
 * Precondition: none of them is to be used in a graph later.
 */
export const inference_mode = def_context(
  "inference_mode.__new__(cls, mode=True)",
  (mode: boolean) => new InferenceModeScope(mode),
);

class MultithreadingScope implements Scope {
  private readonly prev = _is_multithreading_enabled();

  constructor(mode: boolean) {
    _set_multithreading_enabled(mode);
  }

  [Symbol.dispose](): void {
    _set_multithreading_enabled(this.prev);
  }
}

/** Accepted and remembered; backward runs on one thread here. */
export const set_multithreading_enabled = def_context(
  "set_multithreading_enabled.__init__(self, mode)",
  (mode: boolean) => new MultithreadingScope(mode),
);

class GradLayoutScope implements Scope {
  private readonly prev = _is_grad_layout_enforcement_enabled();

  constructor(enable: boolean) {
    _set_grad_layout_enforcement_enabled(enable);
  }

  [Symbol.dispose](): void {
    _set_grad_layout_enforcement_enabled(this.prev);
  }
}

/** Whether `.grad` must have its parameter's strides. Off, backward may keep gradients in whatever layout they come. */
export const enforce_grad_layout_policy = def_context(
  "enforce_grad_layout_policy.__init__(self, enable=True)",
  (enable: boolean) => new GradLayoutScope(enable),
);

class VersionCounterScope implements Scope {
  private readonly tensors: readonly Tensor[];
  private readonly prev_versions: readonly number[];

  constructor(tensors: readonly Tensor[]) {
    this.tensors = tensors;
    this.prev_versions = tensors.map((t) => t._version);
  }

  [Symbol.dispose](): void {
    _unsafe_set_version_counter(this.tensors, this.prev_versions);
  }
}

/** In-place changes inside do not count. For those who know that the values saved for backward stay right. */
export const _unsafe_preserve_version_counter = def_context(
  "_unsafe_preserve_version_counter.__init__(self, tensors)",
  (tensors: Tensor | readonly Tensor[]) =>
    new VersionCounterScope(Array.isArray(tensors) ? (tensors as Tensor[]) : [tensors as Tensor]),
);
