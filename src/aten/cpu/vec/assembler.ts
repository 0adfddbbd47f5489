/**
 * @file The assembler from WebAssembly's text to its bytes: functions whose bodies are lists of instructions, and one
 * imported memory.
 *
 *   { name: "twice", params: [["x", "i32"]], results: ["i32"], locals: [], body: ["local.get $x", "local.get $x", "i32.add"] }
 *
 * Blocks, loops and locals are referred to by name. The table has only the instructions that kernels use.
 * @original A C++ compiler uses an assembler.
 * @see https://webassembly.github.io/spec/core/binary/index.html
 */

export type WasmType = "i32" | "i64" | "f32" | "f64" | "v128";

export interface WasmFunction {
  readonly name: string;
  readonly params: readonly (readonly [name: string, type: WasmType])[];
  readonly results: readonly WasmType[];
  readonly locals: readonly (readonly [name: string, type: WasmType])[];
  readonly body: readonly string[];
}

/** The memory that a module imports as `env.memory`, in pages of 64 KB. */
export interface MemoryLimits {
  readonly initial: number;
  readonly maximum: number;
  readonly shared: boolean;
}

const TYPE_BYTES: Readonly<Record<WasmType, number>> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b };

/** The kind of operand that follows an instruction's name. */
type Immediate = "none" | "memory" | "lane" | "memory_lane" | "lanes" | "local" | "label" | "function" | "block";

interface Encoding {
  readonly bytes: readonly number[];
  readonly immediate: Immediate;
  /** Alignment of a memory access, as a power of two. */
  readonly alignment: number;
}

const ENCODINGS = new Map<string, Encoding>();

/** Consecutive opcodes from `first`; `-` skips one. */
function opcodes(
  prefix: readonly number[],
  first: number,
  names: string,
  immediate: Immediate = "none",
  type = "",
): void {
  for (const [k, name] of names.trim().split(/\s+/).entries()) {
    if (name === "-") continue;
    const opcode = prefix.length === 0 ? [first + k] : [...prefix, ...unsigned(first + k)];
    ENCODINGS.set(type + name, { bytes: opcode, immediate, alignment: 0 });
  }
}

/** Instructions that access memory: each name is followed by its natural alignment. */
function accesses(prefix: readonly number[], first: number, names: string, immediate: Immediate): void {
  for (const [k, entry] of names.trim().split(/\s+/).entries()) {
    const [name, alignment] = entry.split(":");
    const opcode = prefix.length === 0 ? [first + k] : [...prefix, ...unsigned(first + k)];
    ENCODINGS.set(name, { bytes: opcode, immediate, alignment: Number(alignment) });
  }
}

const SIMD = [0xfd];
const INTEGER_COMPARISONS = "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u";
const FLOAT_COMPARISONS = "eq ne lt gt le ge";
const FLOAT_ARITHMETIC = "abs neg - sqrt add sub mul div min max pmin pmax";

