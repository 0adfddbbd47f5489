/**
 * @file Graphs, nodes, values and types for Python: `torch._C.parse_ir`, `torch._C.Graph`, `torch._C._jit_pass_*`.
 * @mirrors torch/csrc/jit/python/python_ir.cpp
 *
 * The classes of `jit/ir` are Python's classes too. Here stand the methods that Python spells otherwise than C++.
 */
import { ClassType } from "#aten/core/class_type";
import { type ComplexDouble, IValue } from "#aten/core/ivalue";
import { type_of as ivalue_type } from "#aten/core/ivalue.impl";
import { TensorType, Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { print_type, unifyTypeList } from "#aten/core/type";
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { foreign_type } from "#python/bridge/foreign_types";
import { PyComplex } from "#python/Objects/complexobject";
import { define_attributes } from "#python/Objects/descrobject";
import { FloatValue } from "#python/Objects/floatobject";
import { define_methods } from "#python/Objects/methodobject";
import { PyTuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { THPVariable_Check } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { THPDevice_Check } from "#torch/csrc-equivalent/Device";
import { THPDtype_Check } from "#torch/csrc-equivalent/Dtype";
import { THPLayout_Check } from "#torch/csrc-equivalent/Layout";
import { THPMemoryFormat_Check } from "#torch/csrc-equivalent/MemoryFormat";
import { pybind_class, pybind_def } from "#torch/csrc-equivalent/utils/pybind";
import { AliasDb } from "../ir/alias_analysis.ts";
import { toIValue } from "../ir/constants.ts";
import { Block, findAllNodes, Graph, Node, Value } from "../ir/ir.ts";
import { parse_ir } from "../ir/irparser.ts";
import { recorded_pass } from "../recording.ts";
import { jit_passes, pass_signatures } from "./passes.ts";
import { toPyObject } from "./pybind_utils.ts";

/** A list whose element type is the common type of its elements. */
function inferList(items: readonly unknown[]): IValue {
  const values = items.map(toTypeInferredIValue);
  // A list of nothing is one of tensors, as in annotations.
  const types = values.map((value) => (value.isTensor() ? TensorType : ivalue_type(value)));
  const why: string[] = [];
  const element = values.length === 0 ? TensorType : unifyTypeList(types, why);
  if (element === null) throw new RuntimeError(`Could not infer type of list element: ${why.join("")}`);
  return IValue.fromList(new List(element, values));
}

/** Boxes a Python value by its own type. */
export function toTypeInferredIValue(value: unknown): IValue {
  if (value === null || value === undefined) return IValue.None;
  if (THPVariable_Check(value)) return IValue.fromTensor(value.cdata);
  if (typeof value === "boolean") return IValue.fromBool(value);
  if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value) && !Object.is(value, -0)))
    return IValue.fromInt(value);
  if (typeof value === "number" || value instanceof FloatValue) return IValue.fromDouble(Number(value));
  if (typeof value === "string") return IValue.fromString(value);
  if (value instanceof PyComplex) return IValue.fromComplexDouble(value as ComplexDouble);
  if (THPDtype_Check(value)) return IValue.fromInt(value.scalar_type);
  if (THPLayout_Check(value)) return IValue.fromInt(value.layout);
  if (THPMemoryFormat_Check(value)) return IValue.fromInt(value.memory_format);
  if (THPDevice_Check(value)) return IValue.opaque("Device", value.device);
  if (value instanceof PyTuple) return IValue.fromTuple([...value].map(toTypeInferredIValue));
  if (Array.isArray(value)) return inferList(value);
  throw new RuntimeError(`Tracer cannot infer type of ${type_of(value).name}`);
}

define_methods(foreign_type(Graph as never), {
  "str(self, print_source_ranges=True)": (self: Graph, ranges: boolean) => self.toString(ranges),
  "__repr__(self, /)": (self: Graph) => self.toString(),
  "insertConstant(self, value)": (self: Graph, value) => self.insertConstant(toTypeInferredIValue(value)),
  "alias_db(self, isFrozen=False, descend_function_calls=False)": (self: Graph, frozen: boolean) =>
    new AliasDb(self, frozen),
  "findNode(self, kind, recurse=True)": (self: Graph, kind: string, recurse: boolean) =>
    findAllNodes(self, kind, recurse)[0] ?? null,
  "findAllNodes(self, kind, recurse=True)": (self: Graph, kind: string, recurse: boolean) =>
    findAllNodes(self, kind, recurse),
});
/** The node or value of a graph that a method of AliasDb takes. */
function needs<T extends object>(value: unknown, cls: abstract new (...args: never[]) => T, name: string): T {
  if (value instanceof cls) return value;
  throw new TypeError_(`incompatible function arguments: expected torch._C.${name}, got ${type_of(value).name}`);
}

