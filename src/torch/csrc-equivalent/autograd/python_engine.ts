/**
 * @file `_ImperativeEngine`: the engine's interface for the front end.
 * @mirrors torch/csrc/autograd/python_engine.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { tuple_map } from "#python/Objects/tupleobject";
import { python_type as THPUtils_typename, THPUtils_unpackByte } from "#torch/csrc-equivalent/utils/python_numbers";
import { edge_of_input } from "./autograd.ts";
import { Edge } from "./edge.ts";
import { Engine } from "./engine/index.ts";
import { Node, set_make_anomaly_metadata, type variable_list } from "./node.ts";
import { PyAnomalyMetadata } from "./python_anomaly_mode.ts";
import type { PyNodeObject } from "./python_cpp_function.ts";
import { type TensorBase, THPVariable_Check, THPVariable_Unpack } from "./python_variable/type.ts";
import { THPVariable_Wrap } from "./python_variable/wrap.ts";
import { gradient_edge } from "./variable/impl.ts";

/** `torch.autograd.graph.GradientEdge`: a place in the graph, used instead of the tensor there. */
export interface GradientEdgeObject {
  readonly node: PyNodeObject & { readonly cdata: Node };
  readonly output_nr: number;
}

// biome-ignore lint/suspicious/noExplicitAny: however the front end makes one
type GradientEdgeClass = abstract new (...args: any[]) => GradientEdgeObject;
let THPGradientEdgeClass: GradientEdgeClass | null = null;

/** Called by the front end when it loads, to register its class. */
export function set_THPGradientEdgeClass(type: GradientEdgeClass): void {
  THPGradientEdgeClass = type;
}

function isGradientEdge(obj: unknown): obj is GradientEdgeObject {
  return THPGradientEdgeClass !== null && obj instanceof THPGradientEdgeClass;
}

function parseGradientEdge(obj: GradientEdgeObject): Edge {
  const node = obj.node.cdata;
  TORCH_CHECK(
    node instanceof Node,
    `GradientEdge's first object must be an autograd.graph.Node but got ${THPUtils_typename(obj.node)}`,
  );
  return new Edge(node, obj.output_nr);
}

/** `Variable._execution_engine.run_backward`. Returns the gradients of `inputs`, or null if they were added to `.grad`. */
export function THPEngine_run_backward(
  tensors: readonly unknown[],
  grad_tensors: readonly unknown[],
  keep_graph_: unknown,
  create_graph_: unknown,
  inputs: readonly unknown[],
  allow_unreachable_: unknown,
  accumulate_grad: boolean,
): (TensorBase | null)[] | null {
  const keep_graph = flag(keep_graph_);
  const create_graph = flag(create_graph_);
  const allow_unreachable = flag(allow_unreachable_);
  TORCH_CHECK(
    tensors.length === grad_tensors.length,
    `got ${tensors.length} tensors and ${grad_tensors.length} gradients`,
  );
  const roots = tensors.map(root_edge);
  const grads = tensors.map((tensor, i) => root_gradient(tensor, grad_tensors[i], i));
  const edges = inputs.map((input) => output_edge(input, accumulate_grad));
  const { execute } = Engine.get_default_engine();
  const outputs =
    tracer === null
      ? execute(roots, grads, keep_graph, create_graph, accumulate_grad, edges)
      : traceCall("engine", "torch::autograd::Engine::execute", execute, [
          roots,
          grads,
          keep_graph,
          create_graph,
          accumulate_grad,
          edges,
        ]);
  return accumulate_grad || inputs.length === 0 ? null : wrap_gradients(outputs, allow_unreachable);
}

function flag(given: unknown): boolean {
  return typeof given === "boolean" ? given : THPUtils_unpackByte(given) !== 0;
}

function output_edge(input: unknown, accumulate_grad: boolean): Edge {
  if (THPVariable_Check(input)) return edge_of_input(THPVariable_Unpack(input), accumulate_grad);
  if (isGradientEdge(input)) return parseGradientEdge(input);
  TORCH_CHECK(false, `all inputs have to be Tensors or GradientEdges, but got ${THPUtils_typename(input)}`);
}

function wrap_gradients(outputs: variable_list, allow_unreachable: boolean): (TensorBase | null)[] {
  return tuple_map(outputs, (output, i) => {
    TORCH_CHECK(
      allow_unreachable || output.defined(),
      `The differentiated Tensor at index ${i} appears to not have been used in the graph. ` +
        "Set allow_unused=True if this is the desired behavior.",
    );
    return THPVariable_Wrap(output);
  });
}

function root_edge(tensor: unknown, i: number): Edge {
  let edge: Edge;
  if (THPVariable_Check(tensor)) {
    edge = gradient_edge(THPVariable_Unpack(tensor));
  } else if (isGradientEdge(tensor)) {
    edge = parseGradientEdge(tensor);
  } else {
    TORCH_CHECK(false, `element ${i} of tensors tuple is neither a Tensor nor a GradientEdge`);
  }
  TORCH_CHECK(edge.function !== null, `element ${i} of tensors does not require grad and does not have a grad_fn`);
  return edge;
}

function root_gradient(tensor: unknown, grad: unknown, i: number): Tensor {
  if (THPVariable_Check(grad)) return THPVariable_Unpack(grad);
  TORCH_CHECK(grad === null, `element ${i} of gradients tuple is not a Tensor or None`);
  TORCH_CHECK(
    !isGradientEdge(tensor),
    `element ${i} of gradients tuple is None, but the corresponding output is a GradientEdge.This is not supported.`,
  );
  TORCH_CHECK(
    !THPVariable_Unpack(tensor as TensorBase).requires_grad(),
    `element ${i} of gradients tuple is None, but the corresponding Tensor requires grad`,
  );
  return new Tensor();
}

/** The object behind `Variable._execution_engine`. */
export class _ImperativeEngine {
  /** The caller records the call, as `THPEngine_run_backward`; see `Engine.execute`. */
  declare readonly run_backward: typeof THPEngine_run_backward;

  static {
    Object.defineProperty(_ImperativeEngine.prototype, "run_backward", { value: THPEngine_run_backward });
  }

  queue_callback(callback: () => void): void {
    Engine.get_default_engine().queue_callback(callback);
  }

  is_checkpoint_valid(): boolean {
    return Engine.get_default_engine().is_checkpoint_valid();
  }
}

export function THPEngine_initModule(module: Record<string, unknown>): void {
  set_make_anomaly_metadata(() => new PyAnomalyMetadata());
  module["_EngineBase"] = _ImperativeEngine;
  module["_ImperativeEngine"] = _ImperativeEngine;
}
