/**
 * @file The right side of an assignment: what a node computes, as an expression of Python.
 * @mirrors torch/csrc/jit/serialization/python_print.cpp#printRHS
 */
import type { ClassType } from "#aten/core/class_type";
import type { FunctionType } from "#aten/core/function";
import type { IValue } from "#aten/core/ivalue";
import { printQuotedString } from "#aten/core/ivalue_repr";
import { NoneType, OptionalType, type Type } from "#aten/core/jit_type";
import type { NamedTupleType } from "#aten/core/tuple_type";
import { elementTypeCanBeInferredFromMembers } from "#aten/core/type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { ErrorReport } from "../../frontend/error_report.ts";
import { toIValue } from "../../ir/constants.ts";
import type { Node } from "../../ir/ir.ts";
import { CalculateNecessaryArgs } from "../../runtime/calculate_necessary_args.ts";
import { isValidIdentifier } from "./names.ts";
import type { PrintState } from "./state.ts";
import type { TaggedStringStream } from "./tagged_string.ts";

type Printer = (state: PrintState, stmt: TaggedStringStream, node: Node) => void;

/** Operators that are called by the function of Python that they stand for. */
const override_symbols: ReadonlyMap<string, string> = new Map([
  ["aten::backward", "torch.autograd.backward"],
  ["aten::grad", "torch.autograd.grad"],
]);

function opName(kind: string): string {
  const [namespace, name] = kind.split("::");
  return override_symbols.get(kind) ?? (namespace === "aten" ? `torch.${name}` : `ops.${namespace}.${name}`);
}

/** `int(x)` */
const function_named =
  (name: string): Printer =>
  (state, stmt, node) =>
    state.printValueList(stmt, node.inputs(), `${name}(`, ")");

/** `annotate(TYPE, ...)` */
function annotated(state: PrintState, stmt: TaggedStringStream, node: Node, print: () => void): void {
  stmt.write(`annotate(${state.annotation(node.output().type())}, `);
  print();
  stmt.write(")");
}

const implicit_conversion: Printer = (state, stmt, node) =>
  annotated(state, stmt, node, () => stmt.write(state.useOf(node.input())));

/** `x[i]`; an expression that is not a name stands in parentheses. */
const printValueIndex: Printer = (state, stmt, node) => {
  const name = state.useOf(node.input(0)).str();
  stmt.write(isValidIdentifier(name) ? name : `(${name})`, "[", state.useOf(node.input(1)), "]");
};

const printConstant: Printer = (state, stmt, node) => {
  const type = node.output().type();
  if (type.kind() === "FunctionType") {
    state.deps.add(type as FunctionType);
    stmt.write(state.annotation(type));
  } else {
    stmt.write(node.mustBeNone() ? "None" : state.constant(toIValue(node.output()) as IValue));
  }
};

const printTuple: Printer = (state, stmt, node) => {
  const type = node.output().type();
  const is_named = type.fieldNames() !== null && (type as NamedTupleType).name() !== null;
  if (is_named) stmt.write(state.annotation(type));
  state.printValueList(stmt, node.inputs(), "(", node.inputs().length === 1 ? ",)" : ")");
};

/** Whether a list or dict of such elements says its own type. */
function tellsType(node: Node, elements: readonly Type[]): boolean {
  return node.inputs().length > 0 && elements.every(elementTypeCanBeInferredFromMembers);
}

const printList: Printer = (state, stmt, node) => {
  const print = (): void => state.printValueList(stmt, node.inputs(), "[", "]");
  if (tellsType(node, node.output().type().containedTypes())) print();
  else annotated(state, stmt, node, print);
};

const printDict: Printer = (state, stmt, node) => {
  const print = (): void => {
    stmt.write("{");
    for (const [i, input] of node.inputs().entries()) {
      stmt.write(i % 2 === 1 ? ": " : i === 0 ? "" : ", ", state.useOf(input));
    }
    stmt.write("}");
  };
  if (tellsType(node, node.output().type().containedTypes())) print();
  else annotated(state, stmt, node, print);
};

const printGetAttr: Printer = (state, stmt, node) => {
  const object = state.useOf(node.input(0));
  const field = node.s("name");
  if (isValidIdentifier(field)) stmt.write(object, ".", field);
  else stmt.write("getattr(", object, ", ", printQuotedString(field), ")");
};

/** Each argument of a call of a function or method is followed by a comma. */
function printArguments(state: PrintState, stmt: TaggedStringStream, node: Node): void {
  stmt.write("(");
  for (const argument of node.inputs().slice(1)) stmt.write(state.useOf(argument), ", ");
  stmt.write(")");
}

const printCallMethod: Printer = (state, stmt, node) => {
  const self = node.input(0);
  stmt.write("(", state.useOf(self), ").", node.s("name"));
  printArguments(state, stmt, node);
  const type = self.type();
  TORCH_INTERNAL_ASSERT(
    type.kind() === "ClassType" || type.kind() === "InterfaceType",
    "method call to unhandled type in serialization",
  );
  state.deps.add(type as ClassType);
};

