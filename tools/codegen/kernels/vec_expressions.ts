/**
 * @file The compiler of expressions in `@vec` kernel text to WebAssembly's stack instructions.
 * @original The C++ compiler does this with Vectorized<T> and registers.
 * @see src/aten/cpu/vec/Vec.ts, Note [Kernel text with Vec]; compile_vec.ts (statements, functions, modules)
 */
import type { WasmType } from "../../../src/aten/cpu/vec/assembler.ts";
import { Emitter } from "../../../src/aten/cpu/vec/emitter.ts";
import { narrowed, rounded, widened } from "../../../src/aten/cpu/vec/vec128_types.ts";
import { CodegenError } from "../errors.ts";
import type { Node } from "./source.ts";
import { literal_of } from "./vec_literals.ts";
import type { VecFile, VecFunction } from "./vec_source.ts";
import {
  ACCESSES,
  type Access,
  FLOATS_ONLY,
  HALF_ACCESSES,
  INTRINSICS,
  instruction_for,
  is_comparison,
  is_integral,
  is_shift,
  prefix_of,
  type Shape,
  type VecType,
  wasm_type,
} from "./vec_types.ts";

/** The meaning of a name. */
export type Binding =
  | { readonly kind: "local"; readonly local: string; readonly type: VecType; readonly writable: boolean }
  | { readonly kind: "literal"; readonly value: number | boolean };

/** The function that is compiled, and its dtype and machine. */
export interface Instance {
  readonly file: VecFile;
  readonly shape: Shape;
  /** Whether fmadd is one instruction. */
  readonly relaxed: boolean;
  /** The result type of a function of the file. */
  readonly result_of: (fn: VecFunction) => VecType;
  readonly param_types: (fn: VecFunction) => readonly VecType[];
}

export abstract class VecExpressions {
  readonly instance: Instance;
  protected readonly locals: [string, WasmType][] = [];
  /** Instructions that make constant vectors, at the beginning: inside a loop they would run each time. */
  protected readonly head: string[] = [];
  /** Writes conversions between halves and floats. */
  protected readonly conversions = new Emitter("half.");
  protected lines: string[] = [];
  /** Scopes, the innermost last. */
  protected scopes: Map<string, Binding>[] = [new Map()];
  /** The file of the current text. */
  protected path: string;
  private readonly constants = new Map<string, string>();
  /** The `@inline` functions that are being inlined. */
  private readonly open: string[] = [];
  private readonly known = new Map<string, number | boolean | null>();

  constructor(instance: Instance, path: string) {
    this.instance = instance;
    this.path = path;
  }

  fail(node: Node, message: string, way_out: string): never {
    const place = { file: this.path, line: node.loc.start.line };
    throw new CodegenError(place, `@vec ${this.instance.file.name}`, message, way_out);
  }

  protected emit(...lines: string[]): void {
    this.lines.push(...lines);
  }

  /** A new local, named after `name`. */
  protected local(name: string, type: WasmType): string {
    const count = this.locals.length;
    const unique = this.locals.some(([n]) => n === name) ? `${name}.${count}` : name;
    this.locals.push([unique, type]);
    return unique;
  }

  protected find(name: string): Binding | null {
    for (let k = this.scopes.length - 1; k >= 0; k--) {
      const b = this.scopes[k].get(name);
      if (b !== undefined) return b;
    }
    if (!this.known.has(name)) {
      const node = this.instance.file.constants.get(name);
      this.known.set(name, node === undefined ? null : this.literal(node));
    }
    const value = this.known.get(name);
    return value === undefined || value === null ? null : { kind: "literal", value };
  }

  protected name(node: Node): Binding {
    return this.find(node.name) ?? this.fail(node, `${node.name} is not known`, "declare it; constants are literals");
  }

  /** The number or truth value of the expression if it is the same in every call of this instance, else null. */
  protected literal(node: Node): number | boolean | null {
    return literal_of(node, this.instance.shape, this.named);
  }

  private readonly named = (name: string): number | boolean | null => {
    const b = this.find(name);
    return b?.kind === "literal" ? b.value : null;
  };

  // ---- types

  protected type_of(node: Node): VecType {
    if (this.literal(node) !== null) return "literal";
    switch (node.type) {
      case "Identifier": {
        const b = this.name(node);
        return b.kind === "local" ? b.type : "literal";
      }
      case "UnaryExpression":
        return this.type_of(node.argument);
      case "BinaryExpression": {
        const type = this.common(node);
        if (!is_comparison(node.operator)) return type;
        return type === "Vec" || type === "IntVec" ? "Mask" : "truth";
      }
      case "LogicalExpression":
        return this.type_of(node.left);
      case "ConditionalExpression":
        return this.either(node, node.consequent, node.alternate);
      case "CallExpression":
        return this.type_of_call(node);
      default: {
        const way_out = "use names, numbers, operators, ?: and calls";
        return this.fail(node, `${node.type} in vector kernel text`, way_out);
      }
    }
  }