opcodes([], 0x00, "unreachable nop");
opcodes([], 0x02, "block loop if", "block");
opcodes([], 0x05, "else");
opcodes([], 0x0b, "end");
opcodes([], 0x0c, "br br_if", "label");
opcodes([], 0x0f, "return");
opcodes([], 0x10, "call", "function");
opcodes([], 0x1a, "drop select");
opcodes([], 0x20, "local.get local.set local.tee", "local");
accesses(
  [],
  0x28,
  "i32.load:2 i64.load:3 f32.load:2 f64.load:3 i32.load8_s:0 i32.load8_u:0 i32.load16_s:1 i32.load16_u:1",
  "memory",
);
accesses([], 0x36, "i32.store:2 i64.store:3 f32.store:2 f64.store:3 i32.store8:0 i32.store16:1", "memory");
opcodes([], 0x45, `eqz ${INTEGER_COMPARISONS}`, "none", "i32.");
opcodes([], 0x50, `eqz ${INTEGER_COMPARISONS}`, "none", "i64.");
opcodes([], 0x5b, FLOAT_COMPARISONS, "none", "f32.");
opcodes([], 0x61, FLOAT_COMPARISONS, "none", "f64.");
opcodes([], 0x67, "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u", "none", "i32.");
opcodes([], 0x79, "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u", "none", "i64.");
opcodes([], 0x8b, "abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign", "none", "f32.");
opcodes([], 0x99, "abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign", "none", "f64.");
opcodes([], 0xa7, "i32.wrap_i64 - - - - i64.extend_i32_s i64.extend_i32_u");
opcodes([], 0xb2, "convert_i32_s convert_i32_u convert_i64_s convert_i64_u demote_f64", "none", "f32.");
opcodes([], 0xb7, "convert_i32_s convert_i32_u convert_i64_s convert_i64_u promote_f32", "none", "f64.");
opcodes([], 0xbc, "i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64");
opcodes([0xfc], 0x00, "i32.trunc_sat_f32_s - i32.trunc_sat_f64_s - i64.trunc_sat_f32_s - i64.trunc_sat_f64_s");
accesses(
  SIMD,
  0x00,
  "v128.load:4 v128.load8x8_s:3 v128.load8x8_u:3 v128.load16x4_s:3 v128.load16x4_u:3 v128.load32x2_s:3 v128.load32x2_u:3 v128.load8_splat:0 v128.load16_splat:1 v128.load32_splat:2 v128.load64_splat:3 v128.store:4",
  "memory",
);
opcodes(SIMD, 0x0d, "i8x16.shuffle", "lanes");
opcodes(SIMD, 0x0e, "i8x16.swizzle i8x16.splat i16x8.splat i32x4.splat i64x2.splat f32x4.splat f64x2.splat");
opcodes(
  SIMD,
  0x15,
  "i8x16.extract_lane_s i8x16.extract_lane_u i8x16.replace_lane i16x8.extract_lane_s i16x8.extract_lane_u i16x8.replace_lane i32x4.extract_lane i32x4.replace_lane i64x2.extract_lane i64x2.replace_lane f32x4.extract_lane f32x4.replace_lane f64x2.extract_lane f64x2.replace_lane",
  "lane",
);
opcodes(SIMD, 0x23, INTEGER_COMPARISONS, "none", "i8x16.");
opcodes(SIMD, 0x2d, INTEGER_COMPARISONS, "none", "i16x8.");
opcodes(SIMD, 0x37, INTEGER_COMPARISONS, "none", "i32x4.");
opcodes(SIMD, 0x41, FLOAT_COMPARISONS, "none", "f32x4.");
opcodes(SIMD, 0x47, FLOAT_COMPARISONS, "none", "f64x2.");
opcodes(SIMD, 0x4d, "not and andnot or xor bitselect any_true", "none", "v128.");
accesses(
  SIMD,
  0x54,
  "v128.load8_lane:0 v128.load16_lane:1 v128.load32_lane:2 v128.load64_lane:3 v128.store8_lane:0 v128.store16_lane:1 v128.store32_lane:2 v128.store64_lane:3",
  "memory_lane",
);
accesses(SIMD, 0x5c, "v128.load32_zero:2 v128.load64_zero:3", "memory");
opcodes(SIMD, 0x5e, "f32x4.demote_f64x2_zero f64x2.promote_low_f32x4");
opcodes(
  SIMD,
  0x60,
  "abs neg popcnt all_true bitmask narrow_i16x8_s narrow_i16x8_u - - - - shl shr_s shr_u add - - sub - - - - min_s min_u max_s max_u",
  "none",
  "i8x16.",
);
opcodes(SIMD, 0x67, "f32x4.ceil f32x4.floor f32x4.trunc f32x4.nearest");
opcodes(SIMD, 0x74, "f64x2.ceil f64x2.floor - - - - f64x2.trunc");
opcodes(SIMD, 0x94, "f64x2.nearest");
opcodes(
  SIMD,
  0x80,
  "abs neg - all_true bitmask narrow_i32x4_s narrow_i32x4_u extend_low_i8x16_s extend_high_i8x16_s extend_low_i8x16_u extend_high_i8x16_u shl shr_s shr_u add - - sub - - - mul min_s min_u max_s max_u - - - - extmul_low_i8x16_u extmul_high_i8x16_u",
  "none",
  "i16x8.",
);
opcodes(
  SIMD,
  0xa0,
  "abs neg - all_true bitmask - - extend_low_i16x8_s extend_high_i16x8_s extend_low_i16x8_u extend_high_i16x8_u shl shr_s shr_u add - - sub - - - mul min_s min_u max_s max_u",
  "none",
  "i32x4.",
);
opcodes(
  SIMD,
  0xc0,
  "abs neg - all_true bitmask - - extend_low_i32x4_s extend_high_i32x4_s extend_low_i32x4_u extend_high_i32x4_u shl shr_s shr_u add - - sub - - - mul eq ne lt_s gt_s le_s ge_s",
  "none",
  "i64x2.",
);
opcodes(SIMD, 0xe0, FLOAT_ARITHMETIC, "none", "f32x4.");
opcodes(SIMD, 0xec, FLOAT_ARITHMETIC, "none", "f64x2.");
opcodes(
  SIMD,
  0xf8,
  "i32x4.trunc_sat_f32x4_s i32x4.trunc_sat_f32x4_u f32x4.convert_i32x4_s f32x4.convert_i32x4_u i32x4.trunc_sat_f64x2_s_zero i32x4.trunc_sat_f64x2_u_zero f64x2.convert_low_i32x4_s f64x2.convert_low_i32x4_u",
);
opcodes(SIMD, 0x105, "f32x4.relaxed_madd f32x4.relaxed_nmadd f64x2.relaxed_madd f64x2.relaxed_nmadd");

