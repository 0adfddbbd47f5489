/**
 * @file Functions of Python that change how autograd works and that no operator tells of: they become nodes.
 * @mirrors torch/fx/experimental/proxy_tensor.py#PreDispatchTorchFunctionMode
 */
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { tuple } from "#python/Objects/tupleobject";
import { _C } from "#torch/_C";
import { _enter_autocast, region_hook } from "#torch/amp/autocast_mode";
import { _get_current_function_mode_stack, TorchFunctionMode } from "#torch/overrides";
import { call_function } from "../../callables.ts";
import type { Node } from "../../node.ts";
import type { PythonKeyTracer } from "./tracer.ts";

/** A mode for programs that are traced above autograd. */
export class PreDispatchTorchFunctionMode extends TorchFunctionMode {
  static readonly __module__ = "torch.fx.experimental.proxy_tensor";
  private readonly tracer: PythonKeyTracer;
  /** The nodes that began a region of autocast, innermost last. */
  private readonly enter_autocast_nodes: Node[] = [];

  constructor(tracer: PythonKeyTracer) {
    super();
    this.tracer = tracer;
  }

  override __torch_function__(func: unknown, _types: readonly unknown[], args: unknown[], given: object): unknown {
    const kwargs = dict_of(Object.entries(given ?? {}));
    if (func === _C._set_grad_enabled) this.add_node(func, args);
    return call_function(func, args, kwargs);
  }

  private add_node(func: unknown, args: readonly unknown[]): Node {
    const node = this.tracer.create_node("call_function", func as never, tuple(args), new PyDict(), null, null);
    node.meta.set("val", null);
    return node;
  }

  /** Notes the begin of a region of autocast; without arguments, its end. */
  autocast(func: unknown, args: readonly unknown[]): void {
    if (func === _enter_autocast) this.enter_autocast_nodes.push(this.add_node(func, args));
    else this.add_node(func, [this.enter_autocast_nodes.pop()]);
  }
}

region_hook.note = (func, args) => {
  const mode = _get_current_function_mode_stack().find((each) => each instanceof PreDispatchTorchFunctionMode);
  mode?.autocast(func, args);
};
