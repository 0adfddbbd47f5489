/**
 * @file The graph as an object: nodes, edges, hooks on several tensors, and hooks on saved tensors.
 * @mirrors torch/autograd/graph.py
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import {
  _current_graph_task_id,
  _FunctionBase,
  _increment_version,
  _pop_saved_tensors_default_hooks,
  _push_saved_tensors_default_hooks,
  _saved_tensors_hooks_disable,
  _saved_tensors_hooks_enable,
  _saved_tensors_hooks_get_disabled_error_message,
  _set_warn_on_accumulate_grad_stream_mismatch,
  _will_engine_execute_node,
  AbstractContextManager,
  type PyNodeObject,
  PySequence_Tuple,
  type RemovableHandle,
  set_THPGradientEdgeClass,
  THPCppFunction,
  type THPDevice,
  type GradientEdge as THPGradientEdge,
} from "#torch/_C";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { enable_grad } from "#torch/autograd/grad_mode";
import { _execution_engine } from "#torch/autograd/variable";
import { def_context } from "#torch/utils/_contextlib";

export { allow_mutation_on_saved_tensors } from "./mutation.ts";

/** The type of `x.grad_fn`: the node of an operator, or the context of a custom Function. */
export type Node = THPCppFunction | _FunctionBase;

/** A class for `x instanceof torch.autograd.graph.Node`; both kinds of nodes are instances. */
export const Node = class {
  static [Symbol.hasInstance](obj: unknown): boolean {
    return obj instanceof THPCppFunction || obj instanceof _FunctionBase;
  }
};

const GradientEdge_new = new Init(
  "GradientEdge.__new__(_cls, node, output_nr, ownership_token=None)",
  types<[node: Node, output_nr: number, ownership_token: Node | null]>,
);

/** An edge of the graph: a node, and the number of one output of its forward. It stands for a tensor in `grad` and `backward`. */
export class GradientEdge implements THPGradientEdge {
  readonly node: Node;
  readonly output_nr: number;

  readonly ownership_token: Node | null;

  static {
    def_methods(GradientEdge, { __init__: GradientEdge_new });
  }

  constructor(...args: InitArgs<typeof GradientEdge_new>) {
    [this.node, this.output_nr, this.ownership_token] = GradientEdge_new.bind(args);
  }
}
set_THPGradientEdgeClass(GradientEdge);

function _get_grad_fn_or_grad_acc(t: Tensor | GradientEdge): Node {
  if (t instanceof GradientEdge) return t.node;
  if (t.requires_grad && t.grad_fn === null) {
    // The accumulator of a leaf is the next node of any function of the leaf.
    const view = enable_grad(() => t.view_as(t));
    const first = (view.grad_fn as PyNodeObject).next_functions[0];
    return first?.[0] as Node;
  }
  return t.grad_fn as Node;
}

/**
 * The edge at which the gradient of `tensor` is computed. The tensor itself may be changed or dropped afterwards.
 * @throws {RuntimeError} if it does not require grad
 */
export const get_gradient_edge = def("get_gradient_edge(tensor)", (tensor: Tensor): GradientEdge => {
  if (!tensor.requires_grad) {
    throw new RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients");
  }
  return new GradientEdge(_get_grad_fn_or_grad_acc(tensor), tensor.output_nr);
});

/** Increments the version counter, to tell autograd that the data changed without an operator. */
export const increment_version = def("increment_version(tensor)", (tensor: Tensor | Iterable<Tensor>): void => {
  const tensors = tensor instanceof Tensor ? [tensor] : tensor;
  if (tensors === null || !(Symbol.iterator in Object(tensors)))
    throw new RuntimeError("increment_version expect a Iterable[Tensor] as input");
  _increment_version([...tensors]);
});

// biome-ignore lint/suspicious/noExplicitAny: the user chooses the type that is passed between the two hooks
type PackHook = (tensor: Tensor) => any;
// biome-ignore lint/suspicious/noExplicitAny: as above
type UnpackHook = (packed: any) => Tensor;

class SavedTensorsHooks extends AbstractContextManager {
  private readonly pack_hook: PackHook;
  private readonly unpack_hook: UnpackHook;

  constructor(pack_hook: PackHook, unpack_hook: UnpackHook) {
    super();
    this.pack_hook = pack_hook;
    this.unpack_hook = unpack_hook;
  }

  override __enter__(): void {
    _push_saved_tensors_default_hooks(this.pack_hook, this.unpack_hook);
  }

  override __exit__(): void {
    _pop_saved_tensors_default_hooks();
  }
}

/**
 * Inside this context, `pack_hook` receives every tensor that is saved for backward, and `unpack_hook` must return an equal tensor when
 * backward needs it. Only the innermost pair is active.
 */
export const saved_tensors_hooks = def_context(
  "saved_tensors_hooks.__init__(self, pack_hook: Callable, unpack_hook: Callable)",
  SavedTensorsHooks,
);