/** The module's bytes. Every function is exported under its name. An unknown name is an error that shows the line. */
export function assemble(functions: readonly WasmFunction[], memory: MemoryLimits): Uint8Array<ArrayBuffer> {
  const flags = memory.shared ? 3 : 1; // 1: with a maximum; 2: shared
  const imported = [
    ...text("env"),
    ...text("memory"),
    2,
    flags,
    ...unsigned(memory.initial),
    ...unsigned(memory.maximum),
  ];
  const names = new Map(functions.map((f, k) => [f.name, k]));
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(functions.map((f) => [0x60, ...types(f.params.map((p) => p[1])), ...types(f.results)]))),
    ...section(2, list([imported])),
    ...section(3, list(functions.map((_, k) => unsigned(k)))),
    ...section(7, list(functions.map((f, k) => [...text(f.name), 0, ...unsigned(k)]))),
    ...section(10, list(functions.map((f) => sized(code(f, names))))),
  ]);
}

/** The module as text, for people and for other tools. */
export function print(functions: readonly WasmFunction[], memory: MemoryLimits): string {
  const lines = [
    `(module (import "env" "memory" (memory ${memory.initial} ${memory.maximum}${memory.shared ? " shared" : ""}))`,
  ];
  for (const f of functions) {
    const params = f.params.map(([name, type]) => ` (param $${name} ${type})`).join("");
    lines.push(`  (func $${f.name} (export "${f.name}")${params}${f.results.map((t) => ` (result ${t})`).join("")}`);
    for (let k = 0; k < f.locals.length; k += 6)
      lines.push(
        `    ${f.locals
          .slice(k, k + 6)
          .map(([name, type]) => `(local $${name} ${type})`)
          .join(" ")}`,
      );
    let depth = 2;
    for (const line of f.body) {
      const word = line.split(" ", 1)[0];
      if (word === "end" || word === "else") depth--;
      lines.push(`${"  ".repeat(depth)}${line}`);
      if (word === "block" || word === "loop" || word === "if" || word === "else") depth++;
    }
    lines.push("  )");
  }
  return [...lines, ")"].join("\n");
}

// ---- one function

function code(f: WasmFunction, functions: ReadonlyMap<string, number>): number[] {
  const locals = new Map([...f.params, ...f.locals].map(([name], k) => [`$${name}`, k]));
  const declared = list(f.locals.map(([, type]) => [1, TYPE_BYTES[type]]));
  const out = [...declared];
  const blocks: string[] = [];
  for (const line of f.body) {
    try {
      instruction(line, { locals, functions, blocks }, out);
    } catch (error) {
      throw new Error(`${f.name}: ${line}: ${(error as Error).message}`);
    }
  }
  if (blocks.length > 0) throw new Error(`${f.name}: ${blocks.length} blocks without end`);
  out.push(0x0b);
  return out;
}

interface Scope {
  readonly locals: ReadonlyMap<string, number>;
  readonly functions: ReadonlyMap<string, number>;
  /** Names of the open blocks, the innermost last. */
  readonly blocks: string[];
}

