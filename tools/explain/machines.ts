/**
 * @file A scalar function on every machine: as a person wrote it, its JavaScript loop, its graph of values, its WebAssembly; and for each
 * dtype whether it has vectors, or why not.
 * @original
 */
import { print } from "../../src/aten/cpu/vec/assembler.ts";
import { print_kernels } from "../../src/aten/cpu/vec/ir.ts";
import { print_loop } from "../../src/aten/cpu/vec/vec128.ts";
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
  /** As written. */
  readonly scalar: string;
  readonly dtypes: readonly { readonly name: string; readonly why: string }[];
  /** Of one dtype, float32 if it has it. */
  readonly shown: {
    readonly dtype: string;
    readonly loop: string;
    readonly graph: string;
    readonly wat: string;
  } | null;
}

/** Of the loops among a kernel's steps. */
export function machinesOf(files: Files, steps: readonly KernelStep[]): Machines[] {
  return steps
    .filter((s) => s.role === "loop")
    .flatMap(({ file, line, name }) => {
      const symbols = readKernelFile(file, files.get(file) as string).kernels.filter((k) => k.symbol === name);
      return symbols.map((k): Machines => {
        const instances = loopInstances(files, file, k.name);
        const dtypes = instances.map((i) => ({ name: i.types.map((t) => t.name).join(" "), why: why(i) }));
        const scalar = declarationText(files.get(file) as string, line);
        return { name: k.name, file, line, scalar, dtypes, shown: shown(instances) };
      });
    });
}

function why({ graph }: LoopInstance): string {
  return graph instanceof Refusal ? `${graph.message} (${graph.file}:${graph.line})` : "";
}

function shown(instances: readonly LoopInstance[]): Machines["shown"] {
  const known = instances.filter((i) => !(i.graph instanceof Refusal));
  const one = known.find((i) => i.types[0].name === "float32") ?? known[0];
  if (one === undefined || one.graph instanceof Refusal) return null;
  const limits = { initial: 1, maximum: 32768, shared: true };
  const wat = print([print_loop(one.graph, false)], limits);
  return { dtype: one.types.map((t) => t.name).join(" "), loop: one.loop, graph: print_kernels([one.graph]), wat };
}

interface Colors {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** Terminals from this width on have room for texts side by side. */
const WIDE = 120;

/** For a terminal of so many columns. */
export function machines_report(m: Machines, { bold, dim }: Colors, columns: number): string {
  const out = ["", `${bold(m.name)}   ${dim(`${m.file}:${m.line}`)}`, ...indented(m.scalar)];
  if (m.shown !== null) {
    const { dtype, loop, graph, wat } = m.shown;
    const sections = [
      { title: `JavaScript, ${dtype}`, text: loop },
      { title: "Graph of values", text: graph },
      { title: "WebAssembly", text: wat },
    ];
    if (columns < WIDE) for (const { title, text } of sections) out.push("", bold(title), ...indented(text));
    else out.push("", ...side_by_side(sections, columns, bold));
  }
  out.push("", bold("Vectors"));
  const width = Math.max(...m.dtypes.map((d) => d.name.length));
  for (const d of m.dtypes) out.push(`  ${d.name.padEnd(width)}  ${d.why === "" ? "SIMD128" : `JavaScript: ${d.why}`}`);
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

/** Pieces of a line that fit, broken at spaces where there are any; what follows is two further in. */
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
