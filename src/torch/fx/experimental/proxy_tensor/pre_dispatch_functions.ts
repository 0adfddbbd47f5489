/**
 * @file Functions of Python that change how autograd works and that no operator tells of: they become nodes.
 * @mirrors torch/fx/experimental/proxy_tensor.py#PreDispatchTorchFunctionMode
 */
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { tuple } from "#python/Objects/tupleobject";
import { _C } from "#torch/_C";
import { TorchFunctionMode } from "#torch/overrides";
import { call_function } from "../../callables.ts";
import type { PythonKeyTracer } from "./tracer.ts";

/** A mode for programs that are traced above autograd. */
export class PreDispatchTorchFunctionMode extends TorchFunctionMode {
  static readonly __module__ = "torch.fx.experimental.proxy_tensor";
  private readonly tracer: PythonKeyTracer;

  constructor(tracer: PythonKeyTracer) {
    super();
    this.tracer = tracer;
  }

  override __torch_function__(func: unknown, _types: readonly unknown[], args: unknown[], given: object): unknown {
    const kwargs = dict_of(Object.entries(given ?? {}));
    if (func === _C._set_grad_enabled) {
      const node = this.tracer.create_node("call_function", func, tuple(args), new PyDict(), null, null);
      node.meta.set("val", null);
    }
    return call_function(func, args, kwargs);
  }
}
