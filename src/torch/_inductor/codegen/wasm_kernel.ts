/**
 * @file The printer of a kernel: one WebAssembly function with all its loops. One dimension runs along the lanes of vectors, the others are
 * loops around it.
 *
 *     kernel with rows      for x0: { for r0 by 16: stage 1; sum the lanes; stage 2; for r0 by 16: stage 3 }       lanes along the row
 *     sum over rows         for x0 by 16: { for r0: stage 1; stage 2 }                                            lanes along the result
 *     pointwise             for x0: { for x1 by 16: stage 1 }
 *
 * All sizes are constants of the code; its parameters are the addresses of the buffers.
 * @mirrors torch/_inductor/codegen/cpp.py#CppVecKernel
 * @see stages.ts, aten/cpu/vec/vec128_values.ts (the instructions of values)
 */
import type { WasmFunction, WasmType } from "#aten/cpu/vec/assembler";
import { Emitter } from "#aten/cpu/vec/emitter";
import { computed_in, Graph, type Kernel, type Value } from "#aten/cpu/vec/ir";
import { ValuePrinter } from "#aten/cpu/vec/vec128_values";
import { stride_of } from "../sizevars.ts";
import type { KernelPlan, Stage, StageReduction } from "./stages.ts";
import { computed_dtype, converted } from "./vector_kernels.ts";
import { type Chunk, Memory } from "./wasm_memory.ts";
import { Combiner } from "./wasm_reductions.ts";

/** Elements in a vector; those of eight bytes take two. */
const LANES = 4;

/** The graph of a stage, for the printer of values and for readers. */
export function kernel_of(name: string, stage: Stage): Kernel {
  const inputs = stage.inputs.map((input) => ({
    name: input.name,
    dtype: input.kind === "load" ? input.dtype : computed_dtype(input.dtype),
  }));
  const outputs = [...stage.stores, ...stage.reductions].map(({ dtype, value }) => ({ dtype, value }));
  const needed = [...stage.indirect.values()].map(({ value }) => ({ dtype: "int64", value }));
  const masks = stage.inputs.flatMap((input) =>
    input.kind === "load" && input.mask !== null ? [{ dtype: "bool", value: input.mask }] : [],
  );
  return {
    name,
    inputs,
    captures: [],
    outputs: [...outputs, ...needed, ...masks],
    asserts: [],
    values: stage.graph.values,
  };
}

export class WasmKernel {
  private readonly e = new Emitter("t");
  private readonly plan: KernelPlan;
  private readonly memory: Memory;
  private readonly stored: ReadonlySet<string>;
  private readonly relaxed: boolean;
  /** Which dimension runs along the lanes, if any. */
  private readonly lane: string | null;
  /** Results that are one value for a row, or one vector for a chunk of results. */
  private readonly registers = new Map<string, readonly string[]>();
  private readonly name: string;

  /** @param parameters names of buffers, in the order of the function's parameters @param stored buffers that are kept in memory */
  constructor(
    name: string,
    plan: KernelPlan,
    parameters: readonly string[],
    stored: ReadonlySet<string>,
    relaxed: boolean,
  ) {
    this.name = name;
    this.plan = plan;
    this.stored = stored;
    this.relaxed = relaxed;
    this.lane = this.choose_lane();
    this.memory = new Memory(this.e, parameters, this.lane);
  }

  /** The last dimension of the reduction, unless more loads are contiguous along the last dimension of the result. */
  private choose_lane(): string | null {
    const { outer, reduction, stages } = this.plan;
    const along = (name: string | undefined): number =>
      name === undefined
        ? -1
        : stages
            .filter((stage) => stage.kind === "full")
            .flatMap((stage) => stage.inputs)
            .filter((input) => input.kind === "load" && stride_of(input.index, name) === 1).length;
    const [last_outer, last] = [outer.at(-1), reduction.at(-1)];
    if (last === undefined) return last_outer ?? null;
    return along(last_outer) > along(last) ? (last_outer as string) : last;
  }

  print(): WasmFunction {
    const { plan } = this;
    for (const name of plan.ranges.keys()) this.e.local(name, "i32");
    if ([...plan.ranges.values()].every((size) => size > 0)) this.print_loops();
    const params = this.memory.parameters.map((_, k): [string, WasmType] => [`p${k}`, "i32"]);
    return { name: this.name, params, results: [], locals: this.e.locals, body: this.e.body() };
  }

  private print_loops(): void {
    const { plan, lane } = this;
    if (lane !== null && plan.reduction.includes(lane)) {
      this.loops(plan.outer, () => {
        for (const stage of plan.stages) this.row_stage(stage);
      });
      return;
    }
    this.loops(
      plan.outer.filter((name) => name !== lane),
      () => {
        const hoisted = plan.reduction.length === 0 ? this.hoist(plan.stages) : new Map<string, readonly string[]>();
        this.along_lanes((chunk) => {
          for (const stage of plan.stages) this.chunk_stage(stage, chunk, hoisted);
        });
      },
    );
  }

