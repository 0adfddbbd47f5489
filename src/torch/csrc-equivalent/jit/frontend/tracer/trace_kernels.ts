/**
 * @file Kernels of the Tracer key: they record an operator and call it below the key.
 * @mirrors tools/autograd/gen_trace_type.py
 * @differs PyTorch generates a function for each operator. Here one function reads the operator's schema, and the generated file says
 * which operators it records in which way.
 */
import type { BoxedKernelFunction } from "#aten/core/boxing/BoxedKernel";
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Argument } from "#aten/core/function_schema";
import { IValue } from "#aten/core/ivalue";
import type { Stack } from "#aten/core/stack";
import { Device } from "#c10/core/Device";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { Layout } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import type { Node } from "../../ir/ir.ts";
import { addOutput, begin_node, ensureUniqueIfOutOfPlaced, value_of_argument } from "./add_inputs.ts";
import { redispatch_below_tracer } from "./general_trace_function.ts";
import { getTracingState, setTracingState, type TracingState } from "./state.ts";

/** Operators that are recorded under another name, because no functional operator has theirs. */
const RENAME_TRACE: ReadonlyMap<string, string> = new Map([
  ["zero", "zeros_like"],
  ["fill", "full_like"],
]);

/** How an operator is recorded. */
interface Recording {
  kind(name: string, state: TracingState): string;
  /** The arguments that are recorded as they are given. */
  arguments(all: readonly Argument[]): readonly Argument[];
  /** Records further inputs. @param given the arguments by position */
  more_inputs(state: TracingState, node: Node, op: OperatorHandle, given: readonly IValue[]): void;
  /** Position of the argument that is written to, or null. */
  written(all: readonly Argument[]): number | null;
}

/** The operator's own name, without `aten::`. */
function base_name(op: OperatorHandle): string {
  return op.operator_name().name.slice("aten::".length);
}

function traced(recording: Recording): BoxedKernelFunction {
  return (op, ks, stack) => {
    const state = getTracingState();
    if (state === null) redispatch_below_tracer(op, ks, stack);
    else record(recording, state, op, ks, stack);
  };
}

function record(recording: Recording, state: TracingState, op: OperatorHandle, ks: DispatchKeySet, stack: Stack): void {
  const schema = op.schema();
  const all = schema.arguments();
  const given = stack.slice(stack.length - all.length);
  const node = begin_node(state, `aten::${recording.kind(base_name(op), state)}`);
  for (const [i, argument] of recording.arguments(all).entries()) {
    node.addInput(value_of_argument(state, argument, given[i]));
  }
  recording.more_inputs(state, node, op, given);
  state.insertNode(node);
  const written = recording.written(all);
  if (written !== null) ensureUniqueIfOutOfPlaced(state, base_name(op), given[written].toTensor());
  setTracingState(null);
  try {
    redispatch_below_tracer(op, ks, stack);
  } finally {
    setTracingState(state);
  }
  const returns = schema.returns();
  for (const [i, returned] of returns.entries()) {
    addOutput(state, node, stack[stack.length - returns.length + i], returned.type());
  }
}

const CPU = Device.parse("cpu");

/** `full_like` and `zeros_like` take options that `fill_` and `zero_` do not have. */
function add_options(state: TracingState, node: Node, name: string): void {
  if (!RENAME_TRACE.has(name)) return;
  node.addInput(state.insertNone());
  for (const value of [
    IValue.fromInt(Layout.Strided),
    IValue.opaque("Device", CPU),
    IValue.fromBool(false),
    IValue.fromInt(MemoryFormat.Preserve),
  ]) {
    node.addInput(state.insertConstant(value));
  }
}

/** The operator computes new tensors. */
export const functional = traced({
  kind: (name) => RENAME_TRACE.get(name) ?? name,
  arguments: (all) => all,
  more_inputs: () => {},
  written: () => null,
});

/** The operator writes to `self`: `add_`. */
export const inplace = traced({
  kind(name, state) {
    const outplace = name.slice(0, -1);
    return state.force_outplace ? (RENAME_TRACE.get(outplace) ?? outplace) : name;
  },
  arguments: (all) => all,
  more_inputs(state, node, op) {
    if (state.force_outplace) add_options(state, node, base_name(op).slice(0, -1));
  },
  written: () => 0,
});

function out_variant(is_factory: boolean): BoxedKernelFunction {
  return traced({
    kind: (name) => RENAME_TRACE.get(name) ?? name,
    arguments: (all) => all.filter((argument) => !argument.is_out()),
    more_inputs(state, node, op, given) {
      const all = op.schema().arguments();
      if (!state.force_outplace) {
        for (const [i, argument] of all.entries()) {
          if (argument.is_out()) node.addInput(value_of_argument(state, argument, given[i]));
        }
        return;
      }
      if (is_factory) {
        // The functional operator takes the options of the result instead.
        const out = given[given.length - 1].toTensor();
        for (const value of [
          IValue.fromInt(out.scalar_type()),
          IValue.fromInt(out.layout()),
          IValue.opaque("Device", out.device()),
          IValue.fromBool(false),
        ]) {
          node.addInput(state.insertConstant(value));
        }
      }
      add_options(state, node, base_name(op));
    },
    written: (all) => all.findIndex((argument) => argument.is_out()),
  });
}

/** The operator writes to `out`. */
export const out = out_variant(false);
/** The operator writes to `out` and has no tensor to compute it from: `torch.zeros(2, out=x)`. */
export const factory_out = out_variant(true);

/** The operator is not recorded: what it calls is. */
export const untraced: BoxedKernelFunction = redispatch_below_tracer;
