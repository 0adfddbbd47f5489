/**
 * @file The printer of a graph of values as the body of a WGSL function.
 *
 *   prelu float32 (input: float32, weight: float32) -> float32        one head for each dtype that computes the same
 *     return select(weight * input, input, (input > 0.0f));
 *
 * float32 and the halves are computed in f32, bool and narrow integers in i32, int64 in vec2<u32>, low word first. A
 * value that is used once is written where it is used. WGSL's own exp, log, tanh, pow are never called: they differ by
 * machine, and results for NaN, infinities and the ends of the range are undefined.
 * @mirrors aten/src/ATen/native/cuda/jit_utils.cpp
 * @differs The text is generated from the CPU's scalar function; in PyTorch jit_utils.cpp passes hand-written text to NVRTC.
 * @see helpers.ts (what bodies call), aten/cpu/vec/ir.ts, tools/codegen/dest/wgsl.ts (who commits it)
 */
import { computed_in, is_comparison, type Kernel, print_head, type Value, type ValueType } from "../../cpu/vec/ir.ts";

// Note [NaN in WGSL]
// ~~~~~~~~~~~~~~~~~~
// WGSL lets an implementation assume that NaN and infinity do not occur, and some do. So tests for NaN look at the
// bits. `a != b` is a function, because the machine's answer for NaN is false. The smaller and larger of two are chosen
// by a comparison, never by min and max. `x * 0` is a function, because some compilers replace it by 0. Infinity and
// NaN may not even be written as constants, so they are the bits of a variable whose value no compiler knows.

/** The type that a value has in WGSL. */
export const WGSL_TYPES: Readonly<Record<Exclude<ValueType, "f64">, string>> = {
  f32: "f32",
  i32: "i32",
  i64: "vec2<u32>",
  mask: "bool",
};

export function wgsl_type(type: ValueType): string {
  if (type === "f64") throw new Error("WGSL has no float64");
  return WGSL_TYPES[type];
}

/** The beginning of a line that holds the text of a condition. */
export const ASSERTS = "asserts ";

/**
 * Prints bodies. Kernels of several dtypes that compute the same share one body, below all their heads; the asserted
 * conditions stand between.
 */
export function print_bodies(kernels: readonly Kernel[]): string {
  const heads = new Map<string, string[]>();
  for (const kernel of kernels) {
    const asserts = kernel.asserts.map(({ text }) => `${ASSERTS}${text}`);
    const body = [...asserts, ...print_body(kernel)].join("\n");
    const same = heads.get(body);
    if (same === undefined) heads.set(body, [print_head(kernel)]);
    else same.push(print_head(kernel));
  }
  return [...heads].map(([body, of]) => [...of, body].join("\n")).join("\n");
}

/** Prints a whole function, for others to call. A mask is returned as a mask. */
export function print_function(kernel: Kernel): string {
  const result = wgsl_type(kernel.outputs[0].value.type);
  const body = new BodyPrinter(kernel, true).print();
  return [`fn ${kernel.name}(${parameters(kernel.inputs)}) -> ${result} {`, ...body, "}"].join("\n");
}

/** Parameters and results of a scalar function, by dtype. */
export interface Signature {
  /** `prelu float32` */
  readonly name: string;
  readonly inputs: readonly { readonly name: string; readonly dtype: string }[];
  readonly captures: readonly { readonly name: string; readonly type: ValueType }[];
  readonly outputs: readonly { readonly dtype: string }[];
}

/** A scalar function around its body, `prelu_float32`. Several results are a struct, `outputs_t`. */
export function scalar_function(signature: Signature, body: string): string {
  const { inputs, captures, outputs } = signature;
  const of_captures = captures.map(({ name, type }) => `${identifier(name)}: ${wgsl_type(type)}`);
  const params = [parameters(inputs), ...of_captures].filter((text) => text !== "").join(", ");
  const results = outputs.map(({ dtype }) => type_of(dtype));
  const struct = `struct outputs_t { ${results.map((type, k) => `x${k}: ${type}`).join(", ")} }\n`;
  const result = results.length === 1 ? results[0] : "outputs_t";
  const head = `fn ${function_name(signature.name)}(${params}) -> ${result} {`;
  return `${results.length === 1 ? "" : struct}${head}\n${body}\n}`;
}

