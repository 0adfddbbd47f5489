/**
 * @file Answers to the bindings while a program is traced: warnings, stashed arguments, scopes of modules.
 * @mirrors torch/csrc/jit/frontend/tracer.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { IntType } from "#aten/core/jit_type";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { scalar_to_tensor } from "#aten/ScalarOps";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import type { Value } from "../../ir/ir.ts";
import type { Recorder } from "../tracing.ts";
import { begin_node, setOutput } from "./add_inputs.ts";
import { stashIntArrayRefElem, stashValue } from "./argument_stash.ts";
import { general_trace_function } from "./general_trace_function.ts";
import { getTracingState, recording, type TracingState, warn, without_recording } from "./state.ts";

/** A number that the trace computes, as a tensor. */
function number_tensor(state: TracingState, number: number, kind: string, inputs: readonly Value[]): Tensor {
  const tensor = without_recording(() => scalar_to_tensor(Scalar.fromInt(number)));
  const node = begin_node(state, kind);
  for (const input of inputs) node.addInput(input);
  const output = node.addOutput().setType(IntType);
  state.insertNode(node);
  const { graph } = state;
  state.setValue(IValue.fromTensor(tensor), graph.insertNode(graph.createNumToTensor(output)).output());
  return tensor;
}

/** One size of a tensor, as a tensor that the trace computes. */
export function getSizeOf(tensor: Tensor, dim: number): Tensor {
  const state = getTracingState() as TracingState; // the bindings ask only while a program is traced
  const value = state.getValue(IValue.fromTensor(tensor));
  const at = state.insertConstant(IValue.fromInt(dim));
  return number_tensor(state, tensor.size(dim), "aten::size", [value, at]);
}

/** The number of elements, as a tensor that the trace computes. */
export function getNumelOf(tensor: Tensor): Tensor {
  const state = getTracingState() as TracingState;
  const value = state.getValue(IValue.fromTensor(tensor));
  return number_tensor(state, tensor.numel(), "aten::numel", [value]);
}

function record_contiguous(tensor: Tensor, memory_format: MemoryFormat): void {
  const state = getTracingState() as TracingState;
  const node = begin_node(state, "aten::contiguous");
  node.addInput(state.getValue(IValue.fromTensor(tensor)));
  node.addInput(state.insertConstant(IValue.fromInt(memory_format)));
  state.insertNode(node);
  setOutput(state, node.addOutput(), tensor);
}

/** Calls `forward` in the scope of its module; `torch/jit/_trace` sets it. */
export const module_scopes: { slow_forward: Recorder["slow_forward"] } = {
  slow_forward: (_module, forward, args) => forward(...args),
};

recording.recorder = {
  warn,
  stashIntArrayRefElem,
  stashValue,
  record_contiguous,
  general_trace_function,
  slow_forward: (module, forward, args) => module_scopes.slow_forward(module, forward, args),
};