  /** The common type of an operator's two sides. */
  private common(node: Node): VecType {
    if (is_shift(node.operator)) {
      const type = this.type_of(node.left);
      return type === "literal" ? "int" : type;
    }
    const l = this.type_of(node.left);
    const r = this.type_of(node.right);
    if (node.operator === "+" && ((l === "ptr" && r === "int") || (l === "int" && r === "ptr"))) return "ptr";
    if (node.operator === "-" && l === "ptr" && (r === "int" || r === "ptr")) return r === "int" ? "ptr" : "int";
    return this.one_of(node, l, r);
  }

  /** The common type of two expressions, which must agree. */
  private either(node: Node, a: Node, b: Node): VecType {
    return this.one_of(node, this.type_of(a), this.type_of(b));
  }

  private one_of(node: Node, l: VecType, r: VecType): VecType {
    if (l === r || r === "literal") return l;
    if (l === "literal") return r;
    const way_out = "splat() makes a Vec of a float, to_float() a float of an int";
    return this.fail(node, `${l} meets ${r}`, way_out);
  }

  private type_of_call(node: Node): VecType {
    const name: string = node.callee.name;
    const own = this.instance.file.functions.get(name);
    if (own !== undefined) return this.instance.result_of(own);
    const access = ACCESSES.get(name);
    if (access !== undefined) return access.stores ? "void" : access.value;
    if (name === "lane") return "float";
    if (name === "fmadd" || name === "rounded") return "Vec";
    if (name === "min" || name === "max") return "int";
    const intrinsic = INTRINSICS.get(name);
    if (intrinsic !== undefined) return intrinsic.result;
    const way_out = `write it in this file, or use one of src/aten/cpu/vec/Vec.ts`;
    return this.fail(node, `${name ?? "a call of something other than a function"} is not known`, way_out);
  }

  // ---- instructions

  /** Puts the value on the stack as type `want`. */
  protected value(node: Node, want: VecType): void {
    const known = this.literal(node);
    if (known !== null) {
      this.constant(node, known, want);
      return;
    }
    const own = this.type_of(node);
    const type = own === "literal" ? want : own; // a choice between literals
    const same = type === want || (type === "int" && want === "ptr") || (type === "ptr" && want === "int");
    if (!same) this.fail(node, `a ${type} where a ${want} is required`, way_out_of(type, want));
    switch (node.type) {
      case "Identifier":
        this.emit(`local.get $${(this.name(node) as { local: string }).local}`);
        return;
      case "UnaryExpression":
        this.unary(node, type);
        return;
      case "BinaryExpression":
        this.binary(node, type);
        return;
      case "LogicalExpression": {
        if (type !== "Mask" && type !== "truth") this.fail(node, `${node.operator} of ${type}`, "it joins conditions");
        this.value(node.left, type);
        this.value(node.right, type);
        this.emit(`${type === "Mask" ? "v128" : "i32"}.${node.operator === "&&" ? "and" : "or"}`);
        return;
      }
      case "ConditionalExpression":
        this.conditional(node, type);
        return;
      case "CallExpression":
        this.call(node);
        return;
    }
  }

  private constant(node: Node, value: number | boolean, want: VecType): void {
    const { shape } = this.instance;
    const text = Object.is(value, -0) ? "-0" : `${value}`.replace("Infinity", "inf").replace("NaN", "nan");
    const whole = typeof value === "number" && Number.isInteger(value);
    switch (want) {
      case "int":
      case "ptr":
        if (!whole) this.fail(node, `${value} is not an integer`, "addresses and counts are integers");
        this.emit(`i32.const ${text}`);
        return;
      case "float":
        if (is_integral(shape) && !whole)
          this.fail(node, `${value} is not a value of ${shape.dtype}`, "elements are integers");
        this.emit(`${shape.element}.const ${text}`);
        return;
      case "Vec":
      case "IntVec": {
        if (want === "IntVec" && !whole) this.fail(node, `${value} is not an integer`, "bits are integers");
        if (is_integral(shape) && !whole)
          this.fail(node, `${value} is not a value of ${shape.dtype}`, "elements are integers");
        const lanes = ` ${want === "IntVec" ? BigInt(value) : text}`.repeat(16 >> shape.log2);
        this.emit(`local.get $${this.constant_vector(`v128.const ${prefix_of(want, shape)}${lanes}`)}`);
        return;
      }
      case "truth":
        this.emit(`i32.const ${value ? 1 : 0}`);
        return;
      default:
        this.fail(node, `a literal where a ${want} is required`, "compare vectors to get a Mask");
    }
  }

