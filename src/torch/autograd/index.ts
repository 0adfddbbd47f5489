/**
 * @file `torch.autograd`: `backward`, `grad`, and the parts of the package.
 * @mirrors torch/autograd/__init__.py
 */
import { getDynamicLayerStack } from "#aten/functorch/DynamicLayer";
import { same_ints } from "#c10/core/SymInt";
import { AssertionError, RuntimeError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { _C, PyObject_IsTrue, PySequence_Tuple, python_type, THPSize_repr } from "#torch/_C";
import { transforms } from "#torch/_functorch/loading";
import { def, type Signature } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { handle_torch_function, has_torch_function, is_tensor_like } from "#torch/overrides";
import * as function_ from "./function.ts";
import * as graph from "./graph/index.ts";
import { _execution_engine } from "./variable.ts";

export * as _functions from "./_functions/index.ts";
export { detect_anomaly, set_detect_anomaly } from "./anomaly_mode.ts";
export * as forward_ad from "./forward_ad.ts";
export { Function } from "./function.ts";
export * as functional from "./functional.ts";
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
export { Variable } from "./variable.ts";
export { function_ as function, graph };

type TensorOrEdge = Tensor | graph.GradientEdge;
type OneOrMany<T> = T | readonly T[];

export interface GradOptions {
  readonly grad_outputs?: OneOrMany<Tensor | null>;
  readonly retain_graph?: boolean | null;
  readonly create_graph?: boolean;
  readonly only_inputs?: boolean;
  readonly allow_unused?: boolean | null;
  readonly materialize_grads?: boolean;
}

/** The initial gradients: the given ones after checks, or ones for a scalar. */
function _make_grads(
  outputs: readonly TensorOrEdge[],
  grads: readonly unknown[],
  is_grads_batched = false,
): (Tensor | null)[] {
  // Only the common length; the engine reports if the lengths differ.
  return outputs.slice(0, grads.length).map((out, i) => {
    const grad = grads[i];
    if (out instanceof graph.GradientEdge) return make_grad_of_edge(out, grad);
    if (!(out instanceof Tensor)) throw new AssertionError("Expected output to be a torch.Tensor");
    if (grad instanceof Tensor) {
      if (is_grads_batched) check_batched_shape(i, grad, out.shape);
      else check_shape(i, grad, out.shape);
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
    return _C._VariableFunctions.ones_like(out, { memory_format: torch.preserve_format });
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
  if (same_ints(grad_shape, shape)) return;
  throw new RuntimeError(
    `Mismatch in shape: grad_output[${index}] has a shape of ${THPSize_repr(grad_shape)} ` +
      `and output[${index}] has a shape of ${THPSize_repr(shape)}.`,
  );
}

function check_batched_shape(index: number, grad: Tensor, shape: readonly number[]): void {
  const [, ...first_shape] = grad.shape;
  if (grad.dim() > 0 && first_shape.length === shape.length && shape.every((size, d) => size === first_shape[d]))
    return;
  throw new RuntimeError(
    "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. " +
      "The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a mismatch " +
      `was detected: grad_output[${index}] has a shape of ${THPSize_repr(grad.shape)} ` +
      `and output[${index}] has a shape of ${THPSize_repr(shape)}. ` +
      "If you only want some tensors in `grad_output` to be considered batched, consider using vmap.",
  );
}

function not_a_gradient(grad: unknown): TypeError_ {
  return new TypeError_(`gradients can be either Tensors or None, but got ${python_type(grad)}`);
}

/** A single tensor (or tensor-like value) as a tuple, or any sequence. */
function to_tuple<T>(value: OneOrMany<T>): readonly T[] {
  if (value instanceof graph.GradientEdge || is_tensor_like(value)) return [value as T];
  return PySequence_Tuple(value as readonly T[]);
}

function grads_to_tuple(
  grads: OneOrMany<Tensor | null> | null | undefined,
  length: number,
): readonly (Tensor | null)[] {
  if (grads === null || grads === undefined) return Array.from({ length }, () => null);
  return to_tuple(grads);
}

/**
 * Computes the gradients of `tensors` with respect to the leaves of the graph, and adds them to the leaves' `.grad`.
 * @param tensors the tensors to differentiate; `grad_tensors` weights those that are not scalars
 * @param retain_graph whether saved values are kept for another backward (default: `create_graph`)
 * @param create_graph whether the computation of the gradients is recorded, so that it can be differentiated
 * @param inputs if given, gradients are accumulated only into these
 */
export const backward = def(
  "backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None)",
  (
    tensors: OneOrMany<TensorOrEdge>,
    grad_tensors: OneOrMany<Tensor | null> | null,
    retain_graph: boolean | null,
    create_graph: boolean,
    grad_variables: OneOrMany<Tensor | null> | null,
    inputs: OneOrMany<TensorOrEdge> | null,
  ): void => {
    if (getDynamicLayerStack().length > 0)
      throw new RuntimeError(
        "backward() called inside a functorch transform. This is not supported, please use functorch.grad or " +
          "functorch.vjp instead or call backward() outside of functorch transforms.",
      );
    const inputs_tuple = inputs === null ? [] : to_tuple(inputs);
    if (inputs !== null && inputs_tuple.length === 0) {
      throw new RuntimeError("`inputs` argument to `backward()` cannot be empty.");
    }
    const tensors_tuple = to_tuple(tensors);
    const given_grads = grad_tensors_of(grad_tensors, grad_variables);
    if (has_torch_function(tensor_likes(tensors_tuple, inputs_tuple))) {
      handle_torch_function(backward, tensor_likes(tensors_tuple, inputs_tuple), tensors_tuple, {
        grad_tensors: given_grads,
        retain_graph,
        create_graph,
        inputs: inputs === null ? null : inputs_tuple,
      });
      return;
    }
    graph._engine_run_backward(
      tensors_tuple,
      _make_grads(tensors_tuple, grads_to_tuple(given_grads, tensors_tuple.length)),
      retain_graph ?? create_graph,
      create_graph,
      inputs_tuple,
      true,
      true,
    );
  },
  "torch.autograd.backward",
);

/** The tensor-like arguments, which may override `backward`. */
function tensor_likes(tensors: readonly TensorOrEdge[], inputs: readonly TensorOrEdge[]): TensorOrEdge[] {
  return [...tensors, ...inputs].filter((t) => is_tensor_like(t));
}

/** `grad_tensors`, or its old name `grad_variables`. */
function grad_tensors_of<T>(grad_tensors: T | null, grad_variables: T | null): T | null {
  if (grad_variables === null) return grad_tensors;
  warn("FutureWarning", "`grad_variables` is deprecated. Use `grad_tensors` instead.");
  if (grad_tensors === null) return grad_variables;
  throw new RuntimeError(
    "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use `grad_tensors`.",
  );
}

/** The type of `grad`, depending on `inputs`: with `allow_unused` a gradient may be null. */
interface GradFunction {
  (
    outputs: OneOrMany<TensorOrEdge>,
    inputs: TensorOrEdge,
    kwargs?: GradOptions & { readonly allow_unused?: false | null },
  ): [Tensor];
  <const T extends readonly TensorOrEdge[]>(
    outputs: OneOrMany<TensorOrEdge>,
    inputs: T,
    kwargs?: GradOptions & { readonly allow_unused?: false | null },
  ): { -readonly [K in keyof T]: Tensor };
  (outputs: OneOrMany<TensorOrEdge>, inputs: OneOrMany<TensorOrEdge>, kwargs?: GradOptions): (Tensor | null)[];
  (
    outputs: OneOrMany<TensorOrEdge>,
    inputs: OneOrMany<TensorOrEdge>,
    grad_outputs?: OneOrMany<Tensor | null> | null,
    retain_graph?: boolean | null | GradOptions,
    ...rest: unknown[]
  ): Tensor[];
  (outputs: OneOrMany<TensorOrEdge>, kwargs: GradOptions & { readonly inputs: OneOrMany<TensorOrEdge> }): Tensor[];
  (
    kwargs: GradOptions & {
      readonly outputs: OneOrMany<TensorOrEdge>;
      readonly inputs: OneOrMany<TensorOrEdge>;
    },
  ): Tensor[];
  readonly __signature__: Signature;
}

/**
 * The gradients of `outputs` with respect to `inputs`, one for each; `.grad` is not changed.
 * @throws {RuntimeError} for an input on which `outputs` do not depend, unless `allow_unused` (then it is null) or `materialize_grads`
 * (then it is zeros)
 */
export const grad = def(
  "grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None, is_grads_batched=False, materialize_grads=False)",
  grad_impl,
) as unknown as GradFunction;

function grad_impl(
  given_outputs: OneOrMany<TensorOrEdge>,
  given_inputs: OneOrMany<TensorOrEdge>,
  given_grads: OneOrMany<Tensor | null> | null,
  retain_graph: boolean | null,
  create_graph: boolean,
  only_inputs: boolean,
  given_allow_unused: boolean | null,
  is_grads_batched: boolean,
  materialize_grads: boolean,
): (Tensor | null)[] {
  const materialize = PyObject_IsTrue(materialize_grads);
  if (materialize && given_allow_unused === false) {
    throw new ValueError(
      "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False.",
    );
  }
  const allow_unused = given_allow_unused ?? materialize_grads;
  const outputs = to_tuple(given_outputs);
  const inputs = to_tuple(given_inputs);
  if (inputs.length === 0) throw new RuntimeError("`inputs` argument to `grad()` cannot be empty.");
  const overridable_args = [...outputs, ...inputs].filter((t) => is_tensor_like(t));
  if (has_torch_function(overridable_args)) {
    return handle_torch_function(grad, overridable_args, outputs, inputs, {
      grad_outputs: given_grads,
      retain_graph,
      create_graph,
      only_inputs,
      allow_unused,
      is_grads_batched,
      materialize_grads,
    }) as (Tensor | null)[];
  }
  if (!PyObject_IsTrue(only_inputs)) {
    warn(
      "FutureWarning",
      "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other parts of the graph, please use torch.autograd.backward.",
    );
  }
  const is_batched = PyObject_IsTrue(is_grads_batched);
  const grad_outputs = _make_grads(outputs, grads_to_tuple(given_grads, outputs.length), is_batched);
  const run = (grads: readonly (Tensor | null)[]): (Tensor | null)[] =>
    graph._engine_run_backward(
      outputs,
      grads,
      retain_graph ?? create_graph,
      create_graph,
      inputs,
      allow_unused,
      false,
    ) as (Tensor | null)[];
  const result = is_batched ? transforms("torch.vmap")._vmap_internals(run, grad_outputs) : run(grad_outputs);
  if (!materialize) return result;
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

// Messages about functions without an implementation also name the module.
for (const fn of [backward, grad]) Object.assign(fn, { __module__: "torch.autograd" });
