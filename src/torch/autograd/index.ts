/**
 * @file `torch.autograd`: `backward`, `grad`, and the package's parts.
 * @mirrors torch/autograd/__init__.py
 * @differs `is_grads_batched` needs vmap, which is not here.
 */
import { AssertionError, NotImplementedError, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { _C } from "#torch/_C";
import { Tensor } from "#torch/_tensor";
import * as function_ from "./function.ts";
import * as graph from "./graph.ts";
import { bind_arguments } from "./keyword_arguments.ts";
import { _execution_engine } from "./variable.ts";

export { detect_anomaly, set_detect_anomaly } from "./anomaly_mode.ts";
export { Function } from "./function.ts";
export {
  enable_grad,
  enforce_grad_layout_policy,
  inference_mode,
  no_grad,
  set_grad_enabled,
  set_multithreading_enabled,
} from "./grad_mode.ts";
export { gradcheck, gradgradcheck } from "./gradcheck.ts";
export * as profiler from "./profiler.ts";
export { function_ as function, graph };

type TensorOrEdge = Tensor | graph.GradientEdge;
type OneOrMany<T> = T | readonly T[];

export interface BackwardOptions {
  readonly grad_tensors?: OneOrMany<Tensor | null>;
  readonly retain_graph?: boolean | null;
  readonly create_graph?: boolean;
  readonly inputs?: OneOrMany<TensorOrEdge> | null;
}

export interface GradOptions {
  readonly grad_outputs?: OneOrMany<Tensor | null>;
  readonly retain_graph?: boolean | null;
  readonly create_graph?: boolean;
  readonly only_inputs?: boolean;
  readonly allow_unused?: boolean | null;
  readonly materialize_grads?: boolean;
}

function size_string(shape: readonly number[]): string {
  return `torch.Size([${shape.join(", ")}])`;
}

/** The gradients to begin with: those given, checked; ones for a scalar without. */
function _make_grads(outputs: readonly TensorOrEdge[], grads: readonly unknown[]): (Tensor | null)[] {
  return outputs.map((out, i) => {
    const grad = (grads[i] ?? null) as unknown;
    if (out instanceof graph.GradientEdge) return make_grad_of_edge(out, grad);
    if (!(out instanceof Tensor)) throw new AssertionError("Expected output to be a torch.Tensor");
    if (grad instanceof Tensor) {
      check_shape(i, grad, out.shape);
      return grad;
    }
    if (grad !== null) throw not_a_gradient(grad);
    if (!out.requires_grad) return null;
    if (out.numel() !== 1) throw new RuntimeError("grad can be implicitly created only for scalar outputs");
    if (!out.dtype.is_floating_point) {
      throw new RuntimeError(
        `grad can be implicitly created only for real scalar outputs but got ${String(out.dtype)}`,
      );
    }
    return _C._VariableFunctions.ones_like(out);
  });
}

function make_grad_of_edge(out: graph.GradientEdge, grad: unknown): Tensor {
  const metadata = out.node.cdata.input_metadata(out.output_nr);
  const shape = metadata.shape_as_dim_vector();
  if (grad instanceof Tensor) {
    check_shape(0, grad, shape);
    return grad;
  }
  if (grad !== null) throw not_a_gradient(grad);
  if (!shape.every((size) => size === 1)) {
    throw new RuntimeError("grad can be implicitly created only for scalar outputs");
  }
  return _C._VariableFunctions.ones([...shape]);
}

function check_shape(index: number, grad: Tensor, shape: readonly number[]): void {
  const grad_shape = grad.shape;
  if (grad_shape.length === shape.length && shape.every((size, d) => size === grad_shape[d])) return;
  throw new RuntimeError(
    `Mismatch in shape: grad_output[${index}] has a shape of ${size_string(grad_shape)} ` +
      `and output[${index}] has a shape of ${size_string(shape)}.`,
  );
}

function not_a_gradient(grad: unknown): TypeError_ {
  const type = typeof grad === "string" ? "str" : Array.isArray(grad) ? "list" : typeof grad;
  return new TypeError_(`gradients can be either Tensors or None, but got ${type}`);
}

function to_tuple<T>(value: OneOrMany<T>): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

function grads_to_tuple(
  grads: OneOrMany<Tensor | null> | null | undefined,
  length: number,
): readonly (Tensor | null)[] {
  if (grads === null || grads === undefined) return Array.from({ length }, () => null);
  return to_tuple(grads);
}

/**
 * Adds the gradients of `tensors` with respect to the leaves of the graph into the leaves' `.grad`.
 * @param tensors what to differentiate; `grad_tensors` weighs those that are not scalars
 * @param retain_graph keep what forward saved, for another backward (default: `create_graph`)
 * @param create_graph record the computation of the gradients, to differentiate them in turn
 * @param inputs accumulate into these only
 */
export function backward(tensors: OneOrMany<TensorOrEdge>, options?: BackwardOptions): void;
export function backward(
  tensors: OneOrMany<TensorOrEdge>,
  grad_tensors?: OneOrMany<Tensor | null> | null,
  ...rest: unknown[]
): void;
export function backward(...args: unknown[]): void {
  if (tracer !== null) traceCall("python", "torch.autograd.backward", backward_impl, args);
  else backward_impl(...args);
}

function backward_impl(...args: unknown[]): void {
  const names = ["tensors", "grad_tensors", "retain_graph", "create_graph", "inputs"];
  const bound = bind_arguments("backward", names, args);
  const inputs_ = bound["inputs"] as OneOrMany<TensorOrEdge> | null | undefined;
  const inputs = inputs_ === null || inputs_ === undefined ? [] : to_tuple(inputs_);
  if (inputs_ !== null && inputs_ !== undefined && inputs.length === 0) {
    throw new RuntimeError("`inputs` argument to `backward()` cannot be empty.");
  }
  const tensors = to_tuple(bound["tensors"] as OneOrMany<TensorOrEdge>);
  const grad_tensors = grads_to_tuple(bound["grad_tensors"] as OneOrMany<Tensor | null> | null, tensors.length);
  const grad_tensors_ = _make_grads(tensors, grad_tensors);
  const create_graph = (bound["create_graph"] ?? false) as boolean;
  const retain_graph = (bound["retain_graph"] ?? create_graph) as boolean;
  graph._engine_run_backward(tensors, grad_tensors_, retain_graph, create_graph, inputs, true, true);
}

/**
 * The gradients of `outputs` with respect to `inputs`, one for each; `.grad` is not touched.
 * @throws {RuntimeError} for an input that `outputs` do not depend on, unless `allow_unused` (then it is null) or
 * `materialize_grads` (then it is zeros)
 */
export function grad(
  outputs: OneOrMany<TensorOrEdge>,
  inputs: TensorOrEdge,
  options?: GradOptions & { readonly allow_unused?: false | null },
): [Tensor];
export function grad<const T extends readonly TensorOrEdge[]>(
  outputs: OneOrMany<TensorOrEdge>,
  inputs: T,
  options?: GradOptions & { readonly allow_unused?: false | null },
): { -readonly [K in keyof T]: Tensor };
export function grad(
  outputs: OneOrMany<TensorOrEdge>,
  inputs: OneOrMany<TensorOrEdge>,
  options?: GradOptions,
): (Tensor | null)[];
export function grad(
  outputs: OneOrMany<TensorOrEdge>,
  inputs: OneOrMany<TensorOrEdge>,
  grad_outputs?: OneOrMany<Tensor | null> | null,
  ...rest: unknown[]
): Tensor[];
export function grad(...args: unknown[]): (Tensor | null)[] {
  const names = [
    "outputs",
    "inputs",
    "grad_outputs",
    "retain_graph",
    "create_graph",
    "only_inputs",
    "allow_unused",
    "is_grads_batched",
    "materialize_grads",
  ];
  const bound = bind_arguments("grad", names, args);
  const materialize_grads = (bound["materialize_grads"] ?? false) as boolean;
  if (materialize_grads && bound["allow_unused"] === false) {
    throw new ValueError(
      "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False.",
    );
  }
  if (bound["is_grads_batched"] === true) {
    throw new NotImplementedError("grad(): is_grads_batched needs torch.vmap, which is not implemented");
  }
  const allow_unused = (bound["allow_unused"] ?? materialize_grads) as boolean;
  const outputs = to_tuple(bound["outputs"] as OneOrMany<TensorOrEdge>);
  const inputs = to_tuple(bound["inputs"] as OneOrMany<TensorOrEdge>);
  if (inputs.length === 0) throw new RuntimeError("`inputs` argument to `grad()` cannot be empty.");
  const grad_outputs = grads_to_tuple(bound["grad_outputs"] as OneOrMany<Tensor | null> | null, outputs.length);
  const grad_outputs_ = _make_grads(outputs, grad_outputs);
  const create_graph = (bound["create_graph"] ?? false) as boolean;
  const retain_graph = (bound["retain_graph"] ?? create_graph) as boolean;
  const result = graph._engine_run_backward(
    outputs,
    grad_outputs_,
    retain_graph,
    create_graph,
    inputs,
    allow_unused,
    false,
  ) as (Tensor | null)[];
  if (!materialize_grads) return result;
  return result.map((r, i) => {
    if (r !== null) return r;
    const input = inputs[i];
    if (!(input instanceof Tensor)) {
      throw new RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge");
    }
    return _C._VariableFunctions.zeros_like(input, { requires_grad: create_graph });
  });
}

export function _is_checkpoint_valid(): boolean {
  return _execution_engine.is_checkpoint_valid();
}
