/**
 * @file The graph as an object: nodes, edges, hooks on several tensors, hooks on what forward saves.
 * @mirrors torch/autograd/graph.py
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import {
  _current_graph_task_id,
  _FunctionBase,
  _increment_version,
  _pop_saved_tensors_default_hooks,
  _push_saved_tensors_default_hooks,
  _saved_tensors_hooks_disable,
  _saved_tensors_hooks_enable,
  _saved_tensors_hooks_get_disabled_error_message,
  _will_engine_execute_node,
  type PyNodeObject,
  type RemovableHandle,
  set_THPGradientEdgeClass,
  THPCppFunction,
} from "#torch/_C";
import { Tensor } from "#torch/_tensor";
import { enable_grad, in_scope, type Scope } from "./grad_mode.ts";
import { _execution_engine } from "./variable.ts";

/** What `x.grad_fn` is: an operator's node or a custom Function's context. */
export type Node = THPCppFunction | _FunctionBase;

/** For `x instanceof torch.autograd.graph.Node`; both kinds of node object count. */
export const Node = class {
  static [Symbol.hasInstance](obj: unknown): boolean {
    return obj instanceof THPCppFunction || obj instanceof _FunctionBase;
  }
};

/** A place in the graph: which node, and which of the outputs of its forward. Stands for a tensor in `grad` and `backward`. */
export class GradientEdge {
  readonly node: Node;
  readonly output_nr: number;

  constructor(node: Node, output_nr: number) {
    this.node = node;
    this.output_nr = output_nr;
  }
}
set_THPGradientEdgeClass(GradientEdge);

function _get_grad_fn_or_grad_acc(t: Tensor | GradientEdge): Node {
  if (t instanceof GradientEdge) return t.node;
  if (t.requires_grad && t.grad_fn === null) {
    // A leaf's accumulator shows as the next node of whatever is made from the leaf.
    const view = enable_grad(() => t.view_as(t));
    const first = (view.grad_fn as PyNodeObject).next_functions[0];
    return first?.[0] as Node;
  }
  return t.grad_fn as Node;
}

/**
 * Where `tensor`'s gradient is computed. Asks no more of the tensor: it may be changed or dropped afterwards.
 * @throws {RuntimeError} if it does not require grad
 */
export function get_gradient_edge(tensor: Tensor): GradientEdge {
  if (!tensor.requires_grad) {
    throw new RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients");
  }
  return new GradientEdge(_get_grad_fn_or_grad_acc(tensor), tensor.output_nr);
}

/** Tells autograd that the data changed, without an operator that would have. */
export function increment_version(tensor: Tensor | Iterable<Tensor>): void {
  _increment_version(tensor instanceof Tensor ? [tensor] : [...tensor]);
}

class SavedTensorsHooksScope implements Scope {
  // biome-ignore lint/suspicious/noExplicitAny: what lies between the two hooks is the user's
  constructor(pack_hook: (tensor: Tensor) => any, unpack_hook: (packed: any) => Tensor) {
    _push_saved_tensors_default_hooks(pack_hook, unpack_hook);
  }

  [Symbol.dispose](): void {
    _pop_saved_tensors_default_hooks();
  }
}

/**
 * Inside, `pack_hook` gets every tensor that is saved for backward and `unpack_hook` must give back an equal one when backward
 * needs it. Only the innermost pair acts.
 */
export function saved_tensors_hooks<P>(pack_hook: (tensor: Tensor) => P, unpack_hook: (packed: P) => Tensor): Scope;
export function saved_tensors_hooks<P, R>(
  pack_hook: (tensor: Tensor) => P,
  unpack_hook: (packed: P) => Tensor,
  fn: () => R,
): R;
export function saved_tensors_hooks<P, R>(
  pack_hook: (tensor: Tensor) => P,
  unpack_hook: (packed: P) => Tensor,
  fn?: () => R,
): R | Scope {
  return in_scope(new SavedTensorsHooksScope(pack_hook, unpack_hook), fn);
}

class DisableSavedTensorsHooksScope implements Scope {
  private readonly maybe_prev_message = _saved_tensors_hooks_get_disabled_error_message();

