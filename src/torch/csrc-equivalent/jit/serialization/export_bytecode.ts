/**
 * @file The instructions of a module as the values that `bytecode.pkl` holds.
 * @mirrors torch/csrc/jit/serialization/export_bytecode.cpp
 *
 * One method in miniature, as nested tuples:
 *
 *     ("__torch__.Net.forward",
 *      (("instructions", (("STOREN", 1, 2), ("MOVE", 2, 0), ("OP", 0, 0), ("RET", 0, 0))),
 *       ("operators", (("aten::relu", "", 1),)),      name, overload, number of arguments that are written
 *       ("constants", ()), ("types", ()), ("register_size", 2)),
 *      (("arguments", ((("name", "x"), ("type", "Tensor"), ("default_value", None)),)), ("returns", (...))))
 */
import { ClassType } from "#aten/core/class_type";
import type { Argument, FunctionSchema } from "#aten/core/function_schema";
import { InterfaceType } from "#aten/core/interface_type";
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import { NamedTupleType } from "#aten/core/tuple_type";
import { annotation_str } from "#aten/core/type";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { GraphFunction } from "../api/function_impl.ts";
import type { ModuleObject } from "../api/module.ts";
import { findAllNodes, type Graph, type Node } from "../ir/ir.ts";
import { Inline } from "../passes/inliner.ts";
import { Instruction, isOpSupportedInMobile, Op, op_name } from "../runtime/instruction.ts";
import { MobileCodeImpl } from "../runtime/interpreter/mobile_code_impl.ts";
import type { TypeNameUniquer } from "./type_name_uniquer.ts";

/** `(("a", x), ("b", y))` */
function Table(entries: Readonly<Record<string, IValue>>): IValue {
  return IValue.fromTuple(
    Object.entries(entries).map(([name, value]) => IValue.fromTuple([IValue.fromString(name), value])),
  );
}

const strings = (...texts: readonly string[]): IValue[] => texts.map((text) => IValue.fromString(text));

// Note [Calls that bytecode keeps]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Everything that can be inlined is. What stays is a call of an interface's method. The file then has that method of each submodule that has
// one of this name, behind the methods of the module itself, and the interpreter looks it up by the class of the object.

/** A method and the name under which it is written. */
interface Exported {
  readonly name: string;
  readonly fn: GraphFunction;
  readonly code: MobileCodeImpl;
}

class BytecodeExportSet {
  private readonly items_ = new Map<string, Exported>();
  private readonly root_: ModuleObject;

  constructor(root: ModuleObject) {
    this.root_ = root;
  }

  /** The module's own methods come first, then what they call. */
  collect(): Exported[] {
    const toplevel = this.root_.methods().map((fn) => fn.qualname());
    for (const fn of this.root_.methods()) this.add(fn, fn.qualname());
    const all = [...this.items_.values()];
    const is_toplevel = (item: Exported): boolean => toplevel.includes(item.name);
    return [...all.filter(is_toplevel), ...all.filter((item) => !is_toplevel(item))];
  }

  private add(fn: GraphFunction, name: string): void {
    if (this.items_.has(name)) return;
    fn.ensure_defined();
    const graph = fn.graph().copy();
    Inline(graph);
    this.items_.set(name, { name, fn, code: new MobileCodeImpl(graph, fn.name()) });
    const called = interfaceCalls(graph);
    if (called.size === 0) return;
    for (const module of modules(this.root_)) {
      for (const method of module.methods()) {
        if (called.has(method.name())) this.add(method, method.qualname());
      }
    }
  }
}

/** Names of the methods that are called through interfaces. */
function interfaceCalls(graph: Graph): Set<string> {
  const calls = findAllNodes(graph, "prim::CallMethod", true);
  return new Set(
    calls.filter((node) => node.inputs()[0].type() instanceof InterfaceType).map((node) => node.s("name")),
  );
}

function* modules(module: ModuleObject): IterableIterator<ModuleObject> {
  yield module;
  for (const [, child] of module.named_children()) yield* modules(child);
}

/** The type of a container or a named tuple, which an instruction makes. */
function type_text(type: Type): string {
  if (type.kind() === "DictType") {
    return `Dict[${type.containedType(0).annotation_str()},${type.containedType(1).annotation_str()}]`;
  }
  const name = type.annotation_str();
  if (type instanceof NamedTupleType && type.name() !== null) {
    const fields = type.fieldNames().map((field, i) => `[${field}, ${type.containedType(i).annotation_str()}]`);
    return `${name}[NamedTuple, [${fields.join(",")}]]`;
  }
  TORCH_CHECK(
    !name.startsWith("__torch__") || name.startsWith("__torch__.torch.classes"),
    "__torch__ types other than custom c++ classes (__torch__.torch.classes)are not supported in lite interpreter. ",
    "Workaround: instead of using arbitrary class type (class Foo()), ",
    "define a pytorch class (class Foo(torch.nn.Module)). The problematic type is: ",
    name,
  );
  return name;
}

