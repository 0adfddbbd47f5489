/**
 * @file A scalar function on every machine: the hand-written text, its JavaScript loop, its graph of values, its
 * WebAssembly, its WGSL; and for each dtype whether it has vectors or a body for a GPU, or the reason why not.
 * @original
 */
import { print } from "../../src/aten/cpu/vec/assembler.ts";
import { type Kernel, print_kernels } from "../../src/aten/cpu/vec/ir.ts";
import { print_loop } from "../../src/aten/cpu/vec/vec128.ts";
import { print_body, scalar_function } from "../../src/aten/webgpu/wgsl/printer.ts";
import type { Files } from "../codegen/context.ts";
import { type LoopInstance, loopInstances } from "../codegen/dest/kernels.ts";
import { Refusal } from "../codegen/kernels/graph.ts";
import { readKernelFile } from "../codegen/kernels/source.ts";
import type { KernelStep } from "./kernels.ts";
import { declarationText } from "./source_text.ts";

/** One scalar function. */
export interface Machines {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** The text as written. */
  readonly scalar: string;
  /** The reasons why there are no vectors, and no WGSL; empty if there are. */
  readonly dtypes: readonly { readonly name: string; readonly why: string; readonly why_no_wgsl: string }[];
  /** The texts for one dtype, float32 if it has it. */
  readonly shown: {
    readonly dtype: string;
    readonly loop: string;
    readonly graph: string;
    readonly wat: string;
    readonly wgsl: string;
  } | null;
}

/** The scalar functions among a kernel's steps. */
export function machinesOf(files: Files, steps: readonly KernelStep[]): Machines[] {
  return steps
    .filter((s) => s.role === "loop")
    .flatMap(({ file, line, name }) => {
      const symbols = readKernelFile(file, files.get(file) as string).kernels.filter((k) => k.symbol === name);
      return symbols.map((k): Machines => {
        const instances = loopInstances(files, file, k.name);
        const dtypes = instances.map((i) => ({
          name: i.types.map((t) => t.name).join(" "),
          why: why(i.graph),
          why_no_wgsl: why(i.wgsl),
        }));
        const scalar = declarationText(files.get(file) as string, line);
        return { name: k.name, file, line, scalar, dtypes, shown: shown(instances) };
      });
    });
}

function why(graph: Kernel | Refusal): string {
  return graph instanceof Refusal ? `${graph.message} (${graph.file}:${graph.line})` : "";
}

function shown(instances: readonly LoopInstance[]): Machines["shown"] {
  const known = instances.filter((i) => !(i.graph instanceof Refusal && i.wgsl instanceof Refusal));
  const one = known.find((i) => i.types[0].name === "float32") ?? known[0];
  if (one === undefined) return null;
  const { graph, wgsl } = one;
  const limits = { initial: 1, maximum: 32768, shared: true };
  return {
    dtype: one.types.map((t) => t.name).join(" "),
    loop: one.loop,
    graph: graph instanceof Refusal ? `none: ${graph.message}` : print_kernels([graph]),
    wat: graph instanceof Refusal ? `none: ${graph.message}` : print([print_loop(graph, false)], limits),
    wgsl: wgsl instanceof Refusal ? `none: ${wgsl.message}` : scalar_function(wgsl, print_body(wgsl).join("\n")),
  };
}

interface Colors {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** From this width on a terminal shows texts side by side. */
const WIDE = 120;

/** The machine whose dtypes are listed one by one. */
export type Asked = "simd" | "wgsl";

/** A report for a terminal of so many columns. */
export function machines_report(m: Machines, asked: Asked, { bold, dim }: Colors, columns: number): string {
  const out = ["", `${bold(m.name)}   ${dim(`${m.file}:${m.line}`)}`, ...indented(m.scalar)];
  if (m.shown !== null) {
    const { dtype, loop, graph, wat, wgsl } = m.shown;
    const sections = [
      { title: `JavaScript, ${dtype}`, text: loop },
      { title: "Graph of values", text: graph },
      { title: "WebAssembly", text: wat },
      { title: "WGSL", text: wgsl },
    ];
    if (columns < WIDE) for (const { title, text } of sections) out.push("", bold(title), ...indented(text));
    else out.push("", ...side_by_side(sections, columns, bold));
  }
  const width = Math.max(...m.dtypes.map((d) => d.name.length));
  out.push("", bold(asked === "simd" ? "Vectors" : "On a GPU"));
  for (const { name, why, why_no_wgsl } of m.dtypes) {
    const of_vectors = why === "" ? "SIMD128" : `JavaScript: ${why}`;
    const of_wgsl = why_no_wgsl === "" ? "WGSL" : `on the CPU: ${why_no_wgsl}`;
    out.push(`  ${name.padEnd(width)}  ${asked === "simd" ? of_vectors : of_wgsl}`);
  }
  return out.join("\n");
}

function indented(text: string): string[] {
  return text.split("\n").map((line) => (line === "" ? "" : `  ${line}`));
}

interface Section {
  readonly title: string;
  readonly text: string;
}

function side_by_side(sections: readonly Section[], columns: number, bold: Colors["bold"]): string[] {
  const width = Math.floor((columns - 2) / sections.length) - 2;
  const blocks = sections.map(({ text }) =>
    text
      .trimEnd()
      .split("\n")
      .flatMap((line) => wrapped(line, width)),
  );
  const row = (cells: readonly string[]): string => `  ${cells.map((cell) => cell.padEnd(width)).join("  ")}`.trimEnd();
  const rows = Array.from({ length: Math.max(...blocks.map((b) => b.length)) }, (_, i) =>
    row(blocks.map((block) => block[i] ?? "")),
  );
  return [bold(row(sections.map(({ title }) => title))), ...rows];
}

/** Pieces of a line that fit, broken at spaces if possible; later pieces are indented by two. */
function wrapped(line: string, width: number): string[] {
  const margin = `${/^ */.exec(line)?.[0] ?? ""}  `;
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(" ", width);
    const at = space > margin.length ? space : width;
    pieces.push(rest.slice(0, at));
    rest = margin + rest.slice(at).trimStart();
  }
  return [...pieces, rest];
}