  constructor(error_message: string) {
    _saved_tensors_hooks_disable(error_message);
  }

  [Symbol.dispose](): void {
    if (this.maybe_prev_message === null) _saved_tensors_hooks_enable();
    else _saved_tensors_hooks_disable(this.maybe_prev_message);
  }
}

/** Inside, `saved_tensors_hooks` throws `error_message`. */
export function disable_saved_tensors_hooks(error_message: string): Scope;
export function disable_saved_tensors_hooks<R>(error_message: string, fn: () => R): R;
export function disable_saved_tensors_hooks<R>(error_message: string, fn?: () => R): R | Scope {
  return in_scope(new DisableSavedTensorsHooksScope(error_message), fn);
}

class _MultiHandle {
  readonly handles: readonly RemovableHandle[];

  constructor(handles: readonly RemovableHandle[]) {
    this.handles = handles;
  }

  remove(): void {
    for (const handle of this.handles) handle.remove();
  }
}

/**
 * A hook on several tensors. "all": once per backward, when the gradients of all those that get one are there; `fn` gets a list
 * with null for the others. "any": once per backward, with the first gradient.
 */
export function register_multi_grad_hook(
  tensors: readonly Tensor[],
  fn: ((grads: readonly (Tensor | null)[]) => void) | ((grad: Tensor) => void),
  options: { readonly mode?: "all" | "any" } = {},
): _MultiHandle {
  const mode = options.mode ?? "all";
  if (mode !== "all" && mode !== "any") {
    throw new ValueError(`Expects mode to be one of ('all', 'any') but got: ${String(mode)}`);
  }
  return mode === "all"
    ? hook_on_all(tensors, fn as (grads: readonly (Tensor | null)[]) => void)
    : hook_on_any(tensors, fn as (grad: Tensor) => void);
}

function hook_on_all(tensors: readonly Tensor[], fn: (grads: readonly (Tensor | null)[]) => void): _MultiHandle {
  // Backward can run inside backward: each run collects its own gradients.
  const runs = new Map<number, { count: number; nb_calls: number; readonly buffer: (Tensor | null)[] }>();
  const grad_fns = tensors.map(_get_grad_fn_or_grad_acc);
  const inner_hook = (idx: number, grad: Tensor): void => {
    const id = _current_graph_task_id();
    let run = runs.get(id);
    if (run === undefined) {
      // Only now is it known which of the tensors this backward reaches.
      const nb_calls = grad_fns.filter((node) => _will_engine_execute_node(node)).length;
      run = { count: 0, nb_calls, buffer: tensors.map(() => null) };
      runs.set(id, run);
    }
    run.buffer[idx] = grad;
    if (++run.count === run.nb_calls) {
      runs.delete(id);
      fn(run.buffer);
    }
  };
  return new _MultiHandle(tensors.map((t, i) => t.register_hook((grad: Tensor) => inner_hook(i, grad))));
}

function hook_on_any(tensors: readonly Tensor[], fn: (grad: Tensor) => void): _MultiHandle {
  const ran_hook = new Set<number>();
  const wrapped_fn = (grad: Tensor): void => {
    const id = _current_graph_task_id();
    if (ran_hook.has(id)) return;
    ran_hook.add(id);
    fn(grad);
  };
  return new _MultiHandle(tensors.filter((t) => t.requires_grad).map((t) => t.register_hook(wrapped_fn)));
}

/** The way into the engine, for `backward` and `grad`. */
export function _engine_run_backward(
  t_outputs: readonly (Tensor | GradientEdge)[],
  grad_tensors: readonly (Tensor | null)[],
  retain_graph: boolean,
  create_graph: boolean,
  inputs: readonly (Tensor | GradientEdge)[],
  allow_unreachable: boolean,
  accumulate_grad: boolean,
): (Tensor | null)[] | null {
  return _execution_engine.run_backward(
    t_outputs,
    grad_tensors,
    retain_graph,
    create_graph,
    inputs,
    allow_unreachable,
    accumulate_grad,
  ) as (Tensor | null)[] | null;
}