/** Refuses results that a program without classes could not take apart. */
function checkReturned(node: Node): void {
  for (const input of node.inputs()) {
    const kind = input.type().kind();
    if (kind !== "ListType" && kind !== "DictType") continue;
    for (const element of input.type().containedTypes()) {
      TORCH_CHECK(
        element.kind() !== "ClassType",
        "Returning a list or dictionary with pytorch class type ",
        "is not supported in mobile module ",
        "(List[Foo] or Dict[int, Foo] for class Foo(torch.nn.Module)). ",
        "Workaround: instead of using pytorch class as their element type, ",
        "use a combination of list, dictionary, and single types.",
      );
    }
  }
}

/** Instructions, names of operators, and constants. */
export function codeTable(code: MobileCodeImpl): IValue {
  const constants = [...code.constant_table_];
  const operators: IValue[] = [];
  const instructions = code.instructions_.map((instruction, i) => {
    const node = code.instructions_source_[i];
    if ((instruction.op === Op.OP || instruction.op === Op.OPN) && instruction.X === operators.length) {
      const { name, overload_name } = node.schema().operator_name();
      const num_args = code.num_specified_args(String(node.schema().operator_name()));
      operators.push(IValue.fromTuple([...strings(name, overload_name), IValue.fromInt(num_args)]));
    }
    if (instruction.op === Op.CALL && node.kind() === "prim::CallMethod") {
      // A method without a graph: it is looked up by name when it is called.
      constants.push(...strings(node.s("name")));
      return new Instruction(Op.INTERFACE_CALL, constants.length - 1, node.inputs().length);
    }
    if (instruction.op === Op.RET) checkReturned(node);
    TORCH_CHECK(isOpSupportedInMobile(instruction.op), op_name(instruction.op), " is not supported in mobile module.");
    return instruction;
  });
  return Table({
    instructions: IValue.fromTuple(
      instructions.map(({ op, X, N }) =>
        IValue.fromTuple([...strings(op_name(op)), IValue.fromInt(X), IValue.fromInt(N)]),
      ),
    ),
    operators: IValue.fromTuple(operators),
    constants: IValue.fromTuple(constants),
    types: IValue.fromTuple(strings(...code.type_table_.map(type_text))),
    register_size: IValue.fromInt(code.register_size_),
  });
}

/** Names, types and default values of arguments and results. The names of classes are those of the archive. */
function schemaTable(schema: FunctionSchema, uniquer: TypeNameUniquer): IValue {
  TORCH_CHECK(schema.overload_name() === "", "Overloads are not supported in mobile modules.");
  TORCH_CHECK(!schema.is_vararg(), "Python *args are not supported in mobile modules.");
  TORCH_CHECK(!schema.is_varret(), "A variable number of return values is not supported in mobile modules.");
  const name_of = (type: Type): string | null => (type instanceof ClassType ? uniquer.getUniqueName(type) : null);
  const arg_tables = (args: readonly Argument[]): IValue =>
    IValue.fromTuple(
      args.map((arg) => {
        TORCH_CHECK(arg.N() === null, "Arguments with known list lengths are not supported in mobile modules.");
        TORCH_CHECK(!arg.kwarg_only(), "Keyword-only arguments are not supported in mobile modules.");
        return Table({
          name: IValue.fromString(arg.name()),
          type: IValue.fromString(annotation_str(arg.type(), name_of)),
          default_value: arg.default_value() ?? IValue.None,
        });
      }),
    );
  return Table({ arguments: arg_tables(schema.arguments()), returns: arg_tables(schema.returns()) });
}

/** The methods of a module with their instructions: an element of `bytecode.pkl` each. */
export function bytecode_of(module: ModuleObject, uniquer: TypeNameUniquer): IValue[] {
  return new BytecodeExportSet(module)
    .collect()
    .map(({ name, fn, code }) =>
      IValue.fromTuple([...strings(name), codeTable(code), schemaTable(fn.getSchema(), uniquer)]),
    );
}

/** Operators that the methods of a module call, by their full names, sorted. */
export function export_opnames(module: ModuleObject): string[] {
  const names = new BytecodeExportSet(module).collect().flatMap(({ code }) =>
    code.instructions_.flatMap(({ op }, i) => {
      if (op !== Op.OP && op !== Op.OPN) return [];
      return [String(code.instructions_source_[i].schema().operator_name())];
    }),
  );
  return [...new Set(names)].sort();
}