  private constant_vector(line: string): string {
    let name = this.constants.get(line);
    if (name === undefined) {
      name = this.local(`k${this.constants.size}`, "v128");
      this.constants.set(line, name);
      this.head.push(line, `local.set $${name}`);
    }
    return name;
  }

  private unary(node: Node, type: VecType): void {
    const { operator, argument } = node;
    if (operator === "!" && (type === "Mask" || type === "truth")) {
      this.value(argument, type);
      this.emit(type === "Mask" ? "v128.not" : "i32.eqz");
      return;
    }
    if (operator === "-" && type === "int") {
      this.emit("i32.const 0");
      this.value(argument, type);
      this.emit("i32.sub");
      return;
    }
    if (operator !== "-" || (type !== "Vec" && type !== "float" && type !== "IntVec"))
      this.fail(node, `${operator} of ${type}`, "the unary operators are - for numbers and ! for conditions");
    this.value(argument, type);
    this.emit(`${prefix_of(type, this.instance.shape)}.neg`);
  }

  private binary(node: Node, want: VecType): void {
    const common = this.common(node);
    const type = common === "literal" ? (is_comparison(node.operator) ? "int" : want) : common;
    const { operator } = node;
    const line = instruction_for(operator, type, this.instance.shape);
    if (line === null) {
      const way_out =
        type === "int" || type === "ptr" ? "shift by a power of two, or mask" : "the type does not have this operator";
      this.fail(node, `${operator} of ${type}`, way_out);
    }
    // Parts of an address are ints.
    const of = (side: Node): VecType => (type === "ptr" && this.type_of(side) === "int" ? "int" : type);
    this.value(node.left, type === "int" && this.type_of(node.left) === "ptr" ? "ptr" : of(node.left));
    if (is_shift(operator)) this.value(node.right, "int");
    else this.value(node.right, type === "int" && this.type_of(node.right) === "ptr" ? "ptr" : of(node.right));
    this.emit(line as string);
  }

  private conditional(node: Node, type: VecType): void {
    const test = this.literal(node.test);
    if (test !== null) {
      this.value(test ? node.consequent : node.alternate, type);
      return;
    }
    const mask = this.type_of(node.test) === "Mask";
    const vector = wasm_type(type, this.instance.shape) === "v128";
    if (mask !== vector) {
      const way_out = "a Mask chooses between vectors, a condition between scalars; else write if, or any(mask)";
      this.fail(node, `${this.type_of(node.test)} ? ${type} : ${type}`, way_out);
    }
    // Lanes whose result is 0 are masked out.
    const zero = mask ? [node.consequent, node.alternate].findIndex((side) => Object.is(this.literal(side), 0)) : -1;
    if (zero !== 0) this.value(node.consequent, type);
    if (zero !== 1) this.value(node.alternate, type);
    this.value(node.test, mask ? "Mask" : "truth");
    this.emit(mask ? (["v128.andnot", "v128.and"][zero] ?? "v128.bitselect") : "select");
  }

  // ---- calls

  protected call(node: Node): void {
    const name: string = node.callee.name;
    const { shape, relaxed } = this.instance;
    const own = this.instance.file.functions.get(name);
    if (own !== undefined) {
      if (own.inline) this.inlined(node, own);
      else {
        this.args(node, this.instance.param_types(own));
        this.emit(`call $${name}`);
      }
      return;
    }
    const access = ACCESSES.get(name);
    if (access !== undefined) {
      this.access(node, access);
      return;
    }
    if (name === "lane") {
      this.count(node, 2);
      const k = this.literal(node.arguments[1]);
      if (typeof k !== "number" || k < 0 || k >= 16 >> shape.log2)
        this.fail(node, "which lane?", `a literal below ${16 >> shape.log2}`);
      this.value(node.arguments[0], "Vec");
      this.emit(`${shape.vec}.extract_lane ${k}`);
      return;
    }
    if (is_integral(shape) && FLOATS_ONLY.has(name))
      this.fail(node, `${name} of ${shape.dtype}`, "only floats have it: choose with ?: and comparisons");
    if (name === "fmadd") {
      this.count(node, 3);
      const [a, b, c] = node.arguments;
      this.value(a, "Vec");
      this.value(b, "Vec");
      // Both variants have equally many bytes, so that the two modules differ only in these (dest/vec_kernels.ts).
      const fused = relaxed && !is_integral(shape);
      this.emit(...(fused ? ["nop", "nop", "nop"] : [`${shape.vec}.mul`]));
      this.value(c, "Vec");
      this.emit(fused ? `${shape.vec}.relaxed_madd` : `${shape.vec}.add`);
      return;
    }
    if (name === "rounded") {
      this.args(node, ["Vec"]);
      if (shape.size === 2) this.converted((e, x) => rounded(e, shape.dtype, x));
      return;
    }
    if (name === "min" || name === "max") {
      this.args(node, ["int", "int"]);
      const [a, b] = [this.local("a", "i32"), this.local("b", "i32")];
      this.emit(`local.set $${b}`, `local.tee $${a}`, `local.get $${b}`, `local.get $${a}`, `local.get $${b}`);
      this.emit(name === "min" ? "i32.lt_s" : "i32.gt_s", "select");
      return;
    }
    this.type_of_call(node); // throws if there is no such function
    const intrinsic = INTRINSICS.get(name);
    this.args(node, intrinsic?.params ?? []);
    this.emit(...(intrinsic?.lines(shape, relaxed) ?? []));
  }

