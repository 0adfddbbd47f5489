/**
 * @file Sizes that vary, in the JSON text of a program: an expression is written as sympy's `srepr` writes it, with its value in the trace as a hint.
 * @mirrors torch/_export/serde/serialize.py#serialize_sym_int
 *
 *     2*s77 - 1   ->   {"as_expr": {"expr_str": "Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(-1))", "hint": {"as_int": 7}}}
 */
import { Exception, NotImplementedError, named } from "#c10/util/Exception";
import { as_float } from "#python/bridge/values";
import { dict_of, type PyDict } from "#python/Objects/dictobject";
import type { SymBool, SymFloat, SymInt } from "#torch/fx/experimental/sym_node";
import { ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { add, type Expr, type Factor, integer, mul, pow, Relation, symbol, type Term } from "#torch/utils/_sympy/expr";
import { apply } from "#torch/utils/_sympy/functions";
import { solve_for } from "#torch/utils/_sympy/solve";
import { ValueRanges } from "#torch/utils/_sympy/value_ranges";

export class SerializeError extends Exception {}
named(SerializeError, "SerializeError");

/** An object of the JSON text. */
export type Json = ReadonlyMap<string, unknown>;

/** A dict of Python with these keys. */
export const record = (fields: Readonly<Record<string, unknown>>): PyDict => dict_of(Object.entries(fields));

// Writing ------------------------------------------------------------------------------------------------------------------

const RELATIONS = {
  Eq: "Equality",
  Ne: "Unequality",
  "<": "StrictLessThan",
  "<=": "LessThan",
  ">": "StrictGreaterThan",
  ">=": "GreaterThan",
} as const;

/** `_print_sympy` */
export function print_sympy(expr: Expr | Relation, env: ShapeEnv): string {
  const number = (value: number): string => `Integer(${value})`;
  const factor = ([{ name, args }, power]: Factor): string => {
    const positive = env.size_symbols.has(name) ? "positive=True, " : "";
    const base =
      args === null
        ? `Symbol('${name}', ${positive}integer=True)`
        : `${name}(${args.map((arg) => print_sympy(arg, env)).join(", ")})`;
    return power === 1 ? base : `Pow(${base}, ${number(power)})`;
  };
  const term = ({ coefficient, factors }: Term): string => {
    const parts = [...(coefficient === 1 && factors.length > 0 ? [] : [number(coefficient)]), ...factors.map(factor)];
    return parts.length === 1 ? (parts[0] as string) : `Mul(${parts.join(", ")})`;
  };
  if (expr instanceof Relation)
    return `${RELATIONS[expr.op]}(${print_sympy(expr.lhs, env)}, ${print_sympy(expr.rhs, env)})`;
  if (expr.terms.length === 0) return number(0);
  return expr.terms.length === 1 ? term(expr.terms[0] as Term) : `Add(${expr.terms.map(term).join(", ")})`;
}

/** A number or a symbol, with the kind of its hint. */
function serialize(value: unknown, kind: "as_int" | "as_float" | null): PyDict {
  const { node } = value as SymInt | SymFloat | SymBool;
  const { hint, shape_env } = node;
  const expr_str = print_sympy(node.expr, shape_env);
  if (hint === null || kind === null) return record({ as_expr: record({ expr_str, hint: null }) });
  const shown = kind === "as_float" ? as_float(hint as number) : hint;
  return record({ as_expr: record({ expr_str, hint: record({ [kind]: shown }) }) });
}

/** An int that may be a symbol. */
export const serialize_sym_int = (value: unknown): PyDict =>
  typeof value === "number" ? record({ as_int: value }) : serialize(value, "as_int");
export const serialize_sym_float = (value: SymFloat): PyDict => serialize(value, "as_float");
export const serialize_sym_bool = (value: SymBool): PyDict => serialize(value, null);

/** The ranges of plain symbols. */
export function serialize_range_constraints(ranges: ReadonlyMap<unknown, unknown>): PyDict {
  const bound = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const result = record({});
  for (const [expr, range] of ranges as ReadonlyMap<Expr, ValueRanges>)
    result.set(String(expr), record({ min_val: bound(range.lower), max_val: bound(range.upper) }));
  return result;
}

// Reading ------------------------------------------------------------------------------------------------------------------

/** The parts of `Name(argument, ...)`. */
const TOKEN = /\s*(?:([A-Za-z_]\w*)\(|'([^']*)'|(\w+)=(\w+)|(-?\d+)|(\))|(,))/y;

const OF_RELATION = new Map<string, Relation["op"]>(
  Object.entries(RELATIONS).map(([op, name]) => [name, op as Relation["op"]]),
);

type Parsed = Expr | Relation | string | number;

/** The expression that such a text describes. */
class SympyReader {
  private readonly text: string;
  private readonly note: (name: string, is_size: boolean) => void;
  private at = 0;

  /** @param note hears of each symbol */
  constructor(text: string, note: (name: string, is_size: boolean) => void) {
    this.text = text;
    this.note = note;
  }

  private token(): RegExpExecArray {
    TOKEN.lastIndex = this.at;
    const found = TOKEN.exec(this.text);
    if (found === null) throw new SerializeError(`Cannot read the expression ${this.text}`);
    this.at = TOKEN.lastIndex;
    return found;
  }

  read(): Parsed {
    const [, name, text, , , number] = this.token();
    if (text !== undefined) return text;
    if (number !== undefined) return Number(number);
    if (name === undefined) throw new SerializeError(`Cannot read the expression ${this.text}`);
    const args: Parsed[] = [];
    const assumptions = new Set<string>();
    for (;;) {
      const start = this.at;
      const [, , , key, , , end, comma] = this.token();
      if (end !== undefined) break;
      if (comma !== undefined) continue;
      if (key !== undefined) assumptions.add(key);
      else {
        this.at = start;
        args.push(this.read());
      }
    }
    return this.made(name, args, assumptions);
  }

  private made(name: string, args: readonly Parsed[], assumptions: ReadonlySet<string>): Parsed {
    const exprs = args as readonly Expr[];
    const relation = OF_RELATION.get(name);
    if (relation !== undefined) return new Relation(relation, exprs[0] as Expr, exprs[1] as Expr);
    switch (name) {
      case "Symbol":
        this.note(args[0] as string, assumptions.has("positive"));
        return symbol(args[0] as string);
      case "Integer":
        return integer(args[0] as number);
      case "Add":
        return exprs.reduce(add);
      case "Mul":
        return exprs.reduce(mul);
      case "Pow":
        return pow(exprs[0] as Expr, (exprs[1] as Expr).constant as number);
      default:
        return apply(name, exprs);
    }
  }
}

/** The symbols of a program that is read. */
export class SymbolTable {
  readonly env = new ShapeEnv();
  private readonly ranges: ReadonlyMap<string, ValueRanges>;
  private readonly known = new Set<string>();
  /** Expressions whose values are known although their symbols' are not. */
  private readonly waiting: (readonly [Expr, number])[] = [];

  constructor(ranges: Json) {
    const bound = (value: unknown, otherwise: number): number => (value == null ? otherwise : Number(value));
    this.ranges = new Map(
      [...(ranges as ReadonlyMap<string, Json>)].map(([name, range]) => [
        name,
        new ValueRanges(bound(range.get("min_val"), -Infinity), bound(range.get("max_val"), Infinity)),
      ]),
    );
  }

  private readonly note = (name: string, is_size: boolean): void => {
    if (this.known.has(name)) return;
    this.known.add(name);
    this.env.var_to_range.set(name, this.ranges.get(name) ?? ValueRanges.UNKNOWN);
    if (is_size) this.env.size_symbols.add(name);
  };

  /** The expression of `{"as_expr": ...}`, or the number of `{"as_int": ...}`. */
  expr(json: Json): Expr {
    const given = json.get("as_int");
    return given == null ? (this.read(json) as Expr) : integer(Number(given));
  }

  read(json: Json): Expr | Relation {
    const { expr_str, hint } = Object.fromEntries(json.get("as_expr") as Json) as { expr_str: string; hint?: Json };
    const expr = new SympyReader(expr_str, this.note).read() as Expr | Relation;
    const value = hint?.get("as_int");
    if (value != null && !(expr instanceof Relation)) this.learn(expr, Number(value));
    return expr;
  }

  /** Finds the value of a symbol from that of an expression. */
  private learn(expr: Expr, value: number): void {
    const values = this.env.backed_var_to_val;
    const [name, ...others] = [...expr.free_symbols()].filter((each) => !values.has(each));
    if (name === undefined) return;
    const solved = others.length > 0 ? null : solve_for(new Relation("Eq", expr, integer(value)), name);
    const constant = solved === null ? null : (this.env.size_hint(solved.rhs) as number | null);
    if (constant === null) {
      this.waiting.push([expr, value]);
      return;
    }
    values.set(name, constant);
    for (const [other, hint] of this.waiting.splice(0)) this.learn(other, hint);
  }

  /** The value of an expression in the trace. */
  example(expr: Expr): number {
    const hint = this.env.size_hint(expr);
    if (typeof hint === "number") return hint;
    throw new NotImplementedError("torch.export.load is not implemented for sizes that depend on data");
  }

  range_constraints(): PyDict {
    const result = record({});
    for (const [name, range] of this.ranges) if (this.known.has(name)) result.set(symbol(name), range);
    return result;
  }
}
