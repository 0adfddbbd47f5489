/**
 * @file The parser of an operator's schema line: `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`.
 * @mirrors torch/csrc/jit/frontend/function_schema_parser.cpp
 * @differs It is in aten, because operators are registered there; in PyTorch it is in the JIT, which is in the same
 * library as the dispatcher.
 */
import { Device } from "#c10/core/Device";
import { Layout } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType } from "#c10/core/ScalarType";
import { IndexError, TORCH_CHECK, TORCH_INTERNAL_ASSERT, ValueError } from "#c10/util/Exception";
import { Argument, FunctionSchema } from "./function_schema.ts";
import { IValue } from "./ivalue.ts";
import { ListType, OptionalType, type Type, type TypeKind } from "./jit_type.ts";
import { List } from "./List.ts";
import { OperatorName } from "./operator_name.ts";
import { isIdentifier, Lexer, parseStringLiteral } from "./schema_lexer.ts";
import { SchemaTypeParser } from "./schema_type_parser.ts";
import { ErrorReport, type SourceRange } from "./source_range.ts";

/** at::Reduction::Mean. */
const REDUCTION_MEAN = 1;

/** Names that may be used as a default for an int. `float`, `complex` and `long` are old spellings of dtypes. */
const namedConstants: ReadonlyMap<string, number> = new Map([
  ["float", ScalarType.Float],
  ["complex", ScalarType.ComplexFloat],
  ["long", ScalarType.Long],
  ["strided", Layout.Strided],
  ["Mean", REDUCTION_MEAN],
  ["contiguous_format", MemoryFormat.Contiguous],
]);

class SchemaParser {
  private readonly L: Lexer;
  private readonly type_parser: SchemaTypeParser;

  constructor(text: string, allow_typevars: boolean) {
    this.L = new Lexer(text);
    this.type_parser = new SchemaTypeParser(this.L, allow_typevars);
  }

  /** Parses a schema, or only the name of an operator. */
  parseExactlyOneDeclaration(): FunctionSchema | OperatorName {
    const name = this.parseName();
    const result = this.L.cur().kind === "(" ? this.parseDeclaration(name) : name;
    this.L.expect("eof");
    return result;
  }

  parseName(): OperatorName {
    const { L } = this;
    let name = L.expect("ident").text();
    if (L.nextIf(":")) {
      L.expect(":");
      name = `${name}::${L.expect("ident").text()}`;
    }
    if (!L.nextIf(".")) return new OperatorName(name);
    const overload_name = L.expect("ident").text();
    TORCH_CHECK(
      overload_name !== "default" && !overload_name.startsWith("__"),
      overload_name,
      " is not a legal overload name for aten operators",
    );
    return new OperatorName(name, overload_name);
  }

  private parseDeclaration(name: OperatorName): FunctionSchema {
    const { L } = this;
    const args: Argument[] = [];
    const returns: Argument[] = [];
    let kwarg_only = false;
    let is_vararg = false;
    let is_varret = false;

    this.type_parser.parseList("(", ",", ")", () => {
      if (is_vararg) throw new ErrorReport(L.cur().range, "... must be the last element of the argument list");
      if (L.nextIf("*")) kwarg_only = true;
      else if (L.nextIf("dots")) is_vararg = true;
      else args.push(this.parseArgument(false, kwarg_only));
    });

    L.expect("arrow");
    if (L.nextIf("dots")) {
      is_varret = true;
    } else if (L.cur().kind === "(") {
      this.type_parser.parseList("(", ",", ")", () => {
        if (is_varret) throw new ErrorReport(L.cur().range, "... must be the last element of the return list");
        if (L.nextIf("dots")) is_varret = true;
        else returns.push(this.parseArgument(true, false));
      });
    } else {
      returns.push(this.parseArgument(true, false));
    }
    return new FunctionSchema(name, args, returns, is_vararg, is_varret);
  }

  private parseArgument(is_return: boolean, kwarg_only: boolean): Argument {
    const { L } = this;
    let { type: real_type, alias_info } = this.type_parser.parseType();
    let N: number | null = null;
    if (L.nextIf("[")) {
      // A list with a size, `int[2]`, can occur only at this level: its element has no size of its own.
      real_type = ListType.create(real_type);
      N = Number(L.expect("number").text());
      L.expect("]");
      alias_info = this.type_parser.parseContainerAnnotation(alias_info);
      if (L.nextIf("?")) real_type = OptionalType.create(real_type);
    }
    if (is_return) {
      const name = L.cur().kind === "ident" ? L.next().text() : "";
      return new Argument(name, real_type, { N, alias_info });
    }
    const name = L.expect("ident").text();
    const default_value = L.nextIf("=") ? this.parseDefaultValue(new Argument(name, real_type).type(), N) : null;
    return new Argument(name, real_type, { N, default_value, kwarg_only, alias_info });
  }