/** A tensor on the CPU, and its original device. */
type PackedOnCpu = readonly [device: THPDevice, packed: Tensor];

/**
 * Inside this context, tensors that forward saves are stored on the CPU until backward needs them; a tensor on the CPU is not copied.
 * @param pin_memory true: the tensors are copied to separate memory, which would be pinned only for a device that does not exist here
 */
export const save_on_cpu = def_context(
  "save_on_cpu.__init__(self, pin_memory=False, device_type='cuda')",
  class save_on_cpu extends SavedTensorsHooks {
    constructor(pin_memory: boolean, _device_type: string) {
      const pack_to_cpu = (tensor: Tensor): PackedOnCpu => {
        if (!pin_memory) return [tensor.device, tensor.cpu()];
        const { dtype, layout } = tensor;
        return [tensor.device, torch.empty(tensor.size(), { dtype, layout }).copy_(tensor)];
      };
      super(pack_to_cpu, ([device, packed]: PackedOnCpu) => packed.to(device, { non_blocking: pin_memory }));
    }
  },
);

/** Inside this context, `saved_tensors_hooks` raises `error_message`. */
export const disable_saved_tensors_hooks = def_context(
  "disable_saved_tensors_hooks(error_message)",
  class disable_saved_tensors_hooks extends AbstractContextManager {
    private readonly error_message: string;
    private maybe_prev_message: string | null = null;

    constructor(error_message: string) {
      super();
      this.error_message = error_message;
    }

    override __enter__(): void {
      this.maybe_prev_message = _saved_tensors_hooks_get_disabled_error_message();
      try {
        _saved_tensors_hooks_disable(this.error_message);
      } catch (error) {
        this.__exit__();
        throw error;
      }
    }

    override __exit__(): void {
      if (this.maybe_prev_message === null) _saved_tensors_hooks_enable();
      else _saved_tensors_hooks_disable(this.maybe_prev_message);
    }
  },
);

class _MultiHandle {
  readonly handles: readonly RemovableHandle[];

  constructor(handles: readonly RemovableHandle[]) {
    this.handles = handles;
  }

  remove(): void {
    for (const handle of this.handles) handle.remove();
  }
}

type HookOnAll = (grads: readonly (Tensor | null)[]) => void;
type HookOnAny = (grad: Tensor) => void;

/**
 * Registers a hook on several tensors. "all": it runs once per backward, when the gradients of all tensors that get one are known; `fn`
 * receives a list with null for the others. "any": it runs once per backward, with the first gradient.
 */
export const register_multi_grad_hook = def(
  "register_multi_grad_hook(tensors, fn, *, mode='all')",
  (tensors: readonly Tensor[], fn: HookOnAll | HookOnAny, mode: "all" | "any"): _MultiHandle => {
    if (mode !== "all" && mode !== "any") {
      throw new ValueError(`Expects mode to be one of ('all', 'any') but got: ${String(mode)}`);
    }
    const all = PySequence_Tuple(tensors);
    return mode === "all" ? hook_on_all(all, fn as HookOnAll) : hook_on_any(all, fn as HookOnAny);
  },
);

function hook_on_all(tensors: readonly Tensor[], fn: HookOnAll): _MultiHandle {
  // Backward can run inside backward, so each run collects its own gradients.
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

function hook_on_any(tensors: readonly Tensor[], fn: HookOnAny): _MultiHandle {
  const ran_hook = new Set<number>();
  const wrapped_fn = (grad: Tensor): void => {
    const id = _current_graph_task_id();
    if (ran_hook.has(id)) return;
    ran_hook.add(id);
    fn(grad);
  };
  return new _MultiHandle(tensors.filter((t) => t.requires_grad).map((t) => t.register_hook(wrapped_fn)));
}

/** Sets whether a warning is given if the node of a leaf is on another stream than the node that computes its gradient. */
export const set_warn_on_accumulate_grad_stream_mismatch = def(
  "set_warn_on_accumulate_grad_stream_mismatch(enabled)",
  (enabled: boolean): void => _set_warn_on_accumulate_grad_stream_mismatch(enabled),
);

/** The entry to the engine for `backward` and `grad`. */
export function _engine_run_backward(
  t_outputs: readonly (Tensor | GradientEdge)[],
  grad_tensors: readonly (Tensor | null)[],
  retain_graph: boolean,
  create_graph: boolean,
  inputs: readonly (Tensor | GradientEdge)[],
  allow_unreachable: boolean,
  accumulate_grad: boolean,
): (Tensor | null)[] | null {
  const { run_backward } = _execution_engine;
  const gradients =
    tracer === null
      ? run_backward(t_outputs, grad_tensors, retain_graph, create_graph, inputs, allow_unreachable, accumulate_grad)
      : traceCall("binding", "THPEngine_run_backward", run_backward, [
          t_outputs,
          grad_tensors,
          retain_graph,
          create_graph,
          inputs,
          allow_unreachable,
          accumulate_grad,
        ]);
  return gradients as (Tensor | null)[] | null;
}
