/**
 * @file The code of functions, methods and classes, as Python that the compiler reads back to the same graphs.
 * @mirrors torch/csrc/jit/serialization/python_print.cpp
 *
 * Note [Printed code]
 * ~~~~~~~~~~~~~~~~~~~
 *     graph(%x : Tensor):
 *       %one : int = prim::Constant[value=1]()
 *       %y : Tensor = aten::add(%x, %x, %one)         def f(x: Tensor) -> Tensor:
 *       %3 : Tensor = aten::sin(%y)                     y = torch.add(x, x)
 *       %4 : Tensor = aten::mul(%3, %y)                 return torch.mul(torch.sin(y), y)
 *       return (%4)
 * `inlining.ts` decides which nodes become part of an expression, `expressions.ts` writes what a node computes, `statements.ts` puts the
 * lines of a function together, and this file functions and classes. `state.ts` holds how each value is written, and collects what the code
 * depends on: constants that have no text, and named types.
 */
import { ClassType } from "#aten/core/class_type";
import { EnumType } from "#aten/core/enum_type";
import { type Function, FunctionType } from "#aten/core/function";
import type { Argument } from "#aten/core/function_schema";
import { InterfaceType } from "#aten/core/interface_type";
import { IValue } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import { BoolType, FloatType, IntType, StringType, type Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { SourceRange } from "../../frontend/source_range.ts";
import type { Graph } from "../../ir/ir.ts";
import { printer } from "../../recording.ts";
import { isValidIdentifier } from "./names.ts";
import { type NamedType, PrintDepsTable, type PrintOptions, PrintState } from "./state.ts";
import { StatementPrinter } from "./statements.ts";
import type { TaggedRange, TaggedStringStream } from "./tagged_string.ts";

export { type NamedType, PrintDepsTable } from "./state.ts";
export type { TaggedRange } from "./tagged_string.ts";

/** A function whose body is a graph. */
interface WithGraph extends Function {
  graph(): Graph;
}

function atom(qualified_name: string): string {
  return qualified_name.slice(qualified_name.lastIndexOf(".") + 1);
}

/** One number for all elements of a list of fixed length. */
function createBroadList(argument: Argument, value: IValue): IValue {
  const N = argument.N();
  TORCH_INTERNAL_ASSERT(N !== null, "expected broadcastinglist");
  const element = value.isInt() ? IntType : value.isBool() ? BoolType : FloatType;
  return IValue.fromList(new List(element, new Array<IValue>(N).fill(value)));
}

export class PythonPrint {
  private readonly state: PrintState;
  private readonly body: TaggedStringStream;
  private readonly statements: StatementPrinter;

  constructor(options: PrintOptions) {
    this.state = new PrintState(options, SourceRange.empty());
    this.body = this.state.body;
    this.statements = new StatementPrinter(this.state);
  }

  str(): string {
    return this.body.str();
  }
  ranges(): readonly TaggedRange[] {
    return this.body.ranges();
  }
  minVersion(): number {
    return this.state.min_version;
  }

  /** A method's `self` has no annotation. */
  printMethod(method: Function): void {
    this.printFunction(method, false);
  }

  printFunction(fn: Function, print_first_argument_type = true): void {
    TORCH_INTERNAL_ASSERT(fn.isGraphFunction());
    const { state, body } = this;
    const schema = fn.getSchema();
    const graph = (fn as WithGraph).graph();
    state.names.clear();
    state.withSourceRange(graph.param_node(), () => {
      state.indent().write("def ", fn.name(), "(");
      for (const [i, argument] of schema.arguments().entries()) {
        const type = argument.type();
        state.registerClassDependencies(type);
        const name = state.names.genName(argument.name());
        body.write(i === 0 ? "" : ",\n    ", name);
        if (i > 0 || print_first_argument_type) body.write(`: ${state.annotation(type)}`);
        const value = argument.default_value();
        if (value !== null) this.printDefaultValue(argument, value);
        state.assignName(graph.inputs()[i], name);
      }
      const returns = schema.returns()[0].type();
      body.write(`) -> ${state.annotation(returns)}:\n`);
      state.registerClassDependencies(returns);
      this.statements.printBody(graph.block());
    });
  }

  private printDefaultValue(argument: Argument, value: IValue): void {
    const one_for_all = argument.type().kind() === "ListType" && (value.isInt() || value.isDouble() || value.isBool());
    this.body.write("=", this.state.constant(one_for_all ? createBroadList(argument, value) : value));
  }

  printNamedType(type: NamedType): void {
    if (type instanceof FunctionType) this.printFunction(type.function());
    else if (type instanceof ClassType) this.printClass(type);
    else if (type instanceof InterfaceType) this.printInterface(type);
    else if (type instanceof EnumType) this.printEnum(type);
    else {
      this.body.write(`class ${atom(type.name() as string)}(NamedTuple):\n`);
      this.state.indented(() => {
        for (const field of type.schema().arguments()) this.line(`${field.name()} : ${this.annotation(field.type())}`);
      });
    }
  }

  private annotation(type: Type): string {
    return this.state.annotation(type);
  }
  private line(text: string): void {
    this.state.indent().write(text, "\n");
  }
  private names(name: string, names: readonly string[]): void {
    this.line(`${name} = [${names.map((item) => `"${item}", `).join("")}]`);
  }

  private printClass(type: ClassType): void {
    // A class that C++ defines is not written: whoever reads the archive has it.
    if (type.methods().some((method) => !method.isGraphFunction())) return;
    this.body.write(`class ${atom(type.name())}${type.is_module() ? "(Module)" : ""}:\n`);
    this.state.indented(() => {
      if (type.is_module()) this.printModuleFields(type);
      this.printAttributes(type);
      for (const method of type.methods()) this.printFunction(method);
      const hooks = (fns: readonly Function[], printed: Set<string>): void => {
        for (const hook of fns) {
          if (!printed.has(hook.name())) this.printFunction(hook);
          printed.add(hook.name());
        }
      };
      const printed = new Set<string>();
      hooks(type.getForwardHooks(), printed);
      hooks(type.getForwardPreHooks(), printed);
    });
  }

  private printModuleFields(type: ClassType): void {
    const of_kind = (kind: string): string[] =>
      type.getAttributes().flatMap((attribute) => (attribute.kind === kind ? [attribute.name] : []));
    this.names("__parameters__", of_kind("PARAMETER"));
    this.names("__buffers__", of_kind("BUFFER"));
    const hooks = (name: string, fns: readonly Function[]): void => {
      if (fns.length > 0)
        this.names(
          name,
          fns.map((fn) => fn.name()),
        );
    };
    hooks("__forward_pre_hooks__", type.getForwardPreHooks());
    hooks("__forward_hooks__", type.getForwardHooks());
  }

  private printAttributes(type: ClassType): void {
    const { state } = this;
    for (const [i, attribute] of type.getAttributes().entries()) {
      state.registerClassDependencies(attribute.type);
      const annotation = this.annotation(attribute.type);
      if (isValidIdentifier(attribute.name)) {
        this.line(`${attribute.name} : ${annotation}`);
      } else {
        // An element of a ModuleList: its name, `0`, is none of Python's.
        if (i === 0) this.line("__annotations__ = []");
        this.line(`__annotations__["${attribute.name}"] = ${annotation}`);
      }
    }
    for (const [i, name] of type.constantNames().entries()) {
      const value = type.constantValues()[i];
      this.line(`${name} : Final[${this.annotation(type_of(value))}] = ${state.constant(value)}`);
    }
  }

  private printInterface(type: InterfaceType): void {
    this.body.write(`class ${atom(type.name())}(${type.is_module() ? "ModuleInterface" : "Interface"}):\n`);
    this.state.indented(() => {
      for (const method of type.methods()) {
        this.state.indent().write(`def ${method.name()}(self`);
        for (const argument of method.arguments().slice(1)) {
          this.state.registerClassDependencies(argument.type());
          this.body.write(`, ${argument.name()}: ${this.annotation(argument.type())}`);
        }
        const returns = method.returns()[0].type();
        this.state.registerClassDependencies(returns);
        this.body.write(`) -> ${this.annotation(returns)}:\n`);
        this.line("  pass");
      }
    });
  }

  private printEnum(type: EnumType): void {
    this.body.write(`class ${atom(type.name())}(Enum):\n`);
    const quote = type.getValueType() === StringType ? '"' : "";
    this.state.indented(() => {
      for (const [name, value] of type.enumNamesValues()) this.line(`${name} = ${quote}${value}${quote}`);
    });
  }
}

/** The code of a function or, without the type of `self`, of a method. */
export function code_of(fn: Function, is_method: boolean, constant_table: IValue[] = []): string {
  fn.ensure_defined();
  return print_code(fn, is_method, constant_table);
}

/** The code of a function whose graph is there. */
function print_code(fn: Function, is_method: boolean, constant_table: IValue[] = []): string {
  const python = new PythonPrint({ constant_table, deps_table: new PrintDepsTable() });
  python.printFunction(fn, !is_method);
  return python.str();
}

printer.code_of = (fn, is_method) => {
  const python = new PythonPrint({ constant_table: [], deps_table: new PrintDepsTable() });
  python.printFunction(fn, !is_method);
  return code_lines(python.str().trimEnd(), python.ranges());
};

/** The lines of a printed text, each with the line of the program that its end comes from: its beginning may belong to the node around it. 0 if none is known. */
function code_lines(text: string, ranges: readonly TaggedRange[]): [text: string, source_line: number][] {
  let offset = 0;
  return text.split("\n").map((line) => {
    const last = offset + line.length - 1;
    offset += line.length + 1;
    const range = ranges.findLast(({ bytes }) => bytes <= last)?.range;
    return [line, range?.file_line_col()?.line ?? 0];
  });
}
