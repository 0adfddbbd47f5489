/**
 * @file A scalar function as a graph of pure values: the form from which code for all machines except JavaScript is printed.
 *
 *   prelu float32 (input: float32, weight: float32) -> float32        return input > 0 ? input : weight * input
 *   prelu bfloat16 (input: bfloat16, weight: bfloat16) -> bfloat16
 *     v0: mask = gt input, 0
 *     v1: f32 = mul weight, input
 *     v2: f32 = select v0, input, v1
 *     store v2
 *
 * Equal values are one value, so a variable costs nothing. No value traps or has an effect: both sides of a choice are
 * computed. The generated `X.SIMD128.ts` contains this text; it is parsed when a kernel first runs.
 * @original PyTorch has hand-written `Vectorized<T>` expressions beside the scalar ones; its Inductor has such a graph.
 * @see tools/codegen/kernels/graph.ts (makes it), vec128.ts (WebAssembly of it)
 */

/** The type of a computation. A dtype is the type of a stored element. */
export type ValueType = "f32" | "f64" | "i32" | "i64" | "mask";

// biome-ignore format: a list
const OPERATIONS = [
  "add", "sub", "mul", "div", "fmadd", "neg", "abs", "sqrt", "floor", "ceil", "trunc", "nearest", "pmin", "pmax",
  "lt", "le", "gt", "ge", "eq", "ne", "and", "or", "xor", "not", "shl", "shr_s", "shr_u", "select",
  "to_bits", "from_bits", "convert", "bool", "unlikely",
  "wrap_uint8", "wrap_int8", "wrap_int16", "round_float16", "round_bfloat16",
  "rem", "call",
] as const;
/**
 * `fmadd` is a * b + c, fused if the machine can. `pmin` is b < a ? b : a. `shl` and the other shifts are by a
 * constant. `convert` converts to the value's type, as in C++. `bool` is a mask as 1 and 0. `unlikely` is a mask that
 * is seldom true: see unlikely.ts. `wrap_` and `round_` are the value as if it were stored as that dtype and loaded
 * again. `rem`, `call` (of the function `callee`) and `div` of integers exist only on machines whose lanes may diverge
 * (aten/webgpu/wgsl).
 */
export type Operation = (typeof OPERATIONS)[number];

export interface Value {
  readonly op: Operation | "const" | "input" | "capture";
  readonly type: ValueType;
  readonly args: readonly Value[];
  /** Value of a constant. -0 and NaN are distinct values. */
  readonly value: number | bigint;
  /** An input or capture has the parameter's name; other values have `v12`, for readers. */
  readonly name: string;
  /** The called function, for `call`. */
  readonly callee?: string;
}

export interface Kernel {
  /** The scalar function's name and its dtypes: `prelu float32`. */
  readonly name: string;
  readonly inputs: readonly { readonly name: string; readonly dtype: string }[];
  readonly captures: readonly { readonly name: string; readonly type: ValueType }[];
  readonly outputs: readonly { readonly dtype: string; readonly value: Value }[];
  /** Conditions that must be true, with their source text. Used only on machines that can assert. */
  readonly asserts: readonly { readonly condition: Value; readonly text: string }[];
  /** All values except inputs, captures and constants, each after its arguments. */
  readonly values: readonly Value[];
}

const COMPUTED: Readonly<Record<string, ValueType>> = {
  float32: "f32",
  float16: "f32",
  bfloat16: "f32",
  float64: "f64",
  uint8: "i32",
  int8: "i32",
  int16: "i32",
  int32: "i32",
  bool: "i32",
  int64: "i64",
};

/** The type of computation for elements of a dtype; undefined if no machine supports the dtype. */
export function computed_in(dtype: string): ValueType | undefined {
  return COMPUTED[dtype];
}

const COMPARISONS: ReadonlySet<string> = new Set(["lt", "le", "gt", "ge", "eq", "ne"]);

export function is_comparison(op: string): boolean {
  return COMPARISONS.has(op);
}