  private access(node: Node, access: Access): void {
    const { shape } = this.instance;
    this.count(node, access.stores ? 2 : 1);
    const [base, distance] = this.address(node.arguments[0]);
    const offset = distance > 0 ? ` offset=${distance}` : "";
    this.value(base, "ptr");
    if (access.stores) this.value(node.arguments[1], access.value);
    const half = shape.size === 2 ? HALF_ACCESSES.get(node.callee.name) : undefined;
    if (half === undefined) this.emit(`${access.name(shape)}${offset}`);
    else if (access.stores) {
      if (access.value === "float") this.emit("f32x4.splat");
      this.converted((e, x) => narrowed(e, shape.dtype, x, x));
      this.emit(`${half.name}${offset}${half.lane}`);
    } else {
      this.emit(`${half.name}_${shape.dtype === "float16" ? "s" : "u"}${offset}`);
      if (half.name.startsWith("i32")) this.emit("i32x4.splat");
      this.converted((e, x) => widened(e, shape.dtype, x));
      if (access.value === "float") this.emit("f32x4.extract_lane 0");
    }
  }

  /** Applies `convert` to the vector on the stack. */
  private converted(convert: (e: Emitter, x: string) => string): void {
    const e = this.conversions;
    const x = e.fresh();
    this.emit(`local.set $${x}`);
    const result = convert(e, x);
    this.emit(...e.take(), `local.get $${result}`);
  }

  private count(node: Node, wanted: number): void {
    const given: number = node.arguments.length;
    if (given !== wanted) this.fail(node, `${node.callee.name} with ${given} arguments`, `it takes ${wanted}`);
  }

  private args(node: Node, types: readonly VecType[]): void {
    this.count(node, types.length);
    for (const [k, type] of types.entries()) this.value(node.arguments[k], type);
  }

  /** Splits `p + 32` into p and an offset that becomes part of the instruction. */
  private address(node: Node): [base: Node, offset: number] {
    if (node.type === "BinaryExpression" && node.operator === "+") {
      const k = this.literal(node.right);
      if (typeof k === "number" && k >= 0) {
        const [base, offset] = this.address(node.left);
        return [base, offset + k];
      }
    }
    return [node, 0];
  }

  /** Writes the body of an `@inline` function here. */
  private inlined(node: Node, fn: VecFunction): void {
    if (this.open.includes(fn.name))
      this.fail(node, `the @inline function ${fn.name} calls itself`, "leave out @inline");
    const { shape } = this.instance;
    const types = this.instance.param_types(fn);
    this.count(node, types.length);
    const scope = new Map<string, Binding>();
    for (const [k, p] of fn.params.entries()) {
      const given = this.literal(node.arguments[k]);
      if (given !== null && !fn.assigned.has(p.name)) {
        scope.set(p.name, { kind: "literal", value: given });
        continue;
      }
      const local = this.local(p.name, wasm_type(types[k], shape));
      this.value(node.arguments[k], types[k]);
      this.emit(`local.set $${local}`);
      scope.set(p.name, { kind: "local", local, type: types[k], writable: true });
    }
    const [callers, path] = [this.scopes, this.path];
    this.scopes = [scope];
    this.path = fn.path;
    this.open.push(fn.name);
    this.inline_body(fn);
    this.open.pop();
    this.scopes = callers;
    this.path = path;
  }

  protected abstract inline_body(fn: VecFunction): void;
}

function way_out_of(type: VecType, want: VecType): string {
  if (want === "Vec" && type === "float") return "splat() it";
  if (want === "truth" && type === "Mask") return "any() or all() of it";
  if (want === "truth") return "compare it with 0";
  if (want === "float" && type === "Vec") return "lane(v, 0)";
  return want === "float" && type === "int" ? "to_float() it" : "declare the name";
}