  /** Nested loops around `body`. */
  private loops(names: readonly string[], body: () => void): void {
    const { e, plan } = this;
    for (const name of names) e.emit("i32.const 0", `local.set $${name}`, `loop $loop_${name}`);
    // An inner variable starts anew in each turn of the loop around it.
    body();
    for (const name of [...names].reverse()) {
      e.emit(
        `local.get $${name}`,
        "i32.const 1",
        "i32.add",
        `local.tee $${name}`,
        `i32.const ${plan.ranges.get(name)}`,
      );
      e.emit("i32.lt_s", `br_if $loop_${name}`, "end");
    }
  }

  /** Vectors in a chunk: enough to keep the machine busy, few enough for its registers. */
  private unroll(): number {
    const values = this.plan.stages.reduce((n, stage) => Math.max(n, stage.graph.values.length), 0);
    return values <= 150 ? 4 : 2;
  }

  /** `body` for whole chunks, then for single vectors, then for the rest. */
  private along_lanes(body: (chunk: Chunk) => void): void {
    const { e, lane } = this;
    if (lane === null) {
      body({ count: 1, valid: 1, lane: null });
      return;
    }
    const size = this.plan.ranges.get(lane) as number;
    const unroll = this.unroll();
    const whole = LANES * unroll;
    let at = 0;
    const part = (step: number, chunk: Chunk): void => {
      const end = size - ((size - at) % step);
      if (end === at) return;
      e.emit(`i32.const ${at}`, `local.set $${lane}`);
      if (end === at + step) body(chunk);
      else {
        e.emit(`loop $chunks_${step}`);
        body(chunk);
        e.emit(`local.get $${lane}`, `i32.const ${step}`, "i32.add", `local.tee $${lane}`, `i32.const ${end}`);
        e.emit("i32.lt_s", `br_if $chunks_${step}`, "end");
      }
      at = end;
    };
    part(whole, { count: unroll, valid: LANES, lane });
    part(LANES, { count: 1, valid: LANES, lane });
    if (at < size) {
      e.emit(`i32.const ${at}`, `local.set $${lane}`);
      body({ count: 1, valid: size - at, lane });
    }
  }

  // ---- a stage

  /** Loads of values that are the same along the lanes, before the loop along them. */
  private hoist(stages: readonly Stage[]): Map<string, readonly string[]> {
    const hoisted = new Map<string, readonly string[]>();
    const stored = new Set(stages.flatMap((stage) => stage.stores.map((store) => store.buffer)));
    for (const stage of stages)
      for (const input of stage.inputs)
        if (input.kind === "load" && !stored.has(input.buffer) && this.memory.is_same_along(input))
          hoisted.set(input.name, this.memory.load_splat(input));
    return hoisted;
  }

  /** Loads and computes a stage for a chunk; gives the printer, which knows the vectors. */
  private values(stage: Stage, chunk: Chunk, hoisted: ReadonlyMap<string, readonly string[]>): ValuePrinter {
    const inputs = new Map<string, readonly string[]>();
    const printer = new ValuePrinter(this.e, kernel_of("", stage), this.relaxed, chunk.count, inputs);
    const spread = (vectors: readonly string[]): readonly string[] =>
      Array.from({ length: chunk.count }, () => vectors).flat();
    for (const input of stage.inputs) {
      if (input.kind === "register") {
        const vectors = this.registers.get(input.buffer) as readonly string[];
        const per = is_wide(input.dtype) ? 2 : 1;
        inputs.set(input.name, vectors.length === chunk.count * per ? vectors : spread(vectors.slice(0, per)));
        continue;
      }
      const early = hoisted.get(input.name);
      if (early !== undefined) {
        inputs.set(input.name, spread(early));
        continue;
      }
      const symbols = input.kind === "load" ? input.index.free_symbols() : input.expr.free_symbols();
      const places = [...symbols].flatMap((s) => {
        const place = stage.indirect.get(s);
        return place === undefined ? [] : [[s, place] as const];
      });
      for (const [, { value }] of places) printer.compute(value);
      if (input.kind === "load" && input.mask !== null) printer.compute(input.mask);
      const at = new Map(
        places.map(([s, { value, size }]) => [s, { vectors: printer.of(value), size, type: value.type }]),
      );
      const mask =
        input.kind === "load" && input.mask !== null ? printer.as_many(printer.of(input.mask), chunk.count) : null;
      inputs.set(
        input.name,
        input.kind === "load" ? this.memory.load(input, chunk, at, mask) : this.memory.index_values(input, chunk, at),
      );
    }
    for (const { value } of [...stage.stores, ...stage.reductions]) printer.compute(value);
    return printer;
  }

  private vectors_of(printer: ValuePrinter, value: Value, count: number): readonly string[] {
    return value.type === "mask" ? printer.as_many(printer.of(value), count) : printer.of(value);
  }

