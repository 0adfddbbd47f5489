/**
 * @file The printer of a graph of values as a WebAssembly loop. It computes eight elements at a time, sixteen if the
 * graph is small, and four times as many if one byte per element is enough.
 *
 *   (n, m, pad, x0, t0, x1, s1, t1, x2, s2, t2, ..., captures)        an n by m tile; addresses and strides in bytes
 *
 * Operand 0, and further outputs after it, are contiguous. An input's inner stride is its element size, or 0: then its
 * one value is written to the pad, four vectors wide, and its pointer stays there, so one body serves every
 * combination. The last elements of a row are computed as a whole vector and written to the pad first: up to 24 bytes
 * after an input are read, nothing is written after an output.
 *
 * A value of eight bytes takes twice as many vectors as one of four; a mask is as wide as the compared values.
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128.h
 * @differs The instructions are chosen by the graph's types; C++ overloads operators for each element type.
 * @see ir.ts, assembler.ts
 */
import type { WasmFunction, WasmType } from "./assembler.ts";
import { Emitter } from "./emitter.ts";
import type { Kernel } from "./ir.ts";
import { is_of_bytes, load_bytes, store_bytes } from "./vec128_bytes.ts";
import { load_vectors, SIZES, store_vectors } from "./vec128_types.ts";
import { ValuePrinter } from "./vec128_values.ts";

// Note [An emitted loop]
// ~~~~~~~~~~~~~~~~~~~~~~
// For `return x * y` on float32 the printer writes 152 instructions. This is their middle, the loop over whole chunks of 16 elements, with
// several instructions on a line and the second to fourth vector of each step left out:
//
//   loop $main
//     local.get $left  i32.const 16  i32.lt_s  br_if $short          fewer than 16 elements left in the row: go on with `rest`
//     local.get $p1  v128.load offset=0  local.set $r2               load x[0..3]; $r3 to $r5 hold the three vectors behind it
//     local.get $p2  v128.load offset=0  local.set $r6               load y[0..3]
//     local.get $r2  local.get $r6  f32x4.mul  local.set $r10        the kernel: one such line per value of its graph and vector
//     local.get $p0  local.get $r10  v128.store offset=0             store
//     local.get $p0  i32.const 64  i32.add  local.set $p0            advance the output by 16 elements,
//     local.get $p1  local.get $d1  i32.add  local.set $p1           and each input by its step, which is 0 for one value for the row
//     local.get $p2  local.get $d2  i32.add  local.set $p2
//     local.get $left  i32.const 16  i32.sub  local.set $left
//     br $main
//   end
//
//   n m    elements in a row, rows               x0 t0     the output: address of its row, bytes to the next row
//   pad    scratch memory                        x1 s1 t1  the first input: address, bytes to the next element (or 0), to the next row
//   left   elements left in this row             p0 p1     where we are in the row
//   r0 ..  vectors; each is set once             d1        bytes from chunk to chunk: 64, or 0 if the input is one value for the row
//                                                q0        where the last vectors are stored: p0, or the pad

/** Bytes of the pad for each operand. */
export const PAD_BYTES = 128;
/**
 * Vectors in a chunk, of four elements each (sixteen in graphs of bytes): enough to keep several execution units busy,
 * few enough to stay in registers.
 */
function unrolled(kernel: Kernel): number {
  return kernel.values.length < 12 ? 4 : 2;
}

/** Elements computed in one turn of the main loop; a shorter row never reaches it. */
export function chunk_elements(kernel: Kernel): number {
  return (is_of_bytes(kernel) ? 16 : 4) * unrolled(kernel);
}

/** Prints the loop as a function named `loop`. @param relaxed whether multiply-add is one instruction */
export function print_loop(kernel: Kernel, relaxed: boolean): WasmFunction {
  return new LoopPrinter(kernel, relaxed).print();
}

class LoopPrinter {
  private readonly kernel: Kernel;
  private readonly relaxed: boolean;
  private readonly e = new Emitter();
  private readonly outputs: number;
  private readonly of_bytes: boolean;
  /** Number of elements in a vector. */
  private readonly lanes: number;
  /** Bytes of an element, by operand; outputs first. */
  private readonly sizes: readonly number[];

  constructor(kernel: Kernel, relaxed: boolean) {
    this.kernel = kernel;
    this.relaxed = relaxed;
    this.outputs = kernel.outputs.length;
    this.of_bytes = is_of_bytes(kernel);
    this.lanes = this.of_bytes ? 16 : 4;
    this.sizes = [...kernel.outputs, ...kernel.inputs].map((o) => SIZES[o.dtype]);
  }

  print(): WasmFunction {
    const { e, kernel, sizes, outputs } = this;
    const params: [string, WasmType][] = [
      ["n", "i32"],
      ["m", "i32"],
      ["pad", "i32"],
    ];
    for (const k of sizes.keys()) {
      params.push([`x${k}`, "i32"]);
      if (k >= outputs) params.push([`s${k}`, "i32"]);
      params.push([`t${k}`, "i32"]);
    }
    for (const c of kernel.captures) params.push([c.name, c.type as WasmType]);
    const unroll = unrolled(kernel);
    for (const k of sizes.keys()) {
      e.local(`p${k}`, "i32");
      if (k >= outputs) e.local(`d${k}`, "i32");
      else e.local(`q${k}`, "i32");
    }
    e.local("left", "i32");
    e.emit("loop $rows");
    for (const [k, size] of sizes.entries()) {
      e.emit(`local.get $x${k}`, `local.set $p${k}`);
      if (k >= outputs) this.broadcast(k, size, unroll);
    }
    e.emit("local.get $n", "local.set $left");
    this.main(unroll);
    this.rest();
    for (const k of sizes.keys()) e.emit(`local.get $x${k}`, `local.get $t${k}`, "i32.add", `local.set $x${k}`);
    e.emit("local.get $m", "i32.const 1", "i32.sub", "local.tee $m", "br_if $rows", "end");
    return { name: "loop", params, results: [], locals: e.locals, body: e.body() };
  }

