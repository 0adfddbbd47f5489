/**
 * @file Scalar functions as each machine has them, for the page of the CPU's half: as written, as a loop of JavaScript, as a graph of values,
 * as WebAssembly with and without fused multiply-add; and of each dtype, how many elements a vector holds and a turn computes.
 * @original
 */
import { join } from "node:path";
import { print } from "../../src/aten/cpu/vec/assembler.ts";
import { type Kernel, print_kernels } from "../../src/aten/cpu/vec/ir.ts";
import { chunk_elements, print_loop } from "../../src/aten/cpu/vec/vec128.ts";
import type { Files } from "../../tools/codegen/context.ts";
import { type LoopInstance, loopInstances } from "../../tools/codegen/dest/kernels.ts";
import { read_tree } from "../../tools/codegen/file_system.ts";
import { Refusal } from "../../tools/codegen/kernels/graph.ts";
import type { Context } from "./context.ts";
import { coloured } from "./figure.ts";
import { findRegion } from "./regions.ts";

/** One scalar function, float32. */
export interface LoopMachines {
  readonly name: string;
  readonly file: string;
  /** As written, and the JavaScript loop: lines, coloured. */
  readonly scalar: readonly string[];
  readonly loop: readonly string[];
  /** Lines. */
  readonly graph: readonly string[];
  /** The main loop's, in the text format of WebAssembly. */
  readonly simd128: readonly string[];
  readonly relaxed: readonly string[];
}

/** How a dtype's elements lie in vectors. */
export interface DtypeLanes {
  readonly dtype: string;
  /** Bytes of an element. */
  readonly size: number;
  /** Elements that a turn of the main loop computes. */
  readonly chunk: number;
}

export interface Machines {
  readonly functions: readonly LoopMachines[];
  readonly dtypes: readonly DtypeLanes[];
}

const SHOWN: readonly (readonly [file: string, name: string])[] = [
  ["src/aten/native/cpu/Activation/index.ts", "prelu"],
  ["src/aten/native/cpu/BinaryOpsKernel/index.ts", "mul"],
  ["src/aten/native/cpu/UnaryOpsKernel/index.ts", "exp_of"],
];

const SIZES: Readonly<Record<string, number>> = {
  float32: 4,
  float64: 8,
  float16: 2,
  bfloat16: 2,
  int64: 8,
  int32: 4,
  int16: 2,
  int8: 1,
  uint8: 1,
  bool: 1,
};

export async function loopMachines(context: Context): Promise<string> {
  const files = read_tree(context.root);
  const functions = await Promise.all(SHOWN.map(([file, name]) => machinesOf(files, file, name)));
  const dtypes = loopInstances(files, "src/aten/native/cpu/BinaryOpsKernel/index.ts", "mul").flatMap(lanesOf);
  const made: Machines = { functions, dtypes };
  context.write(join(context.generated, "machines.json"), JSON.stringify(made));
  return `${functions.length} scalar functions, ${dtypes.length} dtypes`;
}

async function machinesOf(files: Files, file: string, name: string): Promise<LoopMachines> {
  const instance = loopInstances(files, file, name).find(({ types }) => types[0].name === "float32");
  if (instance === undefined || instance.graph instanceof Refusal) throw new Error(`${name} has no vectors`);
  const { loop, graph } = instance;
  return {
    name,
    file,
    scalar: await coloured(findRegion(file, files.get(file) as string, name).text),
    loop: await coloured(loop),
    graph: print_kernels([graph]).trimEnd().split("\n"),
    simd128: mainLoop(graph, false),
    relaxed: mainLoop(graph, true),
  };
}

/** Between `loop $main` and its `end`, moved to the left. */
function mainLoop(graph: Kernel, relaxed: boolean): string[] {
  const lines = print([print_loop(graph, relaxed)], { initial: 1, maximum: 32768, shared: true }).split("\n");
  const first = lines.findIndex((line) => line.includes("loop $main"));
  const margin = /^ */.exec(lines[first] as string)?.[0] ?? "";
  const last = lines.findIndex((line, k) => k > first && line === `${margin}end`);
  return lines.slice(first, last + 1).map((line) => line.slice(margin.length));
}

function lanesOf({ types, graph }: LoopInstance): DtypeLanes[] {
  const dtype = types[0].name;
  const size = SIZES[dtype];
  return size === undefined || graph instanceof Refusal ? [] : [{ dtype, size, chunk: chunk_elements(graph) }];
}
