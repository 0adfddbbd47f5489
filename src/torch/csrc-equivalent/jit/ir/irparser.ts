/**
 * @file The parser of a graph's text: what `str(graph)` prints, as far as a text can hold it.
 * @mirrors torch/csrc/jit/ir/irparser.cpp
 *
 * The text is not the whole graph. A name is kept for inputs of graphs and blocks only; other values get numbers in the order of the
 * text. Source ranges and subgraphs (`with prim::DifferentiableGraph_0 = ...`) are skipped. A tensor constant has no data: it becomes a
 * tensor of the printed type without defined elements.
 */

import { Dict } from "#aten/core/Dict";
import { IValue } from "#aten/core/ivalue";
import { BoolType, ComplexType, FloatType, IntType, StringType, TensorType, type Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { concrete_sizes, strides_of, tensor_facts } from "#aten/core/tensor_type";
import { hasFreeVariables } from "#aten/core/type";
import { empty_strided } from "#aten/generated/Functions";
import { TensorOptions } from "#c10/core/TensorOptions";
import { IndexError, TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { ErrorReport } from "../frontend/error_report.ts";
import { Lexer } from "../frontend/lexer.ts";
import { parseStringLiteral } from "../frontend/parse_string_literal.ts";
import { CompleteTypeParser } from "../frontend/schema_type_parser.ts";
import { Source } from "../frontend/source_range.ts";
import type { Block } from "./ir/block.ts";
import { Graph } from "./ir/graph.ts";
import type { Node } from "./ir/node.ts";
import { Value } from "./ir/value.ts";

/** Values by the name that they have in the text. */
export type ValueMap = Map<string, Value>;

/** A literal; a tensor is made when the type of its constant is known. */
type ParsedLiteral =
  | { readonly kind: "i" | "f" | "s" | "c"; readonly value: IValue; readonly element: Type }
  | { readonly kind: "ty"; readonly type: Type }
  | { readonly kind: "t" };

class IRParser {
  private readonly L: Lexer;
  private readonly graph: Graph;
  private readonly vmap: ValueMap;
  private readonly type_parser: CompleteTypeParser;
  private readonly parse_tensor_constants_: boolean;
  private readonly deferred_tensor_value_initializations_: Node[] = [];
  private readonly deferred_empty_container_initializations_: Node[] = [];

  constructor(text: string, graph: Graph, vmap: ValueMap, parse_tensor_constants: boolean) {
    this.L = new Lexer(new Source(text));
    this.graph = graph;
    this.vmap = vmap;
    this.type_parser = new CompleteTypeParser(this.L);
    this.parse_tensor_constants_ = parse_tensor_constants;
  }

  parse(): void {
    const { L } = this;
    L.expect("ident"); // "graph"; the name is not kept
    this.parseInputs(this.graph.block());
    L.expect(":");
    this.parseOperatorsList(this.graph.block());
    this.parseReturnOperator();
    for (const node of this.deferred_tensor_value_initializations_) makeTensor(node);
    for (const node of this.deferred_empty_container_initializations_) makeEmptyContainer(node);
  }

  /** `name`, `name.1` or a number, behind the sign. */
  private parseVar(): string {
    const { L } = this;
    L.expect("%");
    if (L.cur().kind !== "ident") return L.expect("number").text();
    let name = L.expect("ident").text();
    // The lexer reads `x.b.2` as an identifier, a point, another identifier, a number.
    for (;;) {
      if (L.cur().kind === "number") {
        const suffix = L.expect("number").text();
        TORCH_INTERNAL_ASSERT(suffix[0] === ".");
        name += suffix;
      } else if (L.cur().kind === ".") {
        L.next();
        name += `.${L.expect("ident").text()}`;
      } else {
        return name;
      }
    }
  }

  /** @param untyped The type of a variable without annotation. */
  private parseVarWithType(untyped: Type | null): { name: string; type: Type | null } {
    const name = this.parseVar();
    return { name, type: this.L.nextIf(":") ? this.parseType() : untyped };
  }

  private parseType(): Type {
    const { type, alias_info } = this.type_parser.parseType();
    TORCH_INTERNAL_ASSERT(alias_info === null, "Parsing IR with Alias Info not handled");
    return type;
  }

  private parseInputs(block: Block): void {
    this.parseList("(", ")", () => {
      const { name, type } = this.parseVarWithType(TensorType);
      const input = block.addInput(Value.isValidName(name) ? name : "").setType(type as Type);
      this.vmap.set(name, input);
    });
  }

  private parseReturnOperator(): void {
    const { L } = this;
    L.expect("return");
    this.parseList("(", ")", () => this.graph.registerOutput(this.findValue(this.parseVar())));
    if (L.cur().kind === "eof") return;
    L.expect("newline");
    L.expect("dedent");
  }

  private parseBlocks(parent: Node): void {
    const { L } = this;
    L.expect("indent");
    while (L.cur().kind !== "dedent") {
      const block = parent.addBlock();
      L.expect("ident"); // "block0"; the name is not kept
      this.parseInputs(block);
      L.expect(":");
      this.parseOperatorsList(block);
      L.expect("arrow");
      this.parseList("(", ")", () => block.registerOutput(this.findValue(this.parseVar())));
      L.expect("newline");
      L.expect("dedent");
    }
    L.expect("dedent");
  }

  private parseOperatorsList(block: Block): void {
    const { L } = this;
    L.expect("indent");
    while (L.cur().kind !== "arrow" && L.cur().kind !== "return") this.parseOperator(block);
  }

  /** `%a : int, %b = prim::Kind[attributes](%inputs)` and the blocks under it. */
  private parseOperator(block: Block): void {
    const { L } = this;
    const outs: { name: string; type: Type | null }[] = [];
    if (L.cur().kind === "%") {
      do outs.push(this.parseVarWithType(null));
      while (L.nextIf(","));
      L.expect("=");
    }
    const source_range = L.cur().range;
    const node = this.graph.create(this.parseOperatorName(), [], outs.length).setSourceRange(source_range);
    if (L.cur().kind === "[") this.parseList("[", "]", () => this.parseAttr(node));
    this.parseList("(", ")", () => node.addInput(this.findValue(this.parseVar())));

    const schema = node.maybeSchema();
    for (const [i, { name, type }] of outs.entries()) {
      const output = node.output(i);
      this.vmap.set(name, output);
      if (schema === null || schema.is_varret()) {
        output.setType(type ?? TensorType);
        continue;
      }
      const returns = schema.returns();
      if (i >= returns.length) {
        throw new IndexError(
          `Operator parsing error: out of bounds access at ${i} to schema->returns() which size is ${returns.length} in size`,
        );
      }
      const declared = returns[i].type();
      if (type !== null && !hasFreeVariables(declared) && !type.isSubtypeOf(declared)) {
        throw new ErrorReport(
          source_range,
          `Annotated type ${type.repr_str()} does not match schema type ${declared.repr_str()} for operator ${schema}`,
        );
      }
      output.setType(type ?? declared);
    }
    block.appendNode(node);
    if (L.cur().kind === "indent") this.parseBlocks(node);
    L.nextIf("newline");
  }

  private parseOperatorName(): string {
    const { L } = this;
    const namespace = L.expect("ident").text();
    L.expect(":");
    L.expect(":");
    return `${namespace}::${L.expect("ident").text()}`;
  }

  private parseAttr(node: Node): void {
    const { L } = this;
    const name = L.expect("ident").text();
    L.expect("=");
    if (L.cur().kind === "[") this.parseListAttr(node, name);
    else if (L.cur().text() === "annotate") this.parseEmptyContainer(node);
    else this.parseScalarAttr(node, name);
  }

  private parseScalarAttr(node: Node, name: string): void {
    const literal = this.parseScalarLiteral(node);
    switch (literal.kind) {
      case "ty":
        node.ty_(name, literal.type);
        break;
      case "s":
        node.s_(name, literal.value.toStringRef());
        break;
      case "i":
        node.i_(name, Number(literal.value.payload));
        if (literal.value.isInt()) node.i_(name, literal.value.payload as number | bigint);
        break;
      case "f":
        node.f_(name, literal.value.toDouble());
        break;
      case "c":
        node.c_(name, literal.value.toComplexDouble());
        break;
    }
  }

  /** All elements must be of one kind; a list without elements is None. */
  private parseListAttr(node: Node, name: string): void {
    const literals: ParsedLiteral[] = [];
    this.parseList("[", "]", () => {
      const literal = this.parseScalarLiteral(node);
      if (literal.kind === "t") throw new ErrorReport(this.L.cur().range, "Unexpected attr type");
      TORCH_INTERNAL_ASSERT(
        literals.length === 0 || literals[0].kind === literal.kind,
        `!elem_num++ || k == AttributeKind::${literal.kind}s`,
      );
      literals.push(literal);
    });
    if (literals.length === 0) {
      node.ival_(name, IValue.None);
      return;
    }
    if (literals[0].kind === "ty") {
      node.tys_(
        name,
        literals.map((literal) => (literal as { type: Type }).type),
      );
      return;
    }
    const scalars = literals as { value: IValue; element: Type }[];
    node.ival_(
      name,
      IValue.fromList(
        new List(
          scalars[0].element,
          scalars.map(({ value }) => (value.isBool() ? IValue.fromInt(Number(value.toBool())) : value)),
        ),
      ),
    );
  }

  /** `annotate(List[int], [])`: what stands in the brackets is not read; the type of the node's output says it. */
  private parseEmptyContainer(node: Node): void {
    const { L } = this;
    L.next();
    L.expect("(");
    const constructor = L.cur().text();
    if (constructor !== "List" && constructor !== "Dict")
      throw new ErrorReport(L.cur().range, "Unexpected annotation (only List and Dict can be parsed)");
    L.next();
    for (let depth = 0; depth > 0 || L.cur().kind !== ","; L.next()) {
      if (L.cur().kind === "[") depth++;
      else if (L.cur().kind === "]") depth--;
      else if (L.cur().kind === "eof") L.expect(",");
    }
    L.next();
    const [begin, end] = constructor === "List" ? ["[", "]"] : ["{", "}"];
    L.expect(begin);
    L.expect(end);
    L.expect(")");
    this.deferred_empty_container_initializations_.push(node);
  }

  private parseScalarLiteral(node: Node): ParsedLiteral {
    const { L } = this;
    const token = L.cur();
    switch (token.kind) {
      case "string_literal":
        L.next();
        return {
          kind: "s",
          value: IValue.fromString(parseStringLiteral(token.range, token.text())),
          element: StringType,
        };
      case "True":
      case "False":
        L.next();
        return { kind: "i", value: IValue.fromBool(token.kind === "True"), element: BoolType };
      case "-":
        L.next();
        if (L.cur().kind !== "number" && !isNamedNumber(L.cur().text())) {
          throw new ErrorReport(token.range, `Expected a number after '-' but got:${token.text()}`);
        }
        return this.parseNumber("-");
      case "number":
        return this.parseNumber("");
      case "ident":
        if (isNamedNumber(token.text())) return this.parseNumber("");
        if (token.text() === "torch") this.parseTorchFunction();
        return { kind: "ty", type: this.parseType() };
      case "<":
        L.next();
        if (L.expect("ident").text() !== "Tensor")
          throw new ErrorReport(token.range, `Could not parse literal${token.text()}`);
        if (!this.parse_tensor_constants_) {
          throw new ErrorReport(
            token.range,
            `Tensor constant encountered but \`parse_tensor_constants\` set to false${token.text()}`,
          );
        }
        L.expect(">");
        this.deferred_tensor_value_initializations_.push(node);
        return { kind: "t" };
      case "{":
        L.next();
        L.nextIf("-");
        L.expect("number");
        if (!this.parse_tensor_constants_) {
          throw new ErrorReport(
            token.range,
            `Single-element tensor constant encountered but \`parse_tensor_constants\` is set to false ${token.text()}`,
          );
        }
        L.expect("}");
        this.deferred_tensor_value_initializations_.push(node);
        return { kind: "t" };
      default:
        throw new ErrorReport(token.range, `Could not parse literal${token.text()}`);
    }
  }

  private parseNumber(sign: string): ParsedLiteral {
    const { L } = this;
    const token = L.next();
    const text = sign + token.text();
    if (/^-?(inf|nan)$/.test(text)) {
      const value = text.endsWith("nan") ? Number.NaN : sign === "-" ? -Infinity : Infinity;
      return { kind: "f", value: IValue.fromDouble(value), element: FloatType };
    }
    if (text.includes("j")) {
      const imag = Number(text.slice(0, -1));
      return { kind: "c", value: IValue.fromComplexDouble({ real: 0, imag }), element: ComplexType };
    }
    if (/[.e]/.test(text)) return { kind: "f", value: IValue.fromDouble(Number(text)), element: FloatType };
    const exact = BigInt(/^-?\d+/.exec(text)?.[0] ?? "0");
    if (BigInt.asIntN(64, exact) !== exact) throw new ErrorReport(token.range, "Number is too big");
    const value = Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
    return { kind: "i", value: IValue.fromInt(value), element: IntType };
  }

  /** A generator prints as a call, which cannot be made from text. */
  private parseTorchFunction(): never {
    const { L } = this;
    L.next();
    L.expect(".");
    const name = L.expect("ident");
    throw new ErrorReport(
      name.range,
      `Expected one of the following torch functions:\n- Generator\nGot: ${name.text()}`,
    );
  }

  private parseList(begin: string, end: string, parseItem: () => void): void {
    const { L } = this;
    L.expect(begin);
    if (L.cur().kind !== end) {
      do parseItem();
      while (L.nextIf(","));
    }
    L.expect(end);
  }

  private findValue(name: string): Value {
    const value = this.vmap.get(name);
    if (value === undefined) throw new ErrorReport(this.L.cur().range, `Cannot find a variable with name '${name}'`);
    return value;
  }
}

function isNamedNumber(text: string): boolean {
  return text === "inf" || text === "nan";
}

/** Gives a constant a tensor of the type of its output. */
function makeTensor(node: Node): void {
  const facts = tensor_facts(node.output().type());
  const sizes = concrete_sizes(facts.sizes);
  const strides = concrete_sizes(strides_of(facts));
  TORCH_INTERNAL_ASSERT(sizes !== null, "sizes");
  TORCH_INTERNAL_ASSERT(strides !== null, "strides");
  TORCH_INTERNAL_ASSERT(facts.device !== null, "device");
  TORCH_INTERNAL_ASSERT(facts.scalarType !== null, "dtype");
  const options = new TensorOptions().dtype(facts.scalarType).device(facts.device);
  node.t_("value", empty_strided([...sizes], [...strides], options));
}

function makeEmptyContainer(node: Node): void {
  const type = node.output().type();
  TORCH_CHECK(
    type.kind() === "ListType" || type.kind() === "DictType",
    `Expected the type of an empty constant to be a list or a dict, got ${type.repr_str()}`,
  );
  const empty =
    type.kind() === "ListType"
      ? IValue.fromList(new List(type.containedType()))
      : IValue.fromDict(new Dict(type.containedType(0), type.containedType(1)));
  node.ival_("value", empty);
}

/** Adds what the text describes to an empty graph. */
export function parseIR(text: string, graph: Graph, parse_tensor_constants = false, vmap: ValueMap = new Map()): void {
  new IRParser(text, graph, vmap, parse_tensor_constants).parse();
}

/** The graph that a text describes. */
export function parse_ir(text: string, parse_tensor_constants = false): Graph {
  const graph = new Graph();
  parseIR(text, graph, parse_tensor_constants);
  return graph;
}