/** The type of `_unwrap_optional(None)` would be lost without an annotation. */
const printUnwrapOptional: Printer = (state, stmt, node) => {
  const input = node.input();
  stmt.write(opName(node.kind()), "(");
  if (input.type().isSubtypeOf(NoneType) || input.mustBeNone()) {
    const type = OptionalType.create(node.output().type());
    stmt.write(`annotate(${state.annotation(type)}, `, state.useOf(input), ")");
  } else {
    stmt.write(state.useOf(input));
  }
  stmt.write(")");
};

const printUncheckedCast: Printer = (state, stmt, node) => {
  stmt.write(`unchecked_cast(${state.annotation(node.output().type())}, `, state.useOf(node.input()), ")");
};

const printIsinstance: Printer = (state, stmt, node) => {
  const names = node.tys("types").map((type) => state.annotation(type));
  stmt.write("isinstance(", state.useOf(node.input()), ", ");
  stmt.write(names.length === 1 ? names[0] : `(${names.join(", ")})`, ")");
};

const member_of_enum =
  (member: string): Printer =>
  (state, stmt, node) =>
    stmt.write("(", state.useOf(node.input()), `).${member}`);

/** A call of Python cannot be read again, but it can be shown. */
const printPythonOp: Printer = (state, stmt, node) => {
  const op = node as Node & { name?(): string; writeScalars?(): string };
  const name = op.name?.() ?? "";
  if (state.enforce_importable) {
    throw new ErrorReport(
      node.sourceRange(),
      `Could not export Python function call '${name}'. `,
      "Remove calls to Python functions before export. Did you forget to add @script or @script_method annotation? ",
      "If this is a nn.ModuleList, add it to __constants__",
    );
  }
  stmt.write(`^${name}${op.writeScalars?.() ?? ""}`);
  state.printValueList(stmt, node.inputs(), "(", ")");
};

/** `torch.add(x, y, alpha=2)`: arguments at the end that have their defaults are left out, and some are given by name. */
const printCall: Printer = (state, stmt, node) => {
  const formals = node.schema().arguments();
  const inputs = node.inputs();
  const { num_necessary, num_out } = CalculateNecessaryArgs(formals, inputs, true);
  stmt.write(opName(node.kind()), "(");
  for (const [i, input] of inputs.slice(0, num_necessary).entries()) {
    const formal = formals.at(i);
    // Operators such as `format` take more values than they have arguments.
    TORCH_INTERNAL_ASSERT(formal !== undefined || node.schema().is_vararg());
    stmt.write(i === 0 ? "" : ", ", formal?.kwarg_only() === true ? `${formal.name()}=` : "", state.useOf(input));
  }
  for (let i = formals.length - num_out; i < formals.length; i++) {
    const input = inputs[inputs.length - (formals.length - i)];
    stmt.write(", ", `${formals[i].name()}=`, state.useOf(input));
  }
  stmt.write(")");
};

const printers: Readonly<Record<string, Printer>> = {
  "prim::PythonOp": printPythonOp,
  "prim::Uninitialized": (state, stmt, node) => stmt.write(`uninitialized(${state.annotation(node.output().type())})`),
  "prim::Constant": printConstant,
  "aten::ScalarImplicit": implicit_conversion,
  "aten::FloatImplicit": implicit_conversion,
  "aten::IntImplicit": implicit_conversion,
  "aten::Int": function_named("int"),
  "aten::Float": function_named("float"),
  "aten::Bool": function_named("bool"),
  "aten::str": function_named("str"),
  "aten::__getitem__": printValueIndex,
  "prim::Print": function_named("print"),
  "aten::sorted": function_named("sorted"),
  "prim::TupleConstruct": printTuple,
  "prim::TupleIndex": (state, stmt, node) =>
    stmt.write("(", state.useOf(node.input(0)), ")[", state.useOf(node.input(1)), "]"),
  "prim::TupleSlice": (state, stmt, node) =>
    stmt.write("(", state.useOf(node.input()), `)[${node.i("beg")}:${node.i("end")}]`),
  "prim::ListConstruct": printList,
  "prim::DictConstruct": printDict,
  "prim::CreateObject": (state, stmt, node) => {
    const name = state.annotation(node.output().type());
    stmt.write(`${name}.__new__(${name})`);
  },
  "prim::GetAttr": printGetAttr,
  "prim::CallFunction": (state, stmt, node) => {
    stmt.write(state.useOf(node.input(0)));
    printArguments(state, stmt, node);
  },
  "prim::CallMethod": printCallMethod,
  "aten::_unwrap_optional": printUnwrapOptional,
  "prim::unchecked_unwrap_optional": printUncheckedCast,
  "prim::unchecked_cast": printUncheckedCast,
  "prim::isinstance": printIsinstance,
  "prim::tolist": (state, stmt, node) =>
    annotated(state, stmt, node, () => stmt.write(state.useOf(node.input(0)), ".tolist()")),
  "prim::EnumValue": member_of_enum("value"),
  "prim::EnumName": member_of_enum("name"),
};

export function printRHS(state: PrintState, stmt: TaggedStringStream, node: Node): void {
  (printers[node.kind()] ?? printCall)(state, stmt, node);
}
