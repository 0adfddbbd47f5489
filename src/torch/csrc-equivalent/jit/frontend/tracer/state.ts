/**
 * @file The state of a trace: the graph so far, and the value that stands for each tensor.
 * @mirrors torch/csrc/jit/frontend/tracer.cpp#TracingState
 *
 * The mechanism in miniature, for `f(x) = x + x * 2`:
 *
 *     trace        %x = graph input; environment { x: %x }; the Tracer key is included
 *     aten::mul    inputs: x is in the environment -> %x; 2 is not -> %1 = prim::Constant
 *                  recording pauses, the operator runs, recording goes on
 *                  output: %2 with the type of the result; environment { x: %x, result: %2 }
 *     aten::add    inputs %x, %2 ...
 *     end          the returned tensor is in the environment -> the graph's output
 */
import { print as print_tensor } from "#aten/core/Formatting";
import type { IValue } from "#aten/core/ivalue";
import { print_ivalue } from "#aten/core/ivalue.impl";
import { ListType, OptionalType, StringType, TensorType, type Type } from "#aten/core/jit_type";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DispatchKey } from "#c10/core/DispatchKey";
import { tls_set_dispatch_key_included } from "#c10/core/impl/LocalDispatchKeySet";
import { RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { tryInsertConstant } from "../../ir/constants.ts";
import { Graph, type Node, type Value } from "../../ir/ir.ts";
import { node_traced } from "../../recording.ts";
import { type Recorder, setRecorder } from "../tracing.ts";
import { recordSourceLocation } from "./source_location.ts";

const STRICT_TRACER_MSG =
  " might cause the trace to be incorrect, this is only valid if the container structure does not change based on the module's inputs. Consider using a constant container instead (e.g. for `list`, use a `tuple` instead. for `dict`, use a `NamedTuple` instead). If you absolutely need this and know the side effects, pass strict=False to trace() to allow this behavior.";

/** Values by the identity of what they stand for: a tensor's implementation, an object, a future. */
type Frame = Map<object, Value>;

function identity(value: IValue): object {
  return value.isTensor() ? value.toTensor().impl_ : (value.payload as object);
}

export class TracingState {
  graph = new Graph();
  strict = true;
  /** Whether in-place operators are recorded as their functional variants. */
  force_outplace = false;
  /** The name of a tensor in the program that is traced; empty if it has none. */
  lookup_var_name_fn: (tensor: Tensor) => string = () => "";
  private readonly env_stack: Frame[] = [new Map()];

  enterFrame(): void {
    this.env_stack.push(new Map());
  }
  leaveFrame(): void {
    this.env_stack.pop();
  }
  private innermost(): Frame {
    return this.env_stack[this.env_stack.length - 1];
  }
  private find(value: IValue): Value | null {
    const key = identity(value);
    for (let i = this.env_stack.length - 1; i >= 0; i--) {
      const found = this.env_stack[i].get(key);
      if (found !== undefined) return found;
    }
    return null;
  }
  hasValue(value: IValue): boolean {
    return this.find(value) !== null;
  }
  delValue(value: IValue): void {
    for (const frame of this.env_stack) frame.delete(identity(value));
  }

  createNode(kind: string): Node {
    return this.graph.create(kind, 0);
  }
  insertNode(node: Node): void {
    this.graph.insertNode(node);
    node_traced(node);
  }
  insertNone(): Value {
    return this.graph.insertNode(this.graph.createNone()).output();
  }
  insertConstant(value: IValue): Value {
    const constant = this.graph.insertConstant(value);
    recordSourceLocation(constant.node());
    return constant;
  }

  /** The value that computes `value`. What the trace does not know becomes a constant. */
  getValue(value: IValue): Value {
    const { graph } = this;
    if (value.isTensorList()) return this.list_of(TensorType, value.toList().vec());
    if (value.isOptionalTensorList()) return this.list_of(OptionalType.ofTensor(), value.toList().vec());
    if (value.isTuple()) {
      return graph.insertNode(graph.createTuple(value.toTuple().map((item) => this.getValue(item)))).output();
    }
    if (value.isTensor()) return this.value_of_tensor(value);
    if (value.isFuture() || value.isObject()) {
      const found = this.find(value);
      if (found !== null) return found;
      throw new RuntimeError(
        value.isFuture()
          ? "Tried to trace Future or Object that the tracer was not aware of."
          : `Tried to trace ${print_ivalue(value)} but it is not part of the active trace. Modules that are called during a trace must be registered as submodules of the thing being traced.`,
      );
    }
    const constant = tryInsertConstant(graph, value);
    if (constant === null) {
      throw new RuntimeError(
        `Tracer cannot get value trace for type ${value.tagKind()}. The below value could not be materialized as a constant:\n${print_ivalue(value)}`,
      );
    }
    recordSourceLocation(constant.node());
    return constant;
  }

  /** A list whose elements the trace computes. */
  list_of(element: Type, items: readonly IValue[]): Value {
    const { graph } = this;
    const values = items.map((item) => (item.isNone() ? this.insertNone() : this.getValue(item)));
    return graph.insertNode(graph.createList(element, values)).output();
  }

  private value_of_tensor(value: IValue): Value {
    const tensor = value.toTensor();
    if (!tensor.defined()) return this.insertNone();
    const found = this.find(value);
    if (found !== null) {
      if (!found.hasDebugName()) {
        const name = this.lookup_var_name_fn(tensor);
        if (name !== "") found.setDebugName(name);
      }
      return found;
    }
    if (tensor.requires_grad()) {
      const text = without_recording(() => print_tensor(tensor));
      throw new RuntimeError(
        `Cannot insert a Tensor that requires grad as a constant. Consider making it a parameter or input, or detaching the gradient\nTensor:\n${text}`,
      );
    }
    const constant = this.insertConstant(value);
    constant.inferTypeFrom(tensor);
    this.innermost().set(identity(value), constant);
    return constant;
  }

  /** From now on `value` is what computes `v`. The elements of a container are unpacked. */
  setValue(v: IValue, value: Value): void {
    const { graph } = this;
    if (v.isTensor()) {
      TORCH_INTERNAL_ASSERT(v.toTensor().defined());
      this.innermost().set(identity(v), value);
    } else if (v.isList()) {
      const items = v.toList().vec();
      this.setElements(items, graph.insertNode(graph.createListUnpack(value, items.length)).outputs());
    } else if (v.isTuple()) {
      this.setElements(v.toTuple(), graph.insertNode(graph.createTupleUnpack(value)).outputs());
    } else if (v.isFuture() || v.isObject()) {
      this.innermost().set(identity(v), value);
    } else if (v.isGenericDict()) {
      const dict = v.toGenericDict();
      const entries = [...dict.entries()];
      const unpack = (kind: string, of: Type): readonly Value[] => {
        const list = graph
          .insertNode(graph.create(kind, [value]))
          .output()
          .setType(ListType.create(of));
        return graph.insertNode(graph.createListUnpack(list, dict.size())).outputs();
      };
      if (dict.keyType().kind() === "TensorType") {
        const keys = entries.map(({ key }) => key);
        this.setElements(keys, unpack("aten::keys", dict.keyType()));
      }
      if (dict.valueType().kind() === "TensorType") {
        const values = entries.map((entry) => entry.value);
        this.setElements(values, unpack("aten::values", dict.valueType()));
      }
    } else {
      throw new RuntimeError(
        `Tracer cannot set value trace for type ${v.tagKind()}. Supported types are tensor, tensor list, and tuple of tensors.`,
      );
    }
  }

  private setElements(items: readonly IValue[], values: readonly Value[]): void {
    for (const [i, item] of items.entries()) this.setValue(item, values[i]);
  }

  /** The value of a result of the traced function. @param i its number in messages */
  getOutput(value: IValue, i: number): Value {
    const { graph } = this;
    if (value.isTensor()) {
      if (!value.toTensor().defined()) return this.insertNone();
      const found = this.innermost().get(identity(value));
      if (found !== undefined) return found;
      const text = without_recording(() => print_tensor(value.toTensor()));
      throw new RuntimeError(
        `output ${i} (${text}) of traced region did not have observable data dependence with trace inputs; this probably indicates your program cannot be understood by the tracer.`,
      );
    }
    if (value.isTensorList()) {
      if (this.strict) warn("Encountering a list at the output of the tracer", STRICT_TRACER_MSG);
      const items = value.toList().vec();
      const values = items.map((item) => this.getOutput(item, i));
      return graph.insertNode(graph.createList(TensorType, values)).output();
    }
    if (value.isTuple()) {
      const values = value.toTuple().map((item) => this.getOutput(item, i));
      return graph.insertNode(graph.createTuple(values)).output();
    }
    if (value.isGenericDict()) return this.dict_output(value, i);
    TORCH_CHECK(
      false,
      "Only tensors, lists, tuples of tensors, or dictionary of tensors can be output from traced functions",
    );
  }

  private dict_output(value: IValue, i: number): Value {
    if (this.strict) {
      throw new RuntimeError(`Encountering a dict at the output of the tracer${STRICT_TRACER_MSG}`);
    }
    const dict = value.toGenericDict();
    const [key_type, value_type] = [dict.keyType(), dict.valueType()];
    const keys_fit = key_type.isSubtypeOf(StringType) || key_type.isSubtypeOf(TensorType);
    if (!keys_fit || !value_type.isSubtypeOf(TensorType)) {
      throw new RuntimeError(
        `output ${i} (${print_ivalue(value)}) of traced region cannot be understood by the tracer, only dict[str, Tensor] or dict[Tensor, Tensor] can be a dictionary output of a traced function`,
      );
    }
    const keys: Value[] = [];
    const values: Value[] = [];
    for (const entry of dict.entries()) {
      keys.push(this.getValue(entry.key));
      values.push(this.getOutput(entry.value, i));
    }
    return this.graph.insertNode(this.graph.createDict(key_type, value_type, keys, values)).output();
  }
}

let tracing_state: TracingState | null = null;

export function getTracingState(): TracingState | null {
  return tracing_state;
}

export function isTracing(): boolean {
  return tracing_state !== null;
}

/** The recorder of the bindings while a program is traced; `recorder.ts` sets it. */
export const recording: { recorder: Recorder | null } = { recorder: null };

/** Begins, pauses (null) or goes on with a trace: operators are recorded if and only if the Tracer key is included. */
export function setTracingState(state: TracingState | null): void {
  tracing_state = state;
  tls_set_dispatch_key_included(DispatchKey.Tracer, state !== null);
  setRecorder(state === null ? null : recording.recorder);
}

export function without_recording<T>(run: () => T): T {
  const state = tracing_state;
  setTracingState(null);
  try {
    return run();
  } finally {
    setTracingState(state);
  }
}

/** Gives a warning to Python; `python_tracer.ts` sets it. */
export const warn_callback: { warn: (message: string) => void } = { warn: () => {} };

export function warn(reason: string, kind = ""): void {
  if (tracing_state !== null) warn_callback.warn(reason + kind);
}
