/**
 * @file Instructions on named vectors: what a printer of WebAssembly writes with.
 *
 *   e.op("f32x4.add", "a", "b")        local.get $a  local.get $b  f32x4.add  local.set $r7        and the answer is "r7"
 *
 * Constants are made once, at the function's head.
 * @original A C++ compiler does this with registers.
 */
import type { WasmType } from "./assembler.ts";
import type { ValueType } from "./ir.ts";

const SHAPES: Readonly<Record<Exclude<ValueType, "mask">, string>> = {
  f32: "f32x4",
  f64: "f64x2",
  i32: "i32x4",
  i64: "i64x2",
};

export class Emitter {
  readonly locals: [string, WasmType][] = [];
  /** What is done once, before everything else. */
  readonly head: string[] = [];
  private readonly lines: string[] = [];
  private readonly constants = new Map<string, string>();
  private readonly prefix: string;
  private count = 0;

  /** `prefix`: what its vectors' names begin with. */
  constructor(prefix = "r") {
    this.prefix = prefix;
  }

  body(): string[] {
    return [...this.head, ...this.lines];
  }

  /** What was written since the last time, but for the head. */
  take(): string[] {
    return this.lines.splice(0);
  }

  emit(...lines: string[]): void {
    this.lines.push(...lines);
  }

  local(name: string, type: WasmType): string {
    this.locals.push([name, type]);
    return name;
  }

  /** A new vector. */
  fresh(): string {
    return this.local(`${this.prefix}${this.count++}`, "v128");
  }

  op(name: string, ...args: readonly string[]): string {
    for (const a of args) this.lines.push(`local.get $${a}`);
    return this.set(name);
  }

  /** `name` of what lies on the stack. */
  set(name: string): string {
    const result = this.fresh();
    this.lines.push(name, `local.set $${result}`);
    return result;
  }

  copy(x: string): string {
    const result = this.fresh();
    this.lines.push(`local.get $${x}`, `local.set $${result}`);
    return result;
  }

  shift(name: string, x: string, by: number): string {
    this.lines.push(`local.get $${x}`, `i32.const ${by}`);
    return this.set(name);
  }

  shuffle(a: string, b: string, bytes: readonly number[]): string {
    return this.op(`i8x16.shuffle ${bytes.join(" ")}`, a, b);
  }

  /** The same number in every lane. */
  constant(type: ValueType, value: number | bigint): string {
    const shape = SHAPES[type as keyof typeof SHAPES];
    const text = Object.is(value, -0) ? "-0" : `${value}`.replace("Infinity", "inf").replace("NaN", "nan");
    return this.made_once(`v128.const ${shape} ${new Array(Number(shape.at(-1))).fill(text).join(" ")}`);
  }

  /** One byte in all sixteen. */
  bytes(value: number): string {
    return this.made_once(`v128.const i8x16 ${new Array(16).fill(value).join(" ")}`);
  }

  /** A parameter in every lane. */
  splat(type: ValueType, param: string): string {
    return this.made_once(`local.get $${param}`, `${SHAPES[type as keyof typeof SHAPES]}.splat`);
  }

  /** Its lowest byte in all sixteen. */
  splat_byte(param: string): string {
    return this.made_once(`local.get $${param}`, "i8x16.splat");
  }

  private made_once(...lines: readonly string[]): string {
    const key = lines.join(" ");
    let name = this.constants.get(key);
    if (name === undefined) {
      name = this.fresh();
      this.constants.set(key, name);
      this.head.push(...lines, `local.set $${name}`);
    }
    return name;
  }
}
