/**
 * @file One step of a run: call hooks and node, check what comes out, pass it on to the nodes that wait for it.
 * @mirrors torch/csrc/autograd/engine.cpp#evaluate_function
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { hasStepCallbacks } from "#aten/record_function";
import { GradMode } from "#c10/core/GradMode";
import { RuntimeError } from "#c10/util/Exception";
import { tracer } from "#c10/util/Trace";
import { AnomalyMode } from "#torch/csrc-equivalent/autograd/anomaly_mode";
import type { Edge } from "#torch/csrc-equivalent/autograd/edge";
import type { ExecInfo, GraphTask } from "#torch/csrc-equivalent/autograd/graph_task";
import { InputBuffer } from "#torch/csrc-equivalent/autograd/input_buffer/index";
import { callSlow, type Node, type variable_list } from "#torch/csrc-equivalent/autograd/node";
import { OwningList } from "#torch/csrc-equivalent/autograd/owning_list";
import { NodeTask, type ReadyQueue, ready_queue } from "./ready_queue.ts";
import { validate_outputs } from "./validate_outputs.ts";

/** Runs one node. `inputs` is consumed by the call; see Note [Lists that own]. */
export function evaluate_function(
  graph_task: GraphTask,
  func: Node,
  inputs: InputBuffer,
  cpu_ready_queue: ReadyQueue,
): void {
  if (graph_task.has_exec_info() && capture_inputs(graph_task, func, inputs)) return;
  const results = call_function(graph_task, func, inputs);
  if (!graph_task.keep_graph_) func.release_variables();
  if (results.length > 0) pass_on_all(graph_task, func, results, cpu_ready_queue);
  else graph_task.add_leaf_stream(func);
}

/**
 * Passes the node's results on to the nodes that wait for them. This is a function of its own so that it is not on the
 * stack during a run inside the node.
 */
function pass_on_all(graph_task: GraphTask, func: Node, results: variable_list, cpu_ready_queue: ReadyQueue): void {
  const outputs = new OwningList(results);
  try {
    if (AnomalyMode.is_enabled() && AnomalyMode.should_check_nan()) check_nan(func, outputs.tensors);
    const edges = func.next_edges();
    for (let i = 0; i < outputs.size(); i++) pass_on(graph_task, func, outputs, i, edges[i], cpu_ready_queue);
  } finally {
    outputs.clear();
  }
}

/** With `inputs=`: stores the gradients that `torch.autograd.grad` requested. Returns true if the node need not run. */
function capture_inputs(graph_task: GraphTask, func: Node, inputs: InputBuffer): boolean {
  const fn_info = graph_task.exec_info(func) as ExecInfo;
  // Tensor hooks run exactly once: here, or in call_function.
  if (!fn_info.needed_) call_tensor_pre_hooks(func, inputs);
  const captures = fn_info.captures_;
  if (captures !== null) {
    graph_task.add_leaf_stream(func);
    for (let i = 0; i < captures.length; i++) {
      const { input_idx_, output_idx_ } = captures[i];
      graph_task.captured_vars_.set(output_idx_, inputs.tensors[input_idx_]);
    }
  }
  return !fn_info.needed_;
}

function call_function(graph_task: GraphTask, fn: Node, inputs: InputBuffer): variable_list {
  call_tensor_pre_hooks(fn, inputs);
  call_pre_hooks(fn, inputs);
  if (!graph_task.keep_graph_) fn.will_release_variables();
  if (fn.post_hooks().length > 0) return call_with_post_hooks(fn, inputs);
  // Called directly: a function in between would be on the stack of every run inside this one.
  const outputs = tracer === null && !hasStepCallbacks ? fn.apply(inputs.tensors) : callSlow(fn, inputs.tensors);
  inputs.clear();
  validate(fn, outputs);
  return outputs;
}

/**
 * Calls a node that has post-hooks. The hooks will receive the inputs too, so the node gets a copy; AccumulateGrad depends on it.
 */
function call_with_post_hooks(fn: Node, inputs: InputBuffer): variable_list {
  const inputs_copy = inputs.copy();
  let outputs: variable_list;
  try {
    const { tensors } = inputs_copy;
    outputs = tracer === null && !hasStepCallbacks ? fn.apply(tensors) : callSlow(fn, tensors);
  } finally {
    inputs_copy.clear();
  }
  validate(fn, outputs);
  const post_hooks = fn.post_hooks();
  for (let i = 0; i < post_hooks.length; i++) {
    outputs = post_hooks[i].call(outputs, inputs.tensors);
  }
  inputs.clear();
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

/** Adds output `index` to the buffer of the node that waits for it; with its last gradient that node becomes ready. */
function pass_on(
  graph_task: GraphTask,
  func: Node,
  outputs: OwningList,
  index: number,
  next: Edge,
  cpu_ready_queue: ReadyQueue,
): void {
  const fn = next.function;
  if (fn === null) return;
  const state = graph_task.state(fn);
  if (state === null || state.dependencies === 0) throw new RuntimeError(`dependency not found for ${fn.name()}`);
  const is_ready = --state.dependencies === 0;

  let input_buffer = state.not_ready;
  if (input_buffer === null) {
    // Skips nodes that `inputs=` does not need.
    if (graph_task.has_exec_info() && !graph_task.should_execute(fn)) return;
    input_buffer = new InputBuffer(fn.num_inputs());
    if (!is_ready) {
      state.not_ready = input_buffer;
      graph_task.not_ready_count_++;
    }
  } else if (is_ready) {
    state.not_ready = null;
    graph_task.not_ready_count_--;
  }
  input_buffer.add(next.input_nr, outputs, index, func, fn);
  if (is_ready) ready_queue(cpu_ready_queue, fn).push(new NodeTask(graph_task, fn, input_buffer));
}

// Hooks that receive the inputs; see Note [Hooks ordering]

function call_tensor_pre_hooks(fn: Node, inputs: InputBuffer): void {
  const tensor_pre_hooks = fn.tensor_pre_hooks();
  for (let i = 0; i < tensor_pre_hooks.length; i++) {
    inputs.assign(tensor_pre_hooks[i].call(inputs.tensors));
  }
  const retains_grad_hooks = fn.retains_grad_hooks();
  if (retains_grad_hooks !== null) {
    for (const hook of retains_grad_hooks.values()) inputs.assign(hook.call(inputs.tensors));
  }
}

function call_pre_hooks(fn: Node, inputs: InputBuffer): void {
  const pre_hooks = fn.pre_hooks();
  for (let i = 0; i < pre_hooks.length; i++) inputs.assign(pre_hooks[i].call(inputs.tensors));
}

function check_nan(fn: Node, outputs: readonly Tensor[]): void {
  const grad_mode = GradMode.is_enabled();
  GradMode.set_enabled(false);
  try {
    for (let i = 0; i < outputs.length; i++) {
      const output = outputs[i];
      if (output.defined() && at._is_any_true(at.isnan(output)).item().toBool()) {
        throw new RuntimeError(`Function '${fn.name()}' returned nan values in its ${i}th output.`);
      }
    }
  } finally {
    GradMode.set_enabled(grad_mode);
  }
}