export function function_name(name: string): string {
  return name.replaceAll(" ", "_");
}

/** The WGSL type in which elements of a dtype are computed. */
export function type_of(dtype: string): string {
  return wgsl_type(computed_in(dtype) as ValueType);
}

/**
 * Name of the function that a body calls for a condition; the code around the body defines it and knows the conditions' texts.
 */
const ASSERT = "kernel_assert";

function parameters(inputs: Signature["inputs"]): string {
  return inputs.map(({ name, dtype }) => `${identifier(name)}: ${type_of(dtype)}`).join(", ");
}

/** The lines of a body. A mask that is stored as an element is 1 or 0. */
export function print_body(kernel: Kernel): string[] {
  return new BodyPrinter(kernel, false).print();
}

/** Reserved words of WGSL that occur as parameter names. */
// biome-ignore format: a list
const RESERVED: ReadonlySet<string> = new Set([
  "NULL", "Self", "abstract", "active", "alias", "as", "async", "attribute", "auto", "await", "become", "break", "case", "cast", "catch", "class",
  "common", "compile", "concept", "const", "continue", "default", "delete", "demote", "discard", "do", "else", "enable", "enum", "explicit",
  "export", "extends", "extern", "external", "false", "filter", "final", "finally", "fn", "for", "friend", "from", "get", "goto", "if", "impl",
  "import", "inline", "interface", "layout", "let", "loop", "macro", "match", "meta", "mod", "module", "move", "mut", "mutable", "namespace", "new",
  "nil", "null", "of", "operator", "override", "package", "partial", "pass", "patch", "precise", "precision", "private", "protected", "public", "ref",
  "register", "require", "requires", "resource", "restrict", "return", "self", "set", "shared", "sizeof", "smooth", "static", "std", "struct",
  "super", "switch", "target", "template", "this", "throw", "trait", "true", "try", "type", "typedef", "union", "unless", "use", "using", "var",
  "virtual", "volatile", "where", "while", "with", "yield",
]);
const OWN = /^v\d+$/;

/** A parameter's name in WGSL. */
export function identifier(name: string): string {
  return RESERVED.has(name) || OWN.test(name) ? `${name}_` : name;
}

/** An expression, and whether it can be an operand without parentheses. */
interface Text {
  readonly text: string;
  readonly is_atom: boolean;
}

const atom = (text: string): Text => ({ text, is_atom: true });
const composed = (text: string): Text => ({ text, is_atom: false });

/** A longer expression gets a line and a name of its own. */
const LONGEST = 60;

const OPERATORS: Readonly<Record<string, string>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  rem: "%",
  and: "&",
  or: "|",
  xor: "^",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
  eq: "==",
  ne: "!=",
};
const OF_MASKS: Readonly<Record<string, string>> = { and: "&&", or: "||", xor: "!=", eq: "==", ne: "!=" };
const BUILTINS: Readonly<Record<string, string>> = {
  abs: "abs",
  sqrt: "sqrt",
  floor: "floor",
  ceil: "ceil",
  trunc: "trunc",
  nearest: "round",
  fmadd: "fma",
};
const CONVERSIONS: Readonly<Record<string, (x: string) => string>> = {
  "i32 f32": (x) => `f32(${x})`,
  "i32 i64": (x) => `i64_from_i32(${x})`,
  "i64 i32": (x) => `bitcast<i32>(${x}.x)`,
  "i64 f32": (x) => `i64_to_f32(${x})`,
  "f32 i32": (x) => `f32_to_i32(${x})`,
  "f32 i64": (x) => `f32_to_i64(${x})`,
};

