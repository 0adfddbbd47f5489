/**
 * @file The vector loops of a scalar function: parsed, assembled and compiled when one first runs.
 * @original In C++ the machine code for every capability is in the library's file.
 * @see ../../Dispatch.ts (`Loops`, which has one of these)
 */
import { ScalarType } from "#c10/core/ScalarType";
import { assemble } from "./assembler.ts";
import { type Kernel, parse_kernels } from "./ir.ts";
import { instantiate } from "./modules.ts";
import { print_loop } from "./vec128.ts";

/** `(n, m, pad, x0, t0, x1, s1, t1, ..., captures)`, see vec128.ts. */
// biome-ignore lint/suspicious/noExplicitAny: one type for every arity
export type VecFunction = (...args: any[]) => void;

/** Limits of memory that may be imported, in pages: any possible memory. */
const LIMITS = { initial: 1, maximum: 32768, shared: false };

/** One loop, or the reason why there is none. */
export class VecLoop {
  readonly kernel: Kernel | null;
  /** Position and reason, if there is no kernel. */
  readonly refusal: string;
  private function_: VecFunction | null = null;
  private memory_: WebAssembly.Memory | null = null;

  constructor(kernel: Kernel | null, refusal: string) {
    this.kernel = kernel;
    this.refusal = refusal;
  }

  /** Its capability on this machine, by whether multiply-add is one instruction. */
  capability(relaxed: boolean): "SIMD128" | "RELAXED_SIMD" {
    return relaxed && this.kernel?.values.some(({ op }) => op === "fmadd") ? "RELAXED_SIMD" : "SIMD128";
  }

  /**
   * The function, compiled for `memory` at the first call and again when the memory changes. `relaxed` (multiply-add is
   * one instruction) is the same at every call.
   */
  function(memory: WebAssembly.Memory, relaxed: boolean): VecFunction {
    if (this.function_ === null || this.memory_ !== memory) {
      const bytes = assemble([print_loop(this.kernel as Kernel, relaxed)], LIMITS);
      this.function_ = (instantiate(bytes, memory) as { loop: VecFunction }).loop;
      this.memory_ = memory;
    }
    return this.function_;
  }
}

// biome-ignore format: table
const DTYPES: ReadonlyMap<string, ScalarType> = new Map<string, ScalarType>([
  ["uint8", ScalarType.Byte], ["int8", ScalarType.Char], ["int16", ScalarType.Short], ["int32", ScalarType.Int], ["int64", ScalarType.Long],
  ["float16", ScalarType.Half], ["float32", ScalarType.Float], ["float64", ScalarType.Double], ["bool", ScalarType.Bool], ["bfloat16", ScalarType.BFloat16],
]);
/** The index of a pair of dtypes in the table is `PAIR * first + second + 1`; for a single dtype the second is -1. */
const PAIR = 64;
type Table = (VecLoop | undefined)[];

export class VecLoops {
  private readonly source: string | (() => Table);
  private table: Table | null = null;

  /** @param source the text that codegen wrote in `X.SIMD128.ts`, or a function that returns the parsed table */
  constructor(source: string | (() => Table)) {
    this.source = source;
  }

  /** Loops that are refused for every dtype, for one reason. */
  static refused(why: string): VecLoops {
    return new RefusedLoops(new VecLoop(null, why));
  }

  /** The loop for a dtype, or for two. */
  find(first: ScalarType, second = -1): VecLoop | undefined {
    return (this.table ?? this.read())[first * PAIR + second + 1];
  }

  /** The loops with one change: `dtype` alone uses the loop of `as`. */
  taking(dtype: ScalarType, as: ScalarType): VecLoops {
    return new VecLoops(() => {
      const table: (VecLoop | undefined)[] = [];
      table[dtype * PAIR] = this.find(as);
      return table;
    });
  }

  /** All loops, in the order of the text. */
  all(): VecLoop[] {
    return (this.table ?? this.read()).filter((loop) => loop !== undefined);
  }

  private read(): Table {
    this.table = typeof this.source === "string" ? read(this.source) : this.source();
    return this.table;
  }
}

class RefusedLoops extends VecLoops {
  private readonly refused_: VecLoop;

  constructor(refused: VecLoop) {
    super("");
    this.refused_ = refused;
  }

  override find(): VecLoop {
    return this.refused_;
  }
}

/** `prelu int32: why not` */
const REFUSED = /^\S+ ([\w ]+): (.*)$/;

function read(text: string): Table {
  const table: Table = [];
  const enter = (dtypes: string, loop: VecLoop): void => {
    const [first, second = -1] = dtypes.split(" ").map((name) => DTYPES.get(name) as ScalarType);
    table[first * PAIR + second + 1] = loop;
  };
  const lines = text.trim().split("\n");
  for (const line of lines) {
    const refused = REFUSED.exec(line);
    if (refused !== null) enter(refused[1], new VecLoop(null, refused[2]));
  }
  const kernels = lines.filter((line) => !REFUSED.test(line)).join("\n");
  if (kernels === "") return table;
  for (const kernel of parse_kernels(kernels))
    enter(kernel.name.slice(kernel.name.indexOf(" ") + 1), new VecLoop(kernel, ""));
  return table;
}