/** Builds values; equal ones only once. */
export class Graph {
  readonly values: Value[] = [];
  private readonly known = new Map<string, Value>();
  private readonly ids = new Map<Value, number>();

  private once(key: string, make: () => Value, listed: boolean): Value {
    const old = this.known.get(key);
    if (old !== undefined) return old;
    const value = make();
    this.known.set(key, value);
    this.ids.set(value, this.ids.size);
    if (listed) this.values.push(value);
    return value;
  }

  input(name: string, dtype: string): Value {
    const type = COMPUTED[dtype];
    return this.once(`input ${name}`, () => ({ op: "input", type, args: [], value: 0, name }), false);
  }

  capture(name: string, type: ValueType): Value {
    return this.once(`capture ${name}`, () => ({ op: "capture", type, args: [], value: 0, name }), false);
  }

  constant(type: ValueType, value: number | bigint): Value {
    const v = as_type(type, value);
    const name = literal_text(type, v);
    return this.once(`${type} ${name}`, () => ({ op: "const", type, args: [], value: v, name }), false);
  }

  make(op: Operation, type: ValueType, args: readonly Value[]): Value {
    const folded = this.fold(op, type, args);
    if (folded !== null) return folded;
    const key = `${op} ${type} ${args.map((a) => this.ids.get(a)).join(" ")}`;
    return this.once(key, () => ({ op, type, args, value: 0, name: `v${this.values.length}` }), true);
  }

  /** The result of a function. It has no effect, so equal calls are one value. */
  call(callee: string, type: ValueType, args: readonly Value[]): Value {
    const key = `call ${callee} ${args.map((a) => this.ids.get(a)).join(" ")}`;
    return this.once(key, () => ({ op: "call", type, args, value: 0, name: `v${this.values.length}`, callee }), true);
  }

  /** The value if it is known without running: an operation on constants, or a choice between equal sides. */
  private fold(op: Operation, type: ValueType, args: readonly Value[]): Value | null {
    const [a, b, c] = args;
    if (op === "select") {
      if (a.op === "const") return a.value === 0 ? c : b;
      return b === c ? b : null;
    }
    if (args.some((x) => x.op !== "const")) return null;
    const result = compute(
      op,
      type,
      args[0].type,
      args.map((x) => x.value),
    );
    return result === null ? null : this.constant(type, result);
  }
}

/** The shortest decimal text that is read back as the same float. */
function literal_text(type: ValueType, v: number | bigint): string {
  if (Object.is(v, -0)) return "-0";
  if (type !== "f32" || Number.isInteger(v)) return `${v}`;
  for (let digits = 1; digits < 9; digits++) {
    const short = Number((v as number).toPrecision(digits));
    if (Math.fround(short) === v) return `${short}`;
  }
  return `${v}`;
}

function as_type(type: ValueType, value: number | bigint): number | bigint {
  switch (type) {
    case "f32":
      return Math.fround(Number(value));
    case "f64":
      return Number(value);
    case "i32":
      return typeof value === "bigint" ? Number(BigInt.asIntN(32, value)) : value | 0;
    case "i64":
      return BigInt.asIntN(64, BigInt(value));
    case "mask":
      return value ? 1 : 0;
  }
}

/** Computes the few operations that occur on literals; null for the others, which are left to the machine. */
function compute(
  op: Operation,
  type: ValueType,
  from: ValueType,
  args: readonly (number | bigint)[],
): number | bigint | null {
  if (op === "convert") return type.startsWith("i") && from.startsWith("f") ? null : args[0];
  if (op === "bool") return args[0];
  const [a, b] = (type === "i64" ? args.map(BigInt) : args.map(Number)) as number[];
  switch (op) {
    case "neg":
      return -a;
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return type === "i32" ? Math.imul(a, b) : a * b;
    case "div":
      return type.startsWith("f") ? a / b : null;
    case "not":
      return type === "mask" ? 1 - a : null;
    default:
      return null;
  }
}

// ---- printing and parsing

