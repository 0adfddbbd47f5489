/**
 * @file Scopes that switch recording of gradients: `no_grad`, `enable_grad`, `set_grad_enabled`, `inference_mode`.
 * @mirrors torch/autograd/grad_mode.py
 * @differs Python's `with` and decorators are `torch.no_grad(() => ...)`, which returns what the function returns, and
 * `using _ = torch.no_grad()`, which ends with the block.
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

/** A scope that is open; disposing of it puts back what was. */
export interface Scope {
  [Symbol.dispose](): void;
}

/** Runs `fn` inside the scope, or hands the open scope to the caller. */
export function in_scope<R>(scope: Scope, fn: (() => R) | undefined): R | Scope {
  if (fn === undefined) return scope;
  try {
    return fn();
  } finally {
    scope[Symbol.dispose]();
  }
}

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
export function no_grad(): Scope;
export function no_grad<R>(fn: () => R): R;
export function no_grad<R>(fn?: () => R): R | Scope {
  return in_scope(new GradModeScope(false), fn);
}

/** Records inside, also within `no_grad`. No effect inside `inference_mode`'s tensors. */
export function enable_grad(): Scope;
export function enable_grad<R>(fn: () => R): R;
export function enable_grad<R>(fn?: () => R): R | Scope {
  return in_scope(new GradModeScope(true), fn);
}

/** Sets recording from here on; the scope it returns can put it back. */
export function set_grad_enabled(mode: boolean): Scope;
export function set_grad_enabled<R>(mode: boolean, fn: () => R): R;
export function set_grad_enabled<R>(mode: boolean, fn?: () => R): R | Scope {
  return in_scope(new GradModeScope(mode), fn);
}

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
export function inference_mode(mode?: boolean): Scope;
export function inference_mode<R>(fn: () => R): R;
export function inference_mode<R>(mode: boolean, fn: () => R): R;
export function inference_mode<R>(mode: boolean | (() => R) = true, fn?: () => R): R | Scope {
  if (typeof mode === "function") return in_scope(new InferenceModeScope(true), mode);
  return in_scope(new InferenceModeScope(mode), fn);
}

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
export function set_multithreading_enabled(mode: boolean): Scope;
export function set_multithreading_enabled<R>(mode: boolean, fn: () => R): R;
export function set_multithreading_enabled<R>(mode: boolean, fn?: () => R): R | Scope {
  return in_scope(new MultithreadingScope(mode), fn);
}

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
export function enforce_grad_layout_policy(enable?: boolean): Scope;
export function enforce_grad_layout_policy<R>(enable: boolean, fn: () => R): R;
export function enforce_grad_layout_policy<R>(enable = true, fn?: () => R): R | Scope {
  return in_scope(new GradLayoutScope(enable), fn);
}

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
export function _unsafe_preserve_version_counter(tensors: Tensor | readonly Tensor[]): Scope;
export function _unsafe_preserve_version_counter<R>(tensors: Tensor | readonly Tensor[], fn: () => R): R;
export function _unsafe_preserve_version_counter<R>(tensors: Tensor | readonly Tensor[], fn?: () => R): R | Scope {
  return in_scope(new VersionCounterScope(Array.isArray(tensors) ? tensors : [tensors as Tensor]), fn);
}
