/**
 * @file Loads and stores of a kernel: contiguous ones whole vectors at a time, one value for all lanes, or lane by lane wherever the index
 * goes.
 * @mirrors torch/_inductor/codegen/cpp.py#CppVecKernel
 */
import type { Emitter } from "#aten/cpu/vec/emitter";
import { computed_in, type ValueType } from "#aten/cpu/vec/ir";
import { load_vectors, narrowed, SIZES, store_vectors, widened } from "#aten/cpu/vec/vec128_types";
import { integer, symbol } from "#torch/utils/_sympy/expr";
import { add, type Expr, stride_of, at as with_values } from "../sizevars.ts";
import type { StageInput, Store } from "./stages.ts";

/** A few vectors along the lanes. */
export interface Chunk {
  /** Vectors of four elements. */
  readonly count: number;
  /** Elements of the last vector that exist. */
  readonly valid: number;
  /** The variable along the lanes; null where there is one value only. */
  readonly lane: string | null;
}

/** Values that are places, in vectors. */
export interface Places {
  readonly vectors: readonly string[];
  readonly size: number;
  readonly type: ValueType;
}

type Load = StageInput & { readonly kind: "load" };
type IndexInput = StageInput & { readonly kind: "index" };
type Indirect = ReadonlyMap<string, Places>;

const NO_PLACES: Indirect = new Map();
const LANES = 4;
const is_half = (dtype: string): boolean => dtype === "float16" || dtype === "bfloat16";

export class Memory {
  readonly parameters: readonly string[];
  private readonly e: Emitter;
  private readonly lane: string | null;
  private temporaries = 0;

  constructor(e: Emitter, parameters: readonly string[], lane: string | null) {
    this.e = e;
    this.parameters = parameters;
    this.lane = lane;
  }

  /** Whether it is one value for all lanes. */
  is_same_along(input: Load): boolean {
    if (input.mask !== null || this.lane === null) return false;
    const free = input.index.free_symbols();
    return stride_of(input.index, this.lane) === 0 && ![...free].some((s) => s.startsWith("indirect"));
  }

  // ---- addresses

  /** Pushes the value of an index. @param lane_offset which element after the first of the chunk */
  private index(expr: Expr, indirect: Indirect, element: number): void {
    const { e } = this;
    let first = true;
    for (const { coefficient, factors } of expr.terms) {
      if (factors.length === 0) e.emit(`i32.const ${coefficient}`);
      for (const [k, [atom, power]] of factors.entries())
        for (let p = 0; p < power; p++) {
          if (atom.args === null) this.variable(atom.name, indirect, element);
          else {
            this.index(atom.args[0], indirect, element);
            this.index(atom.args[1], indirect, element);
            e.emit(atom.name === "FloorDiv" ? "i32.div_s" : "i32.rem_s");
          }
          if (k > 0 || p > 0) e.emit("i32.mul");
        }
      if (factors.length > 0 && coefficient !== 1) e.emit(`i32.const ${coefficient}`, "i32.mul");
      if (!first) e.emit("i32.add");
      first = false;
    }
    if (first) e.emit("i32.const 0");
  }

  /** Pushes a variable of the loops, or a value that is a place. A place outside its tensor stops the kernel. */
  private variable(name: string, indirect: Indirect, element: number): void {
    const { e } = this;
    const places = indirect.get(name);
    if (places === undefined) {
      e.emit(`local.get $${name}`);
      return;
    }
    if (places.type === "i64")
      e.emit(`local.get $${places.vectors[element >> 1]}`, `i64x2.extract_lane ${element & 1}`, "i32.wrap_i64");
    else e.emit(`local.get $${places.vectors[element >> 2]}`, `i32x4.extract_lane ${element & 3}`);
    const place = e.local(`i${this.temporaries++}`, "i32");
    e.emit(
      `local.tee $${place}`,
      `i32.const ${places.size}`,
      "i32.ge_u",
      "if",
      "unreachable",
      "end",
      `local.get $${place}`,
    );
  }

