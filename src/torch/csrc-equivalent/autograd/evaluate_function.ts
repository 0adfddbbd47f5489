/**
 * @file One step of a run: call hooks and node, check what comes out, pass it on to the nodes that wait for it.
 * @mirrors torch/csrc/autograd/engine.cpp#evaluate_function
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { GradMode } from "#c10/core/GradMode";
import { RuntimeError } from "#c10/util/Exception";
import { AnomalyMode } from "./anomaly_mode.ts";
import type { ExecInfo, GraphTask } from "./graph_task.ts";
import { InputBuffer } from "./input_buffer.ts";
import type { Node, variable_list } from "./node.ts";
import { NodeTask, type ReadyQueue } from "./ready_queue.ts";
import { decref, incref } from "./use_count.ts";
import { validate_outputs } from "./validate_outputs.ts";

// Note [References in a step]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The lists below are C++ vectors in PyTorch, so each slot is a reference, and when each dies decides what AccumulateGrad and
// InputBuffer may do (Note [Who counts references]):
//   - the inputs come out of the InputBuffer with one reference each and live until call_function returns, so the node sees
//     one, or two if a post-hook will be given them too;
//   - each output has one from then on; the InputBuffer it is moved into takes it over; what was added into another tensor,
//     or is not wanted, keeps it to the end of the step.

export function evaluate_function(
  graph_task: GraphTask,
  func: Node,
  inputs: InputBuffer,
  cpu_ready_queue: ReadyQueue,
): void {
  if (graph_task.has_exec_info()) {
    const fn_info = graph_task.exec_info(func) as ExecInfo;
    if (capture_inputs(graph_task, func, fn_info, inputs)) return;
  }
  const outputs = call_function(graph_task, func, inputs.variables());
  if (!graph_task.keep_graph_) func.release_variables();
  const num_outputs = outputs.length;
  if (num_outputs === 0) return;
  if (AnomalyMode.is_enabled() && AnomalyMode.should_check_nan()) check_nan(func, outputs);

  const edges = func.next_edges();
  for (let i = 0; i < num_outputs; i++) {
    const next_edge = edges[i];
    const next = next_edge.function;
    if (next === null) continue;
    const state = graph_task.state(next);
    if (state === null || state.dependencies === 0) throw new RuntimeError(`dependency not found for ${next.name()}`);
    const is_ready = --state.dependencies === 0;

    let input_buffer = state.not_ready;
    if (input_buffer === null) {
      // Nodes that `inputs=` does not want.
      if (graph_task.has_exec_info() && !graph_task.should_execute(next)) continue;
      input_buffer = new InputBuffer(next.num_inputs());
      if (!is_ready) {
        state.not_ready = input_buffer;
        graph_task.not_ready_count_++;
      }
    } else if (is_ready) {
      state.not_ready = null;
      graph_task.not_ready_count_--;
    }
    const output = outputs[i];
    if (output?.defined() && input_buffer.add(next_edge.input_nr, output)) moved(outputs, i);
    if (is_ready) cpu_ready_queue.push(new NodeTask(graph_task, next, input_buffer));
  }
  for (let i = 0; i < num_outputs; i++) release(outputs[i]);
}

/** A slot whose reference went elsewhere. */
function moved(list: (Tensor | null)[], index: number): void {
  list[index] = null;
}

function release(t: Tensor | null): void {
  if (t?.defined()) decref(t);
}

/** With `inputs=`: keeps what `torch.autograd.grad` asked for. True if that was all this node is for. */
function capture_inputs(graph_task: GraphTask, func: Node, fn_info: ExecInfo, input_buffer: InputBuffer): boolean {
  let inputs = input_buffer.variables();
  // Tensor hooks run exactly once: here, or in call_function.
  if (!fn_info.needed_) inputs = call_tensor_pre_hooks(func, inputs);
  const captures = fn_info.captures_;
  if (captures !== null) {
    for (let i = 0; i < captures.length; i++) {
      const capture = captures[i];
      const captured_grad = inputs[capture.input_idx_];
      if (captured_grad.defined()) incref(captured_grad);
      graph_task.captured_vars_[capture.output_idx_] = captured_grad;
    }
  }
  if (fn_info.needed_) return false;
  for (let i = 0; i < inputs.length; i++) release(inputs[i]);
  return true;
}

function call_function(graph_task: GraphTask, fn: Node, variables: variable_list): (Tensor | null)[] {
  let inputs = call_tensor_pre_hooks(fn, variables);
  const pre_hooks = fn.pre_hooks();
  for (let i = 0; i < pre_hooks.length; i++) inputs = replace(inputs, pre_hooks[i].call(inputs));
  if (!graph_task.keep_graph_) fn.will_release_variables();

  let outputs: variable_list;
  const post_hooks = fn.post_hooks();
  if (post_hooks.length === 0) {
    outputs = fn.call(inputs);
    validate(fn, outputs);
  } else {
    for (let i = 0; i < inputs.length; i++) retain(inputs[i]);
    outputs = fn.call([...inputs]);
    for (let i = 0; i < inputs.length; i++) release(inputs[i]);
    validate(fn, outputs);
    for (let i = 0; i < post_hooks.length; i++) {
      outputs = post_hooks[i].call(outputs, inputs);
    }
  }
  for (let i = 0; i < outputs.length; i++) retain(outputs[i]);
  for (let i = 0; i < inputs.length; i++) release(inputs[i]);
  return outputs;
}

let validated_node: Node;

function format_error(message: string): string {
  return `Function ${validated_node.name()} returned an ${message}`;
}

function validate(fn: Node, outputs: variable_list): void {
  validated_node = fn;
  validate_outputs(fn.next_edges(), outputs, format_error);
}

function retain(t: Tensor): void {
  if (t.defined()) incref(t);
}

/** A hook's list takes the place of the one it was given. */
function replace(inputs: variable_list, results: variable_list): variable_list {
  if (results === inputs) return inputs;
  for (let i = 0; i < results.length; i++) retain(results[i]);
  for (let i = 0; i < inputs.length; i++) release(inputs[i]);
  return results;
}

function call_tensor_pre_hooks(fn: Node, inputs: variable_list): variable_list {
  const tensor_pre_hooks = fn.tensor_pre_hooks();
  for (let i = 0; i < tensor_pre_hooks.length; i++) {
    inputs = replace(inputs, tensor_pre_hooks[i].call(inputs));
  }
  const retains_grad_hooks = fn.retains_grad_hooks();
  if (retains_grad_hooks !== null) {
    for (const hook of retains_grad_hooks.values()) inputs = replace(inputs, hook.call(inputs));
  }
  return inputs;
}

function check_nan(fn: Node, outputs: readonly (Tensor | null)[]): void {
  const grad_mode = GradMode.is_enabled();
  GradMode.set_enabled(false);
  try {
    for (let i = 0; i < outputs.length; i++) {
      const output = outputs[i];
      if (output?.defined() && at._is_any_true(at.isnan(output)).item().toBool()) {
        throw new RuntimeError(`Function '${fn.name()}' returned nan values in its ${i}th output.`);
      }
    }
  } finally {
    GradMode.set_enabled(grad_mode);
  }
}
