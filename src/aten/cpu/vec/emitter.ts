/**
 * @file The emitter: it writes WebAssembly instructions on named vectors.
 *
 *   e.op("f32x4.add", "a", "b")        local.get $a  local.get $b  f32x4.add  local.set $r7        and the answer is "r7"
 *
 * A constant is made once, at the head of the function.
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
  /** Instructions that run once, before everything else. */
  readonly head: string[] = [];
  private readonly lines: string[] = [];
  private readonly constants = new Map<string, string>();
  private readonly prefix: string;
  private count = 0;

  /** @param prefix the first letters of its vectors' names */
  constructor(prefix = "r") {
    this.prefix = prefix;
  }

  body(): string[] {
    return [...this.head, ...this.lines];
  }

  /** Removes and returns the instructions written since the last time, except the head. */
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

  /** Declares a new vector and returns its name. */
  fresh(): string {
    return this.local(`${this.prefix}${this.count++}`, "v128");
  }

  op(name: string, ...args: readonly string[]): string {
    for (const a of args) this.lines.push(`local.get $${a}`);
    return this.set(name);
  }

  /** Stores the top of the stack as `name`. */
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

  /** A constant in every lane. */
  constant(type: ValueType, value: number | bigint): string {
    const shape = SHAPES[type as keyof typeof SHAPES];
    const text = Object.is(value, -0) ? "-0" : `${value}`.replace("Infinity", "inf").replace("NaN", "nan");
    return this.made_once(`v128.const ${shape} ${new Array(Number(shape.at(-1))).fill(text).join(" ")}`);
  }

  /** One byte in all sixteen lanes. */
  bytes(value: number): string {
    return this.made_once(`v128.const i8x16 ${new Array(16).fill(value).join(" ")}`);
  }

  /** A parameter in every lane. */
  splat(type: ValueType, param: string): string {
    return this.made_once(`local.get $${param}`, `${SHAPES[type as keyof typeof SHAPES]}.splat`);
  }

  /** The parameter's lowest byte in all sixteen lanes. */
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