  /** A local with the address of an element. */
  private address(
    buffer: string,
    expr: Expr,
    size: number,
    indirect: Indirect,
    element: number,
    mask?: string,
  ): string {
    const { e } = this;
    const local = e.local(`a${this.temporaries++}`, "i32");
    e.emit(`local.get $p${this.parameters.indexOf(buffer)}`);
    const needs = mask !== undefined;
    if (needs) e.emit(`local.get $${mask}`, `i32x4.extract_lane ${element & 3}`, "if");
    if (needs) {
      // Only where the mask is true is the index within the tensor.
      const chosen = e.local(`m${this.temporaries++}`, "i32");
      this.index(expr, indirect, element);
      e.emit(`local.set $${chosen}`, "else", "i32.const 0", `local.set $${chosen}`, "end", `local.get $${chosen}`);
    } else this.index(expr, indirect, element);
    e.emit(`i32.const ${Math.log2(size)}`, "i32.shl", "i32.add", `local.set $${local}`);
    return local;
  }

  // ---- loads

  /** One element in all lanes of as many vectors as one chunk of one vector has. */
  load_splat(input: Load, indirect: Indirect = NO_PLACES, mask?: string): readonly string[] {
    const { e } = this;
    const size = SIZES[input.dtype];
    const local = this.address(input.buffer, input.index, size, indirect, 0, mask);
    e.emit(`local.get $${local}`);
    if (size === 8) {
      const v = e.set("v128.load64_splat");
      return [v, v];
    }
    if (size === 4) return [e.set("v128.load32_splat")];
    e.emit(scalar_load(input.dtype));
    const v = e.set("i32x4.splat");
    return [this.element(input.dtype, v)];
  }

  /** Narrow elements as they are computed. */
  private element(dtype: string, v: string): string {
    const { e } = this;
    if (is_half(dtype)) return widened(e, dtype, v);
    if (dtype !== "bool") return v;
    return e.op("v128.and", e.op("i32x4.ne", v, e.constant("i32", 0)), e.constant("i32", 1));
  }

  load(input: Load, chunk: Chunk, indirect: Indirect, mask: readonly string[] | null): readonly string[] {
    const { e } = this;
    const { lane } = chunk;
    if (lane === null) return this.load_splat(input, indirect, mask?.[0]);
    const stride = indirect.size > 0 ? null : stride_of(input.index, lane);
    const size = SIZES[input.dtype];
    if (mask === null && stride === 0) {
      const one = this.load_splat(input);
      return Array.from({ length: chunk.count }, () => one).flat();
    }
    if (mask === null && stride === 1)
      return load_vectors(e, input.dtype, this.address(input.buffer, input.index, size, indirect, 0), chunk.count);
    const base =
      mask === null && stride !== null && stride > 0
        ? this.address(input.buffer, input.index, size, indirect, 0)
        : null;
    return this.gather(input, chunk, (k) => {
      if (base !== null) return [base, k * (stride as number) * size];
      const expr = with_values(input.index, new Map([[lane, add(symbol(lane), integer(k))]]));
      return [this.address(input.buffer, expr, size, indirect, k, mask?.[k >> 2]), 0];
    });
  }

  /** Loads lane by lane. @param where the address of the k-th element: a local, and bytes after it */
  private gather({ dtype }: Load, chunk: Chunk, where: (k: number) => readonly [string, number]): readonly string[] {
    const { e } = this;
    const size = SIZES[dtype];
    const per = size === 8 ? 2 : LANES;
    const vectors: string[] = [];
    const total = (chunk.count - 1) * LANES + chunk.valid;
    for (let at = 0; at < chunk.count * LANES; at += per) {
      let v = e.constant("i32", 0);
      for (let k = at; k < Math.min(at + per, total); k++) {
        const [local, offset] = where(k);
        if (size >= 4) {
          e.emit(`local.get $${local}`, `local.get $${v}`);
          v = e.set(`v128.load${8 * size}_lane offset=${offset} ${k - at}`);
        } else {
          e.emit(`local.get $${v}`, `local.get $${local}`, `${scalar_load(dtype)} offset=${offset}`);
          v = e.set(`i32x4.replace_lane ${k - at}`);
        }
      }
      vectors.push(size >= 4 ? v : this.element(dtype, v));
    }
    return vectors;
  }