define_methods(foreign_type(AliasDb as never), {
  "has_writers(self, arg0)": (self: AliasDb, value) => self.hasWriters(needs(value, Value, "Value")),
  "may_contain_alias(self, arg0, arg1)": (self: AliasDb, a, b) =>
    self.mayContainAlias(needs(a, Value, "Value"), needs(b, Value, "Value")),
  "move_before_topologically_valid(self, arg0, arg1)": (self: AliasDb, node, point) =>
    self.moveBeforeTopologicallyValid(needs(node, Node, "Node"), needs(point, Node, "Node")),
  "move_after_topologically_valid(self, arg0, arg1)": (self: AliasDb, node, point) =>
    self.moveAfterTopologicallyValid(needs(node, Node, "Node"), needs(point, Node, "Node")),
});
define_methods(foreign_type(Node as never), {
  "__repr__(self, /)": (self: Node) => String(self),
  "inputsSize(self)": (self: Node) => self.inputs().length,
  "outputsSize(self)": (self: Node) => self.outputs().length,
  "inputsAt(self, i)": (self: Node, i: number) => self.input(i),
  "outputsAt(self, i)": (self: Node, i: number) => self.output(i),
  "sourceRange(self)": (self: Node) => self.sourceRange().highlight(),
  "schema(self)": (self: Node) => {
    const schema = self.maybeSchema();
    return schema === null ? "(no schema)" : String(schema);
  },
  "ival(self, name)": (self: Node, name: string) => toPyObject(self.ival(name)),
  "findNode(self, kind, recurse=True)": (self: Node, kind: string, recurse: boolean) =>
    findAllNodes(self.blocks(), kind, recurse)[0] ?? null,
  "findAllNodes(self, kind, recurse=True)": (self: Node, kind: string, recurse: boolean) =>
    findAllNodes(self.blocks(), kind, recurse),
});
define_methods(foreign_type(Value as never), {
  "__repr__(self, /)": (self: Value) => `${self.debugName()} defined in (${String(self.node()).trimEnd()})`,
  "inferTypeFrom(self, value)": (self: Value, value: unknown) => {
    if (!THPVariable_Check(value)) throw new TypeError_("inferTypeFrom(): incompatible function arguments.");
    self.inferTypeFrom(value.cdata);
    return null;
  },
  "toIValue(self)": (self: Value) => {
    const constant = toIValue(self);
    return constant === null ? null : toPyObject(constant);
  },
});
define_methods(foreign_type(Type as never), {
  "__repr__(self, /)": (self: Type) => self.annotation_str(),
  "str(self)": (self: Type) => print_type(self),
});
define_methods(foreign_type(ClassType as never), {
  "name(self)": (self: ClassType) => self.name().slice(self.name().lastIndexOf(".") + 1),
  "qualified_name(self)": (self: ClassType) => self.name(),
});
define_attributes(foreign_type(Type as never), {
  annotation_str: (self: Type) => self.annotation_str(),
});

/** The common type of a list of types. @throws {RuntimeError} if there is none */
function unify_type_list(types: readonly Type[]): Type {
  const why: string[] = [];
  const unified = unifyTypeList(types, why);
  if (unified === null) throw new RuntimeError(why.join(""));
  return unified;
}

const signatures = {
  parse_ir: "(input: str, parse_tensor_constants: bool = False) -> torch::jit::Graph",
  unify_type_list: "(arg0: collections.abc.Sequence[c10::Type]) -> c10::Type",
} as const;

type Pass = (graph: Graph, ...args: never[]) => unknown;

/** The passes, which tell a trace what they changed. */
function recorded_passes(): Record<string, Pass> {
  const recorded = ([name, pass]: [string, Pass]): [string, Pass] => [
    name,
    (graph, ...args) => recorded_pass(graph, (each) => pass(each, ...args), `torch._C._jit_pass_${name}`),
  ];
  return Object.fromEntries(Object.entries<Pass>(jit_passes).map(recorded));
}

/** Adds functions and classes to `torch._C`. */
export function initPythonIRBindings(m: Record<string, unknown>): void {
  pybind_class("torch::jit::Graph", (value) => value instanceof Graph);
  pybind_class("collections.abc.Sequence[c10::Type]", (value) => {
    return (Array.isArray(value) || value instanceof PyTuple) && [...value].every((each) => each instanceof Type);
  });
  Object.assign(m, { Graph, Node, Value, Block, AliasDb });
  pybind_def(m, signatures, { parse_ir, unify_type_list });
  const prefixed = <T>(table: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(table).map(([name, value]) => [`_jit_pass_${name}`, value]));
  pybind_def(m, prefixed(pass_signatures), prefixed(recorded_passes()));
}