  private store(stage: Stage, printer: ValuePrinter, chunk: Chunk): void {
    for (const store of stage.stores) {
      const vectors = this.vectors_of(printer, store.value, chunk.count);
      if (stage.kind === "outer")
        this.registers.set(
          store.buffer,
          store.value.type === "mask"
            ? vectors.map((v) => this.e.op("v128.and", v, this.e.constant("i32", 1)))
            : vectors,
        );
      if (this.stored.has(store.buffer)) this.memory.store(store, vectors, chunk, store.value.type === "mask");
    }
  }

  /** A stage of a kernel whose lanes run along the reduction. */
  private row_stage(stage: Stage): void {
    const once: Chunk = { count: 1, valid: 1, lane: null };
    if (stage.kind === "outer") {
      this.store(stage, this.values(stage, once, new Map()), once);
      return;
    }
    const accumulators = this.begin_reductions(stage, this.unroll());
    const { reduction } = this.plan;
    this.loops(reduction.slice(0, -1), () => {
      const hoisted = this.hoist([stage]);
      this.along_lanes((chunk) => {
        const printer = this.values(stage, chunk, hoisted);
        this.store(stage, printer, chunk);
        this.accumulate(stage, printer, chunk, accumulators);
      });
    });
    for (const [k, r] of stage.reductions.entries()) {
      const combiner = new Combiner(this.e, r.type, r.src_dtype);
      const total = combiner.across(accumulators[k]);
      this.finish(r, combiner.is_wide ? [total, total] : [total], once);
    }
  }

  /** A stage of a kernel whose lanes run along the results. */
  private chunk_stage(stage: Stage, chunk: Chunk, hoisted: ReadonlyMap<string, readonly string[]>): void {
    const { reduction } = this.plan;
    if (stage.kind === "outer" || reduction.length === 0) {
      this.store(stage, this.values(stage, chunk, hoisted), chunk);
      return;
    }
    const accumulators = this.begin_reductions(stage, chunk.count);
    this.loops(reduction, () => {
      const printer = this.values(stage, chunk, hoisted);
      this.store(stage, printer, chunk);
      for (const [k, r] of stage.reductions.entries()) this.add(r, printer.of(r.value), accumulators[k]);
    });
    for (const [k, r] of stage.reductions.entries()) this.finish(r, accumulators[k], chunk);
  }

  // ---- reductions

  /** The vectors in which each reduction adds up. */
  private begin_reductions(stage: Stage, count: number): readonly (readonly string[])[] {
    const { e } = this;
    return stage.reductions.map((r) => {
      const combiner = new Combiner(e, r.type, r.src_dtype);
      const start = combiner.identity();
      const length = combiner.is_wide ? 2 * count : count;
      return Array.from({ length }, () => e.copy(start));
    });
  }

  private add(r: StageReduction, vectors: readonly string[], accumulators: readonly string[]): void {
    const combiner = new Combiner(this.e, r.type, r.src_dtype);
    for (const [k, v] of vectors.entries())
      this.e.emit(`local.get $${combiner.combine(accumulators[k], v)}`, `local.set $${accumulators[k]}`);
  }

  private accumulate(
    stage: Stage,
    printer: ValuePrinter,
    chunk: Chunk,
    accumulators: readonly (readonly string[])[],
  ): void {
    const { e } = this;
    for (const [k, r] of stage.reductions.entries()) {
      const combiner = new Combiner(e, r.type, r.src_dtype);
      const per = combiner.is_wide ? 2 : LANES;
      const vectors = printer.of(r.value).flatMap((v, at) => {
        const valid = Math.min(per, chunk.valid - ((at * per) % LANES));
        if (chunk.valid === LANES || valid === per) return [v];
        if (valid <= 0) return [];
        const bytes = 16 / per;
        const order = Array.from({ length: 16 }, (_, b) => (b < valid * bytes ? b : 16 + b));
        return [e.shuffle(v, combiner.identity(), order)];
      });
      this.add(r, vectors, accumulators[k]);
    }
  }

  /** The result in its dtype: kept for later stages, and stored if somebody else needs it. */
  private finish(r: StageReduction, vectors: readonly string[], chunk: Chunk): void {
    let result = vectors;
    if (computed_dtype(r.src_dtype) !== computed_dtype(r.dtype)) {
      const graph = new Graph();
      const x = graph.input("x", r.src_dtype);
      const value = converted(graph, x, r.dtype, r.src_dtype);
      const kernel = {
        name: "",
        inputs: [],
        captures: [],
        outputs: [{ dtype: r.dtype, value }],
        asserts: [],
        values: graph.values,
      };
      const printer = new ValuePrinter(this.e, kernel, this.relaxed, chunk.count, new Map([["x", vectors]]));
      printer.compute(value);
      result = printer.of(value);
    }
    this.registers.set(r.buffer, result);
    if (this.stored.has(r.buffer)) this.memory.store(r, result, chunk, false);
  }
}

const is_wide = (dtype: string): boolean => {
  const type = computed_in(dtype);
  return type === "f64" || type === "i64";
};
