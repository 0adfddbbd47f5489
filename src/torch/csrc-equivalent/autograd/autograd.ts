/**
 * @file `torch::autograd::backward` and `grad`: the engine for callers below the front end.
 * @mirrors torch/csrc/autograd/autograd.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { TensorOptions } from "#c10/core/TensorOptions";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { Edge } from "./edge.ts";

import { Engine } from "./engine/index.ts";
import { ForwardADLevel } from "./forward_grad.ts";
import { Identity } from "./functions/basic_ops.ts";
import type { edge_list, Node, variable_list } from "./node.ts";
import { gradient_edge, try_get_grad_accumulator } from "./variable/impl.ts";

/** The missing gradient of a scalar output becomes ones. */
function _make_grads(outputs: readonly Tensor[], grad_outputs: readonly Tensor[]): variable_list {
  if (grad_outputs.length === 0) {
    const new_grads: variable_list = [];
    for (const output of outputs) {
      if (!output.requires_grad()) {
        new_grads.push(new Tensor());
        continue;
      }
      TORCH_CHECK(output.numel() === 1, "grad can be implicitly created only for scalar outputs");
      new_grads.push(ones_like(output));
    }
    return new_grads;
  }
  TORCH_CHECK(
    outputs.length === grad_outputs.length,
    `got ${outputs.length} tensors and ${grad_outputs.length} gradients`,
  );
  return outputs.map((output, i) => {
    const grad_output = grad_outputs[i];
    if (grad_output.defined() || !output.requires_grad()) return grad_output;
    TORCH_CHECK(output.numel() === 1, "grad can be implicitly created only for scalar outputs");
    return ones_like(output);
  });
}

function ones_like(output: Tensor): Tensor {
  return at.ones_like(output, TensorOptions.EMPTY, MemoryFormat.Contiguous);
}

/**
 * The edge at which the gradient of `input` arrives. A leaf that no graph has used has no accumulator, so nothing can
 * arrive there: it gets an edge to a node of its own, because an invalid edge would match every input that needs no
 * gradient.
 */
export function edge_of_input(input: Tensor, accumulate_grad: boolean): Edge {
  const output_nr = input.output_nr();
  const grad_fn = (input.grad_fn() as Node | null) ?? try_get_grad_accumulator(input);
  if (accumulate_grad) input.retain_grad();
  TORCH_CHECK(input.requires_grad(), "One of the differentiated Tensors does not require grad");
  return grad_fn === null ? new Edge(new Identity(), 0) : new Edge(grad_fn, output_nr);
}

function run_backward(
  outputs: readonly Tensor[],
  grad_outputs: variable_list,
  keep_graph: boolean,
  create_graph: boolean,
  inputs: readonly Tensor[],
  allow_unused: boolean,
  accumulate_grad: boolean,
): Tensor[] {
  const roots: edge_list = outputs.map((output, i) => {
    const edge = gradient_edge(output);
    TORCH_CHECK(edge.function !== null, `element ${i} of tensors does not require grad and does not have a grad_fn`);
    return edge;
  });
  const output_edges = inputs.map((input) => edge_of_input(input, accumulate_grad));
  const { execute } = Engine.get_default_engine();
  const captured =
    tracer === null
      ? execute(roots, grad_outputs, keep_graph, create_graph, accumulate_grad, output_edges)
      : traceCall("engine", "torch::autograd::Engine::execute", execute, [
          roots,
          grad_outputs,
          keep_graph,
          create_graph,
          accumulate_grad,
          output_edges,
        ]);
  if (inputs.length > 0 && !accumulate_grad && !allow_unused) {
    for (const [i, grad] of captured.entries()) {
      if (!grad.defined()) {
        throw new RuntimeError(
          `The differentiated Tensor at index ${i} appears to not have been used in the graph. ` +
            "Set allow_unused=True if this is the desired behavior.",
        );
      }
    }
  }
  return captured;
}

/** Adds the gradients of `tensors` into `.grad` of the leaves below them, or of `inputs`. */
export function backward(
  tensors: readonly Tensor[],
  grad_tensors: readonly Tensor[] = [],
  retain_graph: boolean | null = null,
  create_graph = false,
  inputs: readonly Tensor[] = [],
): void {
  const gradients = _make_grads(tensors, grad_tensors);
  run_backward(tensors, gradients, retain_graph ?? create_graph, create_graph, inputs, true, true);
}

/** The gradients of `outputs` with respect to `inputs`; nothing is written into `.grad`. */
export function grad(
  outputs: readonly Tensor[],
  inputs: readonly Tensor[],
  grad_outputs: readonly Tensor[] = [],
  retain_graph: boolean | null = null,
  create_graph = false,
  allow_unused = false,
): Tensor[] {
  const gradients = _make_grads(outputs, grad_outputs);
  return run_backward(outputs, gradients, retain_graph ?? create_graph, create_graph, inputs, allow_unused, false);
}

// torch::autograd::forward_ad

/** Begins a level of forward mode, and returns its number. */
export function enter_dual_level(): number {
  return ForwardADLevel.get_next_idx();
}

/** Ends the level: its tangents are gone. */
export function exit_dual_level(level: number): void {
  ForwardADLevel.release_idx(level);
}