  /** Sets `d`, the distance that input k moves with every chunk. */
  private broadcast(k: number, size: number, unroll: number): void {
    const { e } = this;
    const bytes = this.lanes * unroll * size;
    e.emit(`i32.const ${bytes}`, `local.set $d${k}`);
    e.emit(`local.get $s${k}`, "i32.eqz", "if");
    e.emit("local.get $pad", `i32.const ${k * PAD_BYTES}`, "i32.add", `local.set $p${k}`);
    const splat = e.fresh();
    e.emit(`local.get $x${k}`, `v128.load${8 * size}_splat`, `local.set $${splat}`);
    for (let at = 0; at < bytes; at += 16) e.emit(`local.get $p${k}`, `local.get $${splat}`, `v128.store offset=${at}`);
    e.emit("i32.const 0", `local.set $d${k}`, "end");
  }

  /** Prints the loop over whole chunks. */
  private main(unroll: number): void {
    const { e } = this;
    e.emit("block $short", "loop $main", "local.get $left", `i32.const ${this.lanes * unroll}`);
    e.emit("i32.lt_s", "br_if $short");
    this.chunk(unroll, "p");
    this.advance(unroll);
    e.emit("br $main", "end", "end");
    for (const k of this.sizes.keys())
      if (k >= this.outputs)
        e.emit(`local.get $d${k}`, `i32.const ${Math.log2(unroll)}`, "i32.shr_u", `local.set $d${k}`);
  }

  /** Prints the rest, vector by vector; the last few elements go through the pad. */
  private rest(): void {
    const { e, lanes, outputs, sizes } = this;
    e.emit("block $done", "loop $rest", "local.get $left", "i32.const 0", "i32.le_s", "br_if $done");
    for (let k = 0; k < outputs; k++) {
      e.emit(`local.get $p${k}`, "local.get $pad", `i32.const ${k * PAD_BYTES}`, "i32.add");
      e.emit("local.get $left", `i32.const ${lanes}`, "i32.ge_s", "select", `local.set $q${k}`);
    }
    this.chunk(1, "q");
    this.advance(1);
    e.emit("br $rest", "end", "end");
    // `left` is 0, or minus the number of elements that the last vector lacks.
    e.emit("local.get $left", "if");
    for (let k = 0; k < outputs; k++) {
      const size = sizes[k];
      e.emit(`local.get $p${k}`, `i32.const ${lanes * size}`, "i32.sub", `local.set $p${k}`);
      if (this.of_bytes) {
        this.move_bytes(k);
        continue;
      }
      const move = MOVES[size];
      for (let lane = 0; lane < 3; lane++) {
        if (lane > 0) e.emit(`local.get $left`, `i32.const ${-4 + lane}`, "i32.gt_s", "if");
        e.emit(
          `local.get $p${k}`,
          `local.get $q${k}`,
          `${move.load} offset=${lane * size}`,
          `${move.store} offset=${lane * size}`,
        );
      }
      e.emit("end", "end");
    }
    e.emit("end");
  }

  /** Moves the last bytes of operand k, from the last to the first. */
  private move_bytes(k: number): void {
    const { e } = this;
    const byte = (pointer: string): string[] => [`local.get $${pointer}${k}`, "local.get $left", "i32.add"];
    e.emit("local.get $left", `i32.const ${this.lanes}`, "i32.add", "local.set $left", "loop $bytes");
    e.emit("local.get $left", "i32.const 1", "i32.sub", "local.set $left");
    e.emit(...byte("p"), ...byte("q"), "i32.load8_u", "i32.store8", "local.get $left", "br_if $bytes", "end");
  }

  private advance(unroll: number): void {
    const { e } = this;
    for (const [k, size] of this.sizes.entries()) {
      const by = k >= this.outputs ? `local.get $d${k}` : `i32.const ${this.lanes * unroll * size}`;
      e.emit(`local.get $p${k}`, by, "i32.add", `local.set $p${k}`);
    }
    e.emit("local.get $left", `i32.const ${this.lanes * unroll}`, "i32.sub", "local.set $left");
  }

  /** Prints `unroll` vectors: loads, values, and stores to the pointers whose names begin with `to`. */
  private chunk(unroll: number, to: string): void {
    const { e, kernel, of_bytes, outputs } = this;
    const inputs = new Map<string, readonly string[]>();
    const load = of_bytes ? load_bytes : load_vectors;
    for (const [k, i] of kernel.inputs.entries()) inputs.set(i.name, load(e, i.dtype, `p${outputs + k}`, unroll));
    const printer = new ValuePrinter(e, kernel, this.relaxed, unroll, inputs, of_bytes);
    for (const v of kernel.values) printer.compute(v);
    for (const [k, o] of kernel.outputs.entries()) {
      const isMask = o.value.type === "mask";
      const value = printer.of(o.value);
      if (of_bytes) store_bytes(e, isMask, value, `${to}${k}`);
      else store_vectors(e, o.dtype, isMask, isMask ? printer.as_many(value, unroll) : value, `${to}${k}`);
    }
  }
}

/** Instructions that move a single element of so many bytes. */
const MOVES: Readonly<Record<number, { readonly load: string; readonly store: string }>> = {
  1: { load: "i32.load8_u", store: "i32.store8" },
  2: { load: "i32.load16_u", store: "i32.store16" },
  4: { load: "i32.load", store: "i32.store" },
  8: { load: "i64.load", store: "i64.store" },
};
