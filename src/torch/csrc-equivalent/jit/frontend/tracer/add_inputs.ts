/**
 * @file The inputs and outputs of a recorded operator, by the types of its schema.
 * @mirrors torch/csrc/jit/frontend/tracer.cpp#addInputs
 * @differs The type of an argument is asked at run time. PyTorch has an overload of `addInputs` for each C++ type.
 */
import type { Argument } from "#aten/core/function_schema";
import { IValue } from "#aten/core/ivalue";
import { FloatType, IntType, ListType, OptionalType, TensorType, type Type } from "#aten/core/jit_type";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { storage_use_count } from "#torch/csrc-equivalent/autograd/use_count";
import type { Node, Value } from "../../ir/ir.ts";
import { popIntArrayRef, popValue } from "./argument_stash.ts";
import { recordSourceLocation } from "./source_location.ts";
import { type TracingState, warn } from "./state.ts";

/** The value of an argument, which is a constant unless it is a tensor or was stashed. */
export function value_of_argument(state: TracingState, argument: Argument, given: IValue): Value {
  const declared = argument.real_type();
  const optional = declared.kind() === "OptionalType";
  const type = optional ? declared.containedType() : declared;
  const name = argument.name();
  switch (type.kind()) {
    case "TensorType":
      return given.isNone() ? state.insertNone() : state.getValue(given);
    case "ListType":
      return given.isNone()
        ? state.insertNone()
        : value_of_list(state, name, type.containedType(), argument.N(), given);
    case "IntType":
    case "SymIntType":
    case "NumberType": {
      const stashed = popValue(name);
      if (stashed !== null) return stashed;
      break;
    }
    case "GeneratorType":
      if (!given.isNone()) throw bad_argument_type("at::Generator");
      break;
    case "StorageType":
      throw bad_argument_type("at::Storage");
  }
  return given.isNone() ? state.insertNone() : state.insertConstant(as_int64(given));
}

/** The largest and smallest number stand for the ends of int64, as in slices (`INDEX_MAX` in aten/TensorIndexing.ts). */
function as_int64(given: IValue): IValue {
  if (given.payload === Number.MAX_SAFE_INTEGER) return IValue.fromInt(2n ** 63n - 1n);
  return given.payload === Number.MIN_SAFE_INTEGER ? IValue.fromInt(-(2n ** 63n)) : given;
}

function bad_argument_type(type: string): RuntimeError {
  return new RuntimeError(`Found an unsupported argument type in the JIT tracer: ${type}. File a bug report.`);
}

function value_of_list(state: TracingState, name: string, element: Type, N: number | null, given: IValue): Value {
  const items = given.toList().vec();
  switch (element.kind()) {
    case "TensorType":
      return state.list_of(TensorType, items);
    case "OptionalType":
      return state.list_of(OptionalType.ofTensor(), items);
    case "IntType":
    case "SymIntType":
      return list_of_numbers(state, IntType, items, popIntArrayRef(name));
    case "FloatType":
      return list_of_numbers(state, FloatType, items, null);
    case "BoolType":
      if (N !== null) {
        throw new RuntimeError("Found an unsupported argument type in the JIT tracer. File a bug report.");
      }
      TORCH_CHECK(false, "Tracing a list of bool type is currently not supported!");
      break;
  }
  TORCH_CHECK(false, "Tracing a list of arbitrary type is currently not supported!");
}

function list_of_numbers(
  state: TracingState,
  type: Type,
  items: readonly IValue[],
  stashed: readonly (Value | null)[] | null,
): Value {
  const { graph } = state;
  const values = items.map((item, i) => stashed?.[i] ?? state.insertConstant(item));
  return graph.insertNode(graph.createList(type, values)).output();
}

/** Makes the last output of a node the value of a result. An undefined tensor has no value. */
export function setOutput(state: TracingState, value: Value, output: Tensor): void {
  if (!output.defined()) return;
  value.inferTypeFrom(output);
  state.setValue(IValue.fromTensor(output), value);
}

export function addOutput(state: TracingState, node: Node, output: IValue, type: Type): void {
  if (type.kind() === "TensorType") {
    setOutput(state, node.addOutput(), output.toTensor());
    return;
  }
  if (type.kind() !== "ListType" || type.containedType().kind() !== "TensorType") {
    throw new RuntimeError(
      `Found an unsupported argument type ${type.annotation_str()} in the JIT tracer. File a bug report.`,
    );
  }
  const { graph } = state;
  const items = output.toList().vec();
  const list = node.addOutput().setType(ListType.create(TensorType));
  const unpack = graph.insertNode(graph.create("prim::ListUnpack", [list], items.length));
  for (const [i, item] of items.entries()) {
    const value = unpack.output(i);
    value.inferTypeFrom(item.toTensor());
    state.setValue(item, value);
  }
}

/** Warns if a tensor that is written to in place has other references, and the write is recorded as a functional operator. */
export function ensureUniqueIfOutOfPlaced(state: TracingState, name: string, tensor: Tensor): void {
  if (!state.force_outplace || !tensor.defined()) return;
  const aliases = storage_use_count(tensor);
  if (aliases <= 1) return;
  warn(
    `There are ${aliases} live references to the data region being modified when tracing in-place operator ${name}. This might cause the trace to be incorrect, because all other views that also reference this data will not reflect this change in the trace! On the other hand, if all other views use the same memory chunk, but are disjoint (e.g. are outputs of torch.split), this might still be safe.`,
  );
}

/** Creates the node of a call, and records where the call stands. */
export function begin_node(state: TracingState, kind: string): Node {
  const node = state.createNode(kind);
  recordSourceLocation(node);
  return node;
}
