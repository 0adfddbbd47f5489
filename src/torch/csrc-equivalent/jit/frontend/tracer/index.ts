/**
 * @file `trace`: runs a function once and returns the graph of what it did.
 * @mirrors torch/csrc/jit/frontend/tracer.cpp
 */
import type { ClassType } from "#aten/core/class_type";
import { Dict } from "#aten/core/Dict";
import { IValue } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import { TensorType, TupleType, type Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import type { Stack } from "#aten/core/stack";
import { tensor_type_from } from "#aten/core/tensor_type";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";
import { ModuleObject } from "../../api/module.ts";
import type { Value } from "../../ir/ir.ts";
import { FixupTraceScopeBlocks } from "../../passes/fixup_trace_scope_blocks/index.ts";
import { graph_made } from "../../recording.ts";
import { begin_node } from "./add_inputs.ts";
import { clearStash } from "./argument_stash.ts";
import "./recorder.ts";
import { isTracing, setTracingState, TracingState } from "./state.ts";

/** The type of a value with the sizes, strides and dtypes of its tensors. */
function type_with_sizes(value: IValue): Type {
  if (value.isTensor()) return tensor_type_from(value.toTensor());
  if (value.isTuple() && value.toTuple().named_type === undefined) {
    return TupleType.create(value.toTuple().map(type_with_sizes));
  }
  return type_of(value);
}

/** Makes `value` the value of an input; the elements of a container are unpacked. Returns the input as the function receives it. */
function addInput(state: TracingState, input: IValue, type: Type, value: Value): IValue {
  const { graph } = state;
  value.setType(type);
  if (type.isSubtypeOf(TensorType)) {
    // A tensor that is given twice is two inputs.
    const known = state.hasValue(input);
    const tensor = known ? input.toTensor().view(input.toTensor().sizes()) : input.toTensor();
    const boxed = IValue.fromTensor(tensor);
    state.setValue(boxed, value);
    return boxed;
  }
  switch (type.kind()) {
    case "TupleType": {
      const values = graph.insertNode(graph.createTupleUnpack(value)).outputs();
      const types = type.containedTypes();
      return IValue.fromTuple(input.toTuple().map((item, i) => addInput(state, item, types[i], values[i])));
    }
    case "DictType": {
      const given = input.toGenericDict();
      const dict = new Dict(given.keyType(), given.valueType());
      for (const entry of given.entries()) {
        const key = graph.insertConstant(entry.key);
        const node = begin_node(state, "aten::__getitem__");
        node.addInput(value);
        node.addInput(key);
        const item = graph.insertNode(node).addOutput();
        dict.insert(entry.key, addInput(state, entry.value, type_with_sizes(entry.value), item));
      }
      return IValue.fromDict(dict);
    }
    case "ListType": {
      const items = input.toList().vec();
      const values = graph.insertNode(graph.createListUnpack(value, items.length)).outputs();
      const of = type.containedType();
      return IValue.fromList(
        new List(
          of,
          items.map((item, i) => addInput(state, item, type_with_sizes(item), values[i])),
        ),
      );
    }
  }
  TORCH_CHECK(
    false,
    "Only tensors or (possibly nested) dict or tuples of tensors can be inputs to traced functions. Got ",
    type.annotation_str(),
  );
}

/** Gives each attribute of a module, and of those below it, a node that later becomes a path of attributes. */
function gatherParametersAndBuffers(state: TracingState, self_value: Value, self: ModuleObject, prefix: string): void {
  const { graph } = state;
  state.setValue(self.ivalue(), self_value);
  for (const { name, type } of self.type().getAttributes()) {
    const value = self.attr(name);
    const qualname = `${prefix}.${name}`;
    const found = type_with_sizes(value);
    const attribute = graph.insertNode(graph.create("prim::TracedAttr")).s_("scope", qualname).output().setType(found);
    if (found.isSubtypeOf(TensorType)) addInput(state, value, found, attribute);
    if (type.kind() === "ClassType" && (type as ClassType).is_module()) {
      gatherParametersAndBuffers(state, attribute, new ModuleObject(value.toObject()), qualname);
    }
  }
}

/** How a function is traced. */
export interface TraceOptions {
  readonly lookup_var_name_fn: (tensor: Tensor) => string;
  readonly strict: boolean;
  readonly force_outplace: boolean;
  /** The module whose method is traced; null for a function. */
  readonly self: ModuleObject | null;
  /** The names of the inputs; if there are too few, none is used. */
  readonly argument_names: readonly string[];
}

/** Runs `traced_fn` once. @returns the state, whose graph is complete, and what the function returned */
export function trace(
  inputs: Stack,
  traced_fn: (inputs: Stack) => Stack,
  options: TraceOptions,
): [TracingState, Stack] {
  TORCH_CHECK(!isTracing(), "Tracing can't be nested");
  const state = new TracingState();
  try {
    setTracingState(state);
    const { self, argument_names } = options;
    if (self !== null) {
      const self_value = state.graph.insertInput(0, "self").setType(self.type());
      gatherParametersAndBuffers(state, self_value, self, "__module");
    }
    const named = argument_names.length >= inputs.length;
    const traced_inputs = inputs.map((input, i) => {
      const value = state.graph.addInput(named ? argument_names[i] : "");
      return addInput(state, input, type_with_sizes(input), value);
    });
    state.lookup_var_name_fn = options.lookup_var_name_fn;
    state.strict = options.strict;
    state.force_outplace = options.force_outplace;
    const out_stack = traced_fn(traced_inputs);
    for (const [i, output] of out_stack.entries()) {
      state.graph.registerOutput(state.getOutput(output, out_stack.length - i));
    }
    setTracingState(null);
    FixupTraceScopeBlocks(state.graph, self);
    graph_made("torch::jit::tracer::trace", state.graph, "a run was recorded");
    return [state, out_stack];
  } finally {
    setTracingState(null);
    clearStash();
  }
}