/** Prints kernels. Kernels of several dtypes that compute the same share one list of values, below all their heads. */
export function print_kernels(kernels: readonly Kernel[]): string {
  const heads = new Map<string, string[]>();
  for (const kernel of kernels) {
    const values = print_values(kernel);
    const same = heads.get(values);
    if (same === undefined) heads.set(values, [print_head(kernel)]);
    else same.push(print_head(kernel));
  }
  return [...heads].map(([values, of]) => [...of, values].join("\n")).join("\n");
}

/** `prelu float32 (input: float32, weight: float32) -> float32` */
export function print_head({ name, inputs, captures, outputs }: Kernel): string {
  const params = [
    ...inputs.map((i) => `${i.name}: ${i.dtype}`),
    ...captures.map((c) => `${c.name}: captured ${c.type}`),
  ];
  return `${name} (${params.join(", ")}) -> ${outputs.map((o) => o.dtype).join(", ")}`;
}

function print_values({ values, outputs }: Kernel): string {
  const lines = values.map(
    (v) =>
      `  ${v.name}: ${v.type} = ${v.op} ${v.callee === undefined ? "" : `${v.callee} of `}${v.args.map((a) => a.name).join(", ")}`,
  );
  return [...lines, `  store ${outputs.map((o) => o.value.name).join(", ")}`].join("\n");
}

const LINE = /^ {2}(v\d+): (\w+) = (\w+) (.*)$/;
const STORE = /^ {2}store (.*)$/;
const HEAD = /^(.*) \((.*)\) -> (.*)$/;

/** Parses the text that `print_kernels` wrote. */
export function parse_kernels(text: string): Kernel[] {
  const out: Kernel[] = [];
  for (const group of text.split(/(?<=\n {2}.*)\n(?! )/)) {
    const lines = group.split("\n");
    const values = lines.filter((line) => line.startsWith("  "));
    for (const head of lines.filter((line) => !line.startsWith("  "))) out.push(parse_kernel(head, values));
  }
  return out;
}

function parse_kernel(first: string, lines: readonly string[]): Kernel {
  const head = HEAD.exec(first);
  if (head === null) throw new Error(`no kernel begins with: ${first}`);
  const graph = new Graph();
  const inputs: { name: string; dtype: string }[] = [];
  const captures: { name: string; type: ValueType }[] = [];
  const names = new Map<string, Value>();
  for (const param of head[2] === "" ? [] : head[2].split(", ")) {
    const [name, type] = param.split(": ");
    if (type.startsWith("captured ")) {
      const of = type.slice("captured ".length) as ValueType;
      captures.push({ name, type: of });
      names.set(name, graph.capture(name, of));
    } else {
      inputs.push({ name, dtype: type });
      names.set(name, graph.input(name, type));
    }
  }
  const outputs: { dtype: string; value: Value }[] = [];
  for (const line of lines) {
    const store = STORE.exec(line);
    if (store !== null) {
      const stored = store[1].split(", ");
      for (const [k, dtype] of head[3].split(", ").entries())
        outputs.push({ dtype, value: names.get(stored[k]) ?? literal(graph, COMPUTED[dtype], stored[k]) });
      continue;
    }
    const parts = LINE.exec(line);
    if (parts === null) throw new Error(`not a value: ${line}`);
    const type = parts[2] as ValueType;
    const op = parts[3] as Operation;
    const words = parts[4].split(", ");
    const known = words.map((w) => names.get(w));
    // A literal has the type of the other operand of a comparison, otherwise the type of the result.
    const met = is_comparison(op) ? (known.find((v) => v !== undefined)?.type ?? type) : type;
    const args = words.map((w, k) => known[k] ?? literal(graph, met, w));
    names.set(parts[1], graph.make(op, type, args));
  }
  return { name: head[1], inputs, captures, outputs, asserts: [], values: graph.values };
}

function literal(graph: Graph, type: ValueType, text: string): Value {
  return graph.constant(type, type === "i64" ? BigInt(text) : Number(text));
}
