/**
 * @file The vector loops of a scalar function: read from their text, assembled and compiled when one first runs.
 * @original In C++ the machine code of every capability is in the library's file.
 * @see ../../Dispatch.ts (`Loops`, which has one of these)
 */
import { ScalarType } from "#c10/core/ScalarType";
import { assemble, type MemoryLimits } from "./assembler.ts";
import { type Kernel, parse_kernel } from "./ir.ts";
import { print_loop } from "./vec128.ts";
import { SIZES } from "./vec128_types.ts";

/** `(n, m, pad, x0, t0, x1, s1, t1, ..., captures)`, see vec128.ts. */
// biome-ignore lint/suspicious/noExplicitAny: one type for every arity
export type VecFunction = (...args: any[]) => void;

/** The memory that kernels work in. */
export interface VecMemory extends MemoryLimits {
  readonly memory: WebAssembly.Memory;
  /** Whether multiply-add is one instruction. */
  readonly relaxed: boolean;
}

/** One loop, or why there is none. */
export class VecLoop {
  readonly kernel: Kernel | null;
  /** Place and reason, where there is no kernel. */
  readonly refusal: string;
  /** Bytes of an element, by operand; outputs first. */
  readonly sizes: readonly number[];
  readonly outputs: number;
  private function_: VecFunction | null = null;
  private memory_: VecMemory | null = null;

  constructor(kernel: Kernel | null, refusal: string) {
    this.kernel = kernel;
    this.refusal = refusal;
    this.sizes = kernel === null ? [] : [...kernel.outputs, ...kernel.inputs].map((o) => SIZES[o.dtype]);
    this.outputs = kernel?.outputs.length ?? 0;
  }

  /** Compiled for `memory`; at the first call, and when it is another than the last. */
  function(memory: VecMemory): VecFunction {
    if (this.function_ === null || this.memory_ !== memory) {
      this.function_ = compile(this.kernel as Kernel, memory);
      this.memory_ = memory;
    }
    return this.function_;
  }
}

function compile(kernel: Kernel, limits: VecMemory): VecFunction {
  const { memory, relaxed } = limits;
  const module = new WebAssembly.Module(assemble([print_loop(kernel, relaxed)], limits));
  return new WebAssembly.Instance(module, { env: { memory } }).exports["loop"] as VecFunction;
}

// biome-ignore format: table
const DTYPES: ReadonlyMap<string, ScalarType> = new Map<string, ScalarType>([
  ["uint8", ScalarType.Byte], ["int8", ScalarType.Char], ["int16", ScalarType.Short], ["int32", ScalarType.Int], ["int64", ScalarType.Long],
  ["float16", ScalarType.Half], ["float32", ScalarType.Float], ["float64", ScalarType.Double], ["bool", ScalarType.Bool], ["bfloat16", ScalarType.BFloat16],
]);
/** Place of a pair of dtypes; of a single one with -1 for the second. */
const PAIR = 64;
type Table = (VecLoop | undefined)[];

export class VecLoops {
  private readonly source: string | (() => Table);
  private table: Table | null = null;

  /** `source`: what codegen wrote in `X.SIMD128.ts`, or who knows. */
  constructor(source: string | (() => Table)) {
    this.source = source;
  }

  /** The loop for a dtype, or for two. */
  find(first: ScalarType, second = -1): VecLoop | undefined {
    return (this.table ?? this.read())[first * PAIR + second + 1];
  }

  /** For `dtype` alone, what is there for `as`. */
  taking(dtype: ScalarType, as: ScalarType): VecLoops {
    return new VecLoops(() => {
      const table: (VecLoop | undefined)[] = [];
      table[dtype * PAIR] = this.find(as);
      return table;
    });
  }

  /** All of them, in the order of the text. */
  all(): VecLoop[] {
    return (this.table ?? this.read()).filter((loop) => loop !== undefined);
  }

  private read(): Table {
    this.table = typeof this.source === "string" ? read(this.source) : this.source();
    return this.table;
  }
}

function read(text: string): Table {
  const table: Table = [];
  for (const part of text.trim().split(/\n(?! )/)) {
    const refused = /^\S+ ([\w ]+): (.*)$/.exec(part);
    const names = refused?.[1] ?? /^\S+ ([\w ]+?) \(/.exec(part)?.[1] ?? "";
    const [first, second = -1] = names.split(" ").map((name) => DTYPES.get(name) as ScalarType);
    table[first * PAIR + second + 1] =
      refused === null ? new VecLoop(parse_kernel(part), "") : new VecLoop(null, refused[2]);
  }
  return table;
}