function instruction(line: string, scope: Scope, out: number[]): void {
  const [name, ...rest] = line.split(" ");
  const value = CONSTANTS.get(name);
  if (value !== undefined) {
    out.push(...value(rest));
    return;
  }
  if (name === "memory.copy" || name === "memory.fill") {
    out.push(...(name === "memory.copy" ? [0xfc, 10, 0, 0] : [0xfc, 11, 0]));
    return;
  }
  const encoding = ENCODINGS.get(name);
  if (encoding === undefined) throw new Error("no such instruction");
  out.push(...encoding.bytes);
  if (name === "end") scope.blocks.pop();
  switch (encoding.immediate) {
    case "memory":
    case "memory_lane": {
      const at = rest[0]?.startsWith("offset=") ? Number((rest.shift() as string).slice(7)) : 0;
      out.push(encoding.alignment, ...unsigned(at));
      if (encoding.immediate === "memory_lane") out.push(Number(rest[0]));
      break;
    }
    case "lane":
      out.push(Number(rest[0]));
      break;
    case "lanes":
      if (rest.length !== 16) throw new Error("sixteen lanes are wanted");
      out.push(...rest.map(Number));
      break;
    case "local":
      out.push(...unsigned(found(scope.locals, rest[0])));
      break;
    case "function":
      out.push(...unsigned(found(scope.functions, rest[0].slice(1))));
      break;
    case "label": {
      const depth = scope.blocks.lastIndexOf(rest[0]);
      if (depth < 0) throw new Error("no such block around it");
      out.push(...unsigned(scope.blocks.length - 1 - depth));
      break;
    }
    case "block":
      scope.blocks.push(rest[0] ?? "");
      out.push(0x40); // no value
      break;
  }
}

function found(map: ReadonlyMap<string, number>, name: string): number {
  const k = map.get(name);
  if (k === undefined) throw new Error("no such name");
  return k;
}

const CONSTANTS: ReadonlyMap<string, (rest: readonly string[]) => number[]> = new Map([
  ["i32.const", (rest: readonly string[]) => [0x41, ...signed(BigInt(Number(rest[0]) | 0))]],
  ["i64.const", (rest: readonly string[]) => [0x42, ...signed(BigInt.asIntN(64, BigInt(rest[0])))]],
  ["f32.const", (rest: readonly string[]) => [0x43, ...lanes("f32x4", rest)]],
  ["f64.const", (rest: readonly string[]) => [0x44, ...lanes("f64x2", rest)]],
  ["v128.const", ([shape, ...rest]: readonly string[]) => [...SIMD, 0x0c, ...lanes(shape, rest)]],
]);

/** Numbers as the bytes of lanes. `nan` and `inf` are spelled as in WebAssembly's text. */
function lanes(shape: string, values: readonly string[]): number[] {
  const numbers = values.map((v) => Number(v.replace("inf", "Infinity").replace("nan", "NaN")));
  switch (shape) {
    case "i8x16":
      return [...new Uint8Array(numbers)];
    case "i32x4":
      return [...new Uint8Array(new Int32Array(numbers).buffer)];
    case "i64x2":
      return [...new Uint8Array(BigInt64Array.from(values.map(BigInt)).buffer)];
    case "f32x4":
      return [...new Uint8Array(new Float32Array(numbers).buffer)];
    case "f64x2":
      return [...new Uint8Array(new Float64Array(numbers).buffer)];
    default:
      throw new Error(`no lanes ${shape}`);
  }
}

// ---- elements of the binary format

function unsigned(value: number): number[] {
  const out: number[] = [];
  for (let rest = value >>> 0; ; ) {
    const byte = rest & 0x7f;
    rest >>>= 7;
    out.push(rest === 0 ? byte : byte | 0x80);
    if (rest === 0) return out;
  }
}

function signed(value: bigint): number[] {
  const out: number[] = [];
  for (let rest = value; ; ) {
    const byte = Number(rest & 0x7fn);
    rest >>= 7n;
    const done = (rest === 0n && (byte & 0x40) === 0) || (rest === -1n && (byte & 0x40) !== 0);
    out.push(done ? byte : byte | 0x80);
    if (done) return out;
  }
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function sized(bytes: readonly number[]): number[] {
  return [...unsigned(bytes.length), ...bytes];
}

function section(id: number, bytes: readonly number[]): number[] {
  return [id, ...sized(bytes)];
}

function text(s: string): number[] {
  return sized([...new TextEncoder().encode(s)]);
}

function types(list: readonly WasmType[]): number[] {
  return sized(list.map((t) => TYPE_BYTES[t]));
}
