/**
 * @file Traces of Python functions: the call of the function, and calls of scripts that it makes.
 * @mirrors torch/csrc/jit/python/python_tracer.cpp
 */
import type { Function } from "#aten/core/function";
import type { IValue } from "#aten/core/ivalue";
import { TupleType, type Type } from "#aten/core/jit_type";
import type { Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { call_with_keywords } from "#python/Objects/call";
import { str } from "#python/Objects/object";
import type { ModuleObject } from "../api/module.ts";
import { matchSchema } from "../frontend/schema_matching.ts";
import { Source, SourceRange } from "../frontend/source_range.ts";
import { trace } from "../frontend/tracer/index.ts";
import { setRecordSourceLocation } from "../frontend/tracer/source_location.ts";
import { getTracingState, without_recording } from "../frontend/tracer/state.ts";
import type { Graph } from "../ir/ir.ts";
import { NamedValue } from "../ir/named_value.ts";
import { tryToInferType } from "./infer_type.ts";
import { toIValue } from "./pybind_utils.ts";
import { toPythonObject } from "./script_values.ts";

/** One call on the stack of the traced program. */
export interface StackEntry {
  readonly funcname: string;
  readonly filename: string;
  readonly line: number;
}

/** The calls that lead to the operator that is being recorded, innermost first; `torch/jit/_trace` sets it. */
export const python_callstack: { of: () => readonly StackEntry[] } = { of: () => [] };

export function getPythonInterpreterSourceRange(): SourceRange {
  const calls = python_callstack.of();
  const text = calls.map(({ filename, line, funcname }) => `${filename}(${line}): ${funcname}\n`).join("");
  const [innermost] = calls as readonly (StackEntry | undefined)[];
  const source = new Source(text, innermost?.filename ?? null, innermost?.line ?? 0);
  return new SourceRange(source, 0, text.length);
}

setRecordSourceLocation((node) => node.setSourceRange(getPythonInterpreterSourceRange()));

/** Boxes a value by the type that it has. */
function toTypeInferredIValue(value: unknown): IValue {
  const inferred = tryToInferType(value);
  if ("reason" in inferred) {
    throw new RuntimeError(`Tracer cannot infer type of ${without_recording(() => str(value))}\n:${inferred.reason}`);
  }
  return toIValue(value, inferred.type);
}

function isTraceableType(type: Type): boolean {
  switch (type.kind()) {
    case "TensorType":
      return true;
    case "ListType":
      return isTraceableType(type.containedType());
    case "TupleType":
      return type.containedTypes().every(isTraceableType);
    case "DictType":
      return isTraceableType(type.containedTypes()[1]);
    default:
      return false;
  }
}

/** Example inputs as the inputs of a trace. */
export function toTraceableStack(inputs: readonly unknown[]): Stack {
  const values = inputs.map(toTypeInferredIValue);
  const types = inputs.map((input) => {
    const inferred = tryToInferType(input);
    return "type" in inferred ? inferred.type : null;
  });
  const type = TupleType.create(types.filter((found) => found !== null));
  TORCH_CHECK(
    isTraceableType(type),
    `Type '${type.repr_str()}' cannot be traced. Only Tensors and (possibly nested) Lists, Dicts, and Tuples of Tensors can be traced`,
  );
  return values;
}

/** The function to trace, and the options of the trace. */
export interface TracedFunction {
  readonly func: unknown;
  readonly lookup_var_name_fn: (tensor: Tensor) => string;
  readonly strict: boolean;
  readonly force_outplace: boolean;
  readonly argument_names: readonly string[];
}

/** @param self the module whose method is traced, or null */
export function createGraphByTracing(traced: TracedFunction, inputs: Stack, self: ModuleObject | null): Graph {
  const call = (args: Stack): unknown => call_with_keywords(traced.func, args.map(toPythonObject), new Map());
  return graph_of(traced, inputs, self, call);
}

/** The inputs are keyword arguments, in the order in which the function declares them. */
export function createGraphByTracingWithDict(
  traced: TracedFunction,
  inputs: ReadonlyMap<string, unknown>,
  self: ModuleObject | null,
): [graph: Graph, inputs: Stack] {
  const names = traced.argument_names.filter((name) => inputs.has(name));
  const stack = toTraceableStack(names.map((name) => inputs.get(name)));
  const call = (args: Stack): unknown =>
    call_with_keywords(traced.func, [], new Map(names.map((name, i) => [name, toPythonObject(args[i])])));
  return [graph_of({ ...traced, argument_names: names }, stack, self, call), stack];
}

function graph_of(
  traced: TracedFunction,
  inputs: Stack,
  self: ModuleObject | null,
  call: (args: Stack) => unknown,
): Graph {
  const run = (args: Stack): Stack => {
    const out = call(args);
    TORCH_CHECK(
      out !== null && out !== undefined,
      "The traced function didn't return any values! Side-effects are not captured in traces, so it would be a no-op.",
    );
    return [toTypeInferredIValue(out)];
  };
  return trace(inputs, run, { ...traced, self })[0].graph;
}

/**
 * Runs a compiled function. In a trace it becomes one call, whatever it does.
 * @param stack holds the arguments, and afterwards the result
 */
export function runAndInsertCall(
  callee: Function & { num_inputs(): number },
  stack: Stack,
  is_method: boolean,
  run: (stack: Stack) => void,
): void {
  const state = getTracingState();
  if (state === null) {
    run(stack);
    return;
  }
  const { graph } = state;
  const inputs = stack.slice(stack.length - callee.num_inputs()).map((input) => state.getValue(input));
  const schema = callee.getSchema();
  TORCH_INTERNAL_ASSERT(schema.returns().length === 1);
  const matched = matchSchema(schema, {
    loc: getPythonInterpreterSourceRange(),
    graph,
    args: inputs.map((input) => new NamedValue(input)),
    kwargs: [],
    self: null,
  });
  const output = is_method ? graph.insertMethodCall(callee.name(), matched) : graph.insertFunctionCall(callee, matched);
  without_recording(() => run(stack));
  const result = stack[stack.length - 1];
  if (result.isTensor()) output.inferTypeFrom(result.toTensor());
  state.setValue(result, output);
}