  private parseDefaultValue(type: Type, N: number | null): IValue {
    const { L } = this;
    const { range } = L.cur();
    switch (type.kind()) {
      case "TensorType":
      case "GeneratorType":
      case "QuantizerType":
        L.expect("None");
        return IValue.None;
      case "StringType":
      case "OptionalType":
      case "NumberType":
      case "IntType":
      case "BoolType":
      case "FloatType":
      case "ComplexType":
        return this.parseSingleConstant(type.kind());
      case "DeviceObjType":
        return IValue.opaque("Device", Device.parse(parseStringLiteral(range, L.expect("string_literal").text())));
      case "ListType": {
        const element = type.containedType();
        if (N === null || L.cur().kind === "[") return this.parseConstantList(element);
        const value = this.parseSingleConstant(element.kind());
        return this.convertToList(element, range, new Array<IValue>(N).fill(value));
      }
      default:
        throw new ErrorReport(range, "unexpected type, file a bug report");
    }
  }

  private parseConstantList(element: Type): IValue {
    const { L } = this;
    const { range } = L.expect("[");
    const values: IValue[] = [];
    if (L.cur().kind !== "]") {
      do values.push(this.parseSingleConstant(element.kind()));
      while (L.nextIf(","));
    }
    L.expect("]");
    return this.convertToList(element, range, values);
  }

  private convertToList(element: Type, range: SourceRange, values: IValue[]): IValue {
    switch (element.kind()) {
      case "ComplexType":
        return IValue.fromList(new List(element, values));
      case "FloatType":
        return IValue.fromList(
          new List(
            element,
            values.map((v) => (v.isInt() ? IValue.fromDouble(Number(v.payload)) : v)),
          ),
        );
      case "IntType":
      case "SymIntType":
        for (const v of values) TORCH_INTERNAL_ASSERT(v.isInt(), "expected int");
        return IValue.fromList(new List(element, values));
      case "BoolType":
        for (const v of values) TORCH_INTERNAL_ASSERT(v.isBool(), "expected bool");
        return IValue.fromList(new List(element, values));
      default:
        throw new ErrorReport(range, "lists are only supported for float, int and complex types");
    }
  }

  private parseSingleConstant(kind: TypeKind): IValue {
    const { L } = this;
    switch (L.cur().kind) {
      case "True":
        L.next();
        return IValue.True;
      case "False":
        L.next();
        return IValue.False;
      case "None":
        L.next();
        return IValue.None;
      case "string_literal": {
        const token = L.next();
        return IValue.fromString(parseStringLiteral(token.range, token.text()));
      }
      case "ident": {
        const value = namedConstants.get(L.next().text());
        if (value === undefined) throw new ErrorReport(L.cur().range, "invalid numeric default value");
        return IValue.fromInt(value);
      }
      default: {
        const sign = L.nextIf("-") ? "-" : "";
        return toNumber(sign + L.expect("number").text(), kind);
      }
    }
  }
}

function toNumber(text: string, kind: TypeKind): IValue {
  if (kind === "ComplexType" || text.includes("j")) {
    // Only imaginary numbers are accepted as a complex default: the last letter is taken as the `j`.
    const imag = Number(text.slice(0, -1));
    if (text.length < 2 || Number.isNaN(imag)) throw new ValueError("stod"); // std::invalid_argument, as pybind11 translates it
    return IValue.fromComplexDouble({ real: 0, imag });
  }
  if (kind === "FloatType" || text.includes(".") || text.includes("e")) return IValue.fromDouble(Number(text));
  const exact = BigInt(/^-?\d+/.exec(text)?.[0] ?? "0");
  if (BigInt.asIntN(64, exact) !== exact) throw new IndexError("stoll"); // std::out_of_range, as pybind11 translates it
  return IValue.fromInt(Number.isSafeInteger(Number(exact)) ? Number(exact) : exact);
}

/** Parses `add` or `add.Tensor` without a lexer: nearly every registered name has this form. Null for all others. */
function parsePlainName(text: string): OperatorName | null {
  const point = text.indexOf(".");
  if (point < 0) return isIdentifier(text) ? new OperatorName(text) : null;
  const name = text.slice(0, point);
  const overload_name = text.slice(point + 1);
  if (overload_name === "default" || overload_name.startsWith("__")) return null;
  return isIdentifier(name) && isIdentifier(overload_name) ? new OperatorName(name, overload_name) : null;
}

/** Parses a schema or an operator name. */
export function parseSchemaOrName(text: string, allow_typevars = true): FunctionSchema | OperatorName {
  return new SchemaParser(text, allow_typevars).parseExactlyOneDeclaration();
}

export function parseSchema(text: string, allow_typevars = true): FunctionSchema {
  const parsed = parseSchemaOrName(text, allow_typevars);
  TORCH_CHECK(
    parsed instanceof FunctionSchema,
    "Tried to parse a function schema but only the operator name was given",
  );
  return parsed;
}

export function parseName(text: string): OperatorName {
  const plain = parsePlainName(text);
  if (plain !== null) return plain;
  const parsed = parseSchemaOrName(text);
  TORCH_CHECK(!(parsed instanceof FunctionSchema), "Tried to parse an operator name but function schema was given");
  return parsed;
}