  /** A number known from the variables, in each lane. */
  index_values(input: IndexInput, chunk: Chunk, indirect: Indirect): readonly string[] {
    const { e } = this;
    const type = computed_in(input.dtype) as ValueType;
    const wide = type === "i64" || type === "f64";
    const per = wide ? 2 : LANES;
    const shape = { i32: "i32x4", i64: "i64x2", f32: "f32x4", f64: "f64x2", mask: "i32x4" }[type];
    const to = { i32: [], i64: ["i64.extend_i32_s"], f32: ["f32.convert_i32_s"], f64: ["f64.convert_i32_s"], mask: [] }[
      type
    ];
    const stride = chunk.lane === null ? 0 : indirect.size > 0 ? null : stride_of(input.expr, chunk.lane);
    if (stride !== null) {
      this.index(input.expr, indirect, 0);
      e.emit(...to);
      const first = e.set(`${shape}.splat`);
      const length = chunk.count * (LANES / per);
      if (stride === 0) return new Array<string>(length).fill(first);
      return Array.from({ length }, (_, j) => {
        const steps = Array.from({ length: per }, (__, l) => (j * per + l) * stride);
        const offsets = e.op(`v128.const ${shape} ${steps.join(" ")}`);
        return e.op(`${shape}.add`, first, offsets);
      });
    }
    const lane = chunk.lane as string;
    return Array.from({ length: chunk.count * (LANES / per) }, (_, j) => {
      let v = e.constant("i32", 0);
      for (let l = 0; l < per; l++) {
        const k = j * per + l;
        const expr = with_values(input.expr, new Map([[lane, add(symbol(lane), integer(k))]]));
        e.emit(`local.get $${v}`);
        this.index(expr, indirect, k);
        e.emit(...to);
        v = e.set(`${shape}.replace_lane ${l}`);
      }
      return v;
    });
  }

  // ---- stores

  store(store: Store, vectors: readonly string[], chunk: Chunk, is_mask: boolean): void {
    const { e } = this;
    const { dtype } = store;
    const size = SIZES[dtype];
    const { lane } = chunk;
    const local = this.address(store.buffer, store.index, size, NO_PLACES, 0);
    const stride = lane === null ? 1 : stride_of(store.index, lane);
    if (stride === 1 && chunk.valid === LANES) {
      store_vectors(e, dtype, is_mask, vectors, local);
      return;
    }
    const total = (chunk.count - 1) * LANES + chunk.valid;
    for (let k = 0; k < total; k++) {
      let [at, offset] = [local, k * (stride ?? 0) * size];
      if (stride === null || stride < 0) {
        const expr = with_values(store.index, new Map([[lane as string, add(symbol(lane as string), integer(k))]]));
        [at, offset] = [this.address(store.buffer, expr, size, NO_PLACES, k), 0];
      }
      this.store_lane(dtype, vectors[size === 8 ? k >> 1 : k >> 2], size === 8 ? k & 1 : k & 3, at, offset, is_mask);
    }
  }

  private store_lane(dtype: string, v: string, lane: number, at: string, offset: number, is_mask: boolean): void {
    const { e } = this;
    const size = SIZES[dtype];
    if (size >= 4) {
      e.emit(`local.get $${at}`, `local.get $${v}`, `v128.store${8 * size}_lane offset=${offset} ${lane}`);
      return;
    }
    if (is_half(dtype)) {
      const bits = narrowed(e, dtype, v, v);
      e.emit(`local.get $${at}`, `local.get $${bits}`, `v128.store16_lane offset=${offset} ${lane}`);
      return;
    }
    e.emit(
      `local.get $${at}`,
      `local.get $${v}`,
      `i32x4.extract_lane ${lane}`,
      ...(is_mask ? ["i32.const 1", "i32.and"] : []),
    );
    e.emit(`${size === 1 ? "i32.store8" : "i32.store16"} offset=${offset}`);
  }
}

const scalar_load = (dtype: string): string => {
  const signed = dtype === "int8" || dtype === "int16" || dtype === "float16" ? "s" : "u";
  return `i32.load${8 * SIZES[dtype]}_${signed}`;
};