class BodyPrinter {
  private readonly kernel: Kernel;
  private readonly lines: string[] = [];
  private readonly uses = new Map<Value, number>();
  private readonly known = new Map<Value, Text>();
  private readonly returns_masks: boolean;
  private count = 0;

  constructor(kernel: Kernel, returns_masks: boolean) {
    this.kernel = kernel;
    this.returns_masks = returns_masks;
    const used = (v: Value): void => void this.uses.set(v, (this.uses.get(v) ?? 0) + 1);
    for (const v of kernel.values) v.args.forEach(used);
    for (const o of kernel.outputs) used(o.value);
    for (const a of kernel.asserts) used(a.condition);
  }

  print(): string[] {
    for (const v of this.kernel.values) {
      const text = this.value(v);
      const is_result = this.kernel.outputs.some((o) => o.value === v);
      if (this.uses.get(v) === 1 && (is_result || text.text.length <= LONGEST)) this.known.set(v, text);
      else {
        const name = `v${this.count++}`;
        this.lines.push(`  let ${name} = ${text.text};`);
        this.known.set(v, atom(name));
      }
    }
    for (const [k, { condition }] of this.kernel.asserts.entries())
      this.lines.push(`  ${ASSERT}(${this.argument(condition)}, ${k}u);`);
    const results = this.kernel.outputs.map(({ value }) => {
      const text = this.of(value).text;
      return value.type === "mask" && !this.returns_masks ? `i32(${text})` : text;
    });
    this.lines.push(`  return ${results.length === 1 ? results[0] : `outputs_t(${results.join(", ")})`};`);
    return this.lines;
  }

  private of(v: Value): Text {
    if (v.op === "const") return literal(v.type, v.value, v.name);
    if (v.op === "input" || v.op === "capture") return atom(identifier(v.name));
    return this.known.get(v) as Text;
  }

  private operand(v: Value): string {
    const { text, is_atom } = this.of(v);
    return is_atom ? text : `(${text})`;
  }

  /** An argument of a call. `f(a < b, c > d)` would be parsed as a template, so comparisons get parentheses. */
  private argument(v: Value): string {
    const { text } = this.of(v);
    return /[<>]/.test(text) && !this.of(v).is_atom ? `(${text})` : text;
  }

  private call(name: string, args: readonly Value[]): Text {
    return atom(`${name}(${args.map((a) => this.argument(a)).join(", ")})`);
  }

  private binary(operator: string, a: Value, b: Value): Text {
    return composed(`${this.operand(a)} ${operator} ${this.operand(b)}`);
  }

  private value(v: Value): Text {
    const [a, b] = v.args;
    switch (v.op) {
      case "call":
        return this.call(v.callee as string, v.args);
      case "unlikely":
        return this.of(a);
      case "select":
        return this.call("select", [v.args[2], v.args[1], a]);
      case "bool":
        return this.call("i32", [a]);
      case "not":
        return atom(`!${this.operand(a)}`);
      case "neg":
        return v.type === "i64" ? this.call("i64_neg", [a]) : composed(`-${this.operand(a)}`);
      case "to_bits":
        return this.call("bitcast<i32>", [a]);
      case "from_bits":
        return this.call("bitcast<f32>", [a]);
      case "convert":
        return this.convert(v, a);
      case "wrap_uint8":
        return composed(`${this.operand(a)} & 255i`);
      case "wrap_int8":
        return composed(`(${this.operand(a)} << 24u) >> 24u`);
      case "wrap_int16":
        return composed(`(${this.operand(a)} << 16u) >> 16u`);
      case "round_float16":
      case "round_bfloat16":
        return this.call(v.op, [a]);
      case "shl":
      case "shr_s":
      case "shr_u":
        return this.shift(v, a, Number(b.value));
      case "pmin":
      case "pmax":
        return this.call(`${v.op}_${v.type}`, v.args);
    }
    if (is_comparison(v.op)) return this.comparison(v, a, b);
    if (BUILTINS[v.op] !== undefined) return this.call(v.type === "i64" ? `i64_${v.op}` : BUILTINS[v.op], v.args);
    if (v.type === "mask") return this.binary(OF_MASKS[v.op], a, b);
    const is_bitwise = v.op === "and" || v.op === "or" || v.op === "xor";
    if (v.type === "i64" && !is_bitwise) return this.call(`i64_${v.op}`, v.args);
    if (v.type === "f32" && v.op === "rem") return this.call("rem_f32", v.args);
    if (v.type === "f32" && v.op === "mul" && is_zero(b)) return this.call("times_zero_f32", [a]);
    return this.binary(OPERATORS[v.op], a, b);
  }

