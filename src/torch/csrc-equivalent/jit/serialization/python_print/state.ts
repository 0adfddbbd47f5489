/**
 * @file The state of printing: how each value is written, the constants and types that were met, the text so far.
 * @mirrors torch/csrc/jit/serialization/python_print.cpp#PythonPrintImpl
 */
import { ClassType } from "#aten/core/class_type";
import { EnumType } from "#aten/core/enum_type";
import type { FunctionType } from "#aten/core/function";
import { InterfaceType } from "#aten/core/interface_type";
import type { IValue } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import { repr } from "#aten/core/ivalue_repr";
import type { Type, TypePrinter } from "#aten/core/jit_type";
import { NamedTupleType } from "#aten/core/tuple_type";
import { annotation_str } from "#aten/core/type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { SourceRange } from "../../frontend/source_range.ts";
import type { Node, Value } from "../../ir/ir.ts";
import { InlinePlan } from "./inlining.ts";
import { makeValidIdentifier, NameTable } from "./names.ts";
import { TaggedStringStream } from "./tagged_string.ts";

/** A type with a qualified name, on which printed code depends. */
export type NamedType = ClassType | EnumType | InterfaceType | NamedTupleType | FunctionType;

/** The types that the code uses, in the order in which they were met. */
export class PrintDepsTable {
  private readonly table_: NamedType[] = [];

  add(type: NamedType): void {
    if (!this.table_.some((known) => known.equals(type))) this.table_.push(type);
  }
  size(): number {
    return this.table_.length;
  }
  at(i: number): NamedType {
    return this.table_[i];
  }
}

/** Arguments of a printer. */
export interface PrintOptions {
  /** Tensors, objects and texts beyond ASCII; the code calls them `CONSTANTS.c0` and so on. */
  readonly constant_table: IValue[];
  readonly deps_table: PrintDepsTable;
  readonly type_printer?: TypePrinter;
  /** Whether code that cannot be read again is an error. */
  readonly enforce_importable?: boolean;
}

export class PrintState {
  readonly source_ranges: SourceRange[];
  readonly body: TaggedStringStream;
  readonly inline = new InlinePlan();
  readonly names = new NameTable();
  readonly deps: PrintDepsTable;
  readonly enforce_importable: boolean;
  level = 0;
  /** The least version of archives whose operators mean what the printed ones do. */
  min_version = 0;

  private readonly constant_table_: IValue[];
  private readonly type_printer_: TypePrinter;
  private readonly expr_table_ = new Map<Value, TaggedStringStream>();
  private readonly ident_refs_ = new Map<Value, string>();

  constructor(options: PrintOptions, range: SourceRange) {
    this.source_ranges = [range];
    this.body = new TaggedStringStream(this.source_ranges);
    this.deps = options.deps_table;
    this.enforce_importable = options.enforce_importable ?? false;
    this.constant_table_ = options.constant_table;
    this.type_printer_ = options.type_printer ?? (() => null);
  }

  // Text

  stream(): TaggedStringStream {
    return new TaggedStringStream(this.source_ranges);
  }
  indent(): TaggedStringStream {
    for (let i = 0; i < this.level; i++) this.body.write("  ");
    return this.body;
  }
  indented(print: () => void): void {
    this.level++;
    print();
    this.level--;
  }
  /** Text that `print` writes comes from where the node comes from. */
  withSourceRange(node: Node, print: () => void): void {
    const range = node.sourceRange();
    this.source_ranges.push(range.findSourceRangeThatGenerated() ?? range);
    print();
    this.source_ranges.pop();
  }

  // Values

  /** How a value is written where it is used. */
  useOf(value: Value): TaggedStringStream {
    // A value that has been assigned is written by its name, also if it has an expression.
    const name = this.ident_refs_.get(value);
    if (name !== undefined) return this.stream().write(name);
    const expression = this.expr_table_.get(value);
    TORCH_INTERNAL_ASSERT(
      expression !== undefined,
      "Value was not present in either expressions table or ident refs table",
    );
    return expression;
  }
  assignName(value: Value, name: string): void {
    this.ident_refs_.set(value, name);
  }
  assignExpression(value: Value, expression: TaggedStringStream): void {
    this.expr_table_.set(value, expression);
  }
  hasExpression(value: Value): boolean {
    return this.expr_table_.has(value);
  }
  /** The name that the value has in the program, or one made of `_`. */
  genUniqueNameFor(value: Value): string {
    return this.names.genName(value.hasDebugName() ? makeValidIdentifier(value.debugNameBase()) : "_");
  }
  assignValuesToTheirUniqueNames(values: readonly Value[]): void {
    for (const value of values) this.assignName(value, this.genUniqueNameFor(value));
  }
  printValueList(stmt: TaggedStringStream, values: readonly Value[], begin = "", end = ""): void {
    stmt.write(begin);
    for (const [i, value] of values.entries()) stmt.write(i === 0 ? "" : ", ", this.useOf(value));
    stmt.write(end);
  }

  // Types and constants

  annotation(type: Type): string {
    return annotation_str(type, this.type_printer_);
  }

  /** Adds the named types in a type to the dependencies, also those of the attributes of a class. */
  registerClassDependencies(type: Type): void {
    if (type instanceof ClassType || type instanceof InterfaceType || type instanceof EnumType) this.deps.add(type);
    else if (type instanceof NamedTupleType && type.name() !== null) this.deps.add(type);
    for (const contained of type.containedTypes()) this.registerClassDependencies(contained);
  }

  constant(value: IValue): string {
    return repr(value, (inner) => {
      if (inner.isTensor() || inner.isObject() || containsNonASCIIString(inner)) {
        return `CONSTANTS.c${this.getOrAddConstant(inner)}`;
      }
      const type = inner.tag === "Tuple" ? type_of(inner) : null;
      if (!(type instanceof NamedTupleType)) return null;
      const elements = inner.toTuple();
      const inside = elements.map((element) => this.constant(element)).join(", ");
      return `${this.annotation(type)}(${inside}${elements.length === 1 ? ",)" : ")"}`;
    });
  }

  /** Equal tensors share a place in the table. */
  private getOrAddConstant(value: IValue): number {
    if (value.isTensor()) {
      const tensor = value.toTensor();
      const known = this.constant_table_.findIndex((other) => {
        if (!other.isTensor() || tensor.scalar_type() !== other.toTensor().scalar_type()) return false;
        return tensor.layout() === other.toTensor().layout() && tensor.equal(other.toTensor());
      });
      if (known >= 0) return known;
    }
    this.constant_table_.push(value);
    return this.constant_table_.length - 1;
  }
}

function containsNonASCIIString(value: IValue): boolean {
  switch (value.tag) {
    case "String":
      return /[^\0-\x7f]/.test(value.toStringRef());
    case "GenericList":
      return value.toList().vec().some(containsNonASCIIString);
    case "Tuple":
      return value.toTuple().some(containsNonASCIIString);
    case "GenericDict":
      return [...value.toGenericDict().entries()].some(
        ({ key, value: inner }) => containsNonASCIIString(key) || containsNonASCIIString(inner),
      );
    default:
      return false;
  }
}