  private convert(v: Value, a: Value): Text {
    const text = CONVERSIONS[`${a.type} ${v.type}`];
    if (text === undefined) throw new Error(`no conversion from ${a.type} to ${v.type}`);
    return atom(text(v.type === "i32" && a.type === "i64" ? this.operand(a) : this.argument(a)));
  }

  private shift(v: Value, a: Value, by: number): Text {
    if (v.type === "i64") return atom(`i64_${v.op}(${this.argument(a)}, ${by & 63}u)`);
    if (v.op === "shr_u") return atom(`bitcast<i32>(bitcast<u32>(${this.argument(a)}) >> ${by & 31}u)`);
    return composed(`${this.operand(a)} ${v.op === "shl" ? "<<" : ">>"} ${by & 31}u`);
  }

  /** See Note [NaN in WGSL]. */
  private comparison(v: Value, a: Value, b: Value): Text {
    switch (a.type) {
      case "mask":
        return this.binary(OF_MASKS[v.op], a, b);
      case "i64":
        return this.comparison_of_i64(v, a, b);
      case "i32":
        return this.binary(OPERATORS[v.op], a, b);
      default:
        if (a === b && v.op === "ne") return this.call("isnan_f32", [a]);
        if (a === b && v.op === "eq") return atom(`!isnan_f32(${this.argument(a)})`);
        if (v.op === "ne") return this.call("ne_f32", [a, b]);
        return this.binary(OPERATORS[v.op], a, b);
    }
  }

  private comparison_of_i64(v: Value, a: Value, b: Value): Text {
    const less = (x: Value, y: Value): string => this.call("i64_lt", [x, y]).text;
    switch (v.op) {
      case "lt":
        return atom(less(a, b));
      case "gt":
        return atom(less(b, a));
      case "le":
        return atom(`!${less(b, a)}`);
      case "ge":
        return atom(`!${less(a, b)}`);
      case "eq":
        return atom(`all(${this.binary("==", a, b).text})`);
      default:
        return atom(`any(${this.binary("!=", a, b).text})`);
    }
  }
}

function is_zero(v: Value): boolean {
  return v.op === "const" && Object.is(v.value, 0);
}

/** A literal with the fewest digits that are read back as the same float, for the value `name`. */
function literal(type: ValueType, value: number | bigint, name: string): Text {
  switch (type) {
    case "mask":
      return atom(value ? "true" : "false");
    case "i32":
      return atom(Number(value) === -(2 ** 31) ? "i32(-2147483648)" : `${value}i`);
    case "i64": {
      const bits = BigInt.asUintN(64, BigInt(value));
      return atom(`vec2<u32>(${bits & 0xffffffffn}u, ${bits >> 32n}u)`);
    }
    default: {
      const x = Number(value);
      if (Number.isNaN(x)) return atom("nan()");
      if (!Number.isFinite(x)) return atom(x > 0 ? "inf()" : "-inf()");
      return atom(/[.e]/.test(name) ? `${name}f` : `${name}.0f`);
    }
  }
}
