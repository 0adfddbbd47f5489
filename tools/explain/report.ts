/**
 * @file An operator's facts as a page of text, for a terminal.
 * @original
 */
import type { TableRow } from "./dispatch_table.ts";
import type { Piece } from "./made_from.ts";
import type { OperatorFacts } from "./operators.ts";
import type { Place } from "./places.ts";
import { shortName } from "./way.ts";

export interface ReportOptions {
  /** Whether to print only what is specific to an overload. */
  readonly brief: boolean;
  /** Whether to print the text of every generated piece. */
  readonly generated: boolean;
  readonly tests: readonly string[];
  readonly colors: { readonly bold: Style; readonly cyan: Style; readonly dim: Style };
}

type Style = (text: string) => string;

/** The first column of the second part, and the width of a piece's place in it. */
const COLUMN = 48;
const PLACE = 32;

export function report(o: OperatorFacts, options: ReportOptions): string {
  const { bold, cyan, dim } = options.colors;
  const out: string[] = ["", ...wrapped(`${bold(cyan(`aten::${o.name}`))}   ${o.sentence}`)];
  const section = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0) out.push("", bold(title), ...lines.map((line) => (line === "" ? "" : `  ${line}`)));
  };
  const yaml = o.yamlText === "" ? `${o.schema}   (autogen)` : o.yamlText;
  section("Schema and YAML entry", [dim(place(o.yaml)), ...yaml.split("\n")]);
  section("Kernels a person wrote", kernelLines(o));
  if (!options.brief) {
    section(
      "The path of a call on the CPU",
      o.way.map((s) => columns(s.name, s.note)),
    );
    section("Dispatch table", [
      ...o.table.map(rowText),
      dim(`${o.fallbackKeys} other keys have their backend fallback, the same for every operator`),
    ]);
    section("Derivative", derivativeLines(o));
  }
  section("Everything made from it", pieceLines(o, options));
  if (!options.brief) {
    section("Tests", options.tests.length === 0 ? ["none"] : options.tests);
    section("PyTorch's files", mirrorLines(o));
  }
  return out.join("\n");
}

export function place(p: Place): string {
  return p.line === 0 ? p.file : `${p.file}:${p.line}`;
}

function columns(left: string, right: string): string {
  return right === "" ? left : `${left.padEnd(COLUMN - 1)} ${right}`;
}

/** Wraps text at a terminal's width, between words. */
function wrapped(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.length - 1;
    if (lines[last].length + word.length > 98) lines.push(`  ${word}`);
    else lines[last] += lines[last] === "" ? word : ` ${word}`;
  }
  return lines;
}

function kernelLines(o: OperatorFacts): string[] {
  const lines: string[] = [];
  for (const k of o.kernels) {
    lines.push(columns(k.symbol, place(k)));
    for (const s of k.steps) lines.push(columns(`  ${s.role} ${s.name}`, place(s)));
    if (k.calls.length > 0) lines.push(`  calls ${k.calls.join(", ")}`);
  }
  if (o.delegate !== null) lines.push(`structured: the same class serves aten::${o.delegate}`);
  return lines;
}

function rowText(row: TableRow): string {
  const many = row.keys.length > 3;
  const keys = many ? `${row.keys.slice(0, 2).join(", ")}, ... (${row.keys.length} keys)` : row.keys.join(", ");
  const kernel = row.fallthrough ? "falls through" : row.kernel === null ? place(row) : shortName(row.kernel.symbol);
  return columns(keys, `${kernel}  [${row.origin}]`);
}

function derivativeLines(o: OperatorFacts): string[] {
  if (o.derivative === null) return ["none: it follows from the operators it calls, or there is none to have"];
  return [place(o.derivative), ...o.derivative.text.split("\n")];
}

/** Pieces by layer and folder, in the order in which a call reaches them; then the operators that `autogen` adds. */
function pieceLines(o: OperatorFacts, options: ReportOptions): string[] {
  const { bold, dim } = options.colors;
  const lines: string[] = [];
  let group = "";
  let added = o.name;
  for (const [i, p] of o.pieces.entries()) {
    if (p.entry.startsWith("native_functions") && p.operator !== o.name && p.operator !== added) {
      added = p.operator;
      group = "";
      lines.push("", `${bold(`aten::${added}`)}   added by \`autogen\``);
    }
    const folder = p.file.slice(0, p.file.indexOf("generated/") + "generated/".length);
    if (group !== (group = `${p.layer} ${folder}`)) lines.push(`${p.layer.padEnd(12)} ${dim(folder)}`);
    lines.push(...pieceRow(p, folder, registersPrevious(o.pieces, i)));
    if (options.generated) lines.push("", ...p.text.split("\n").map((line) => (line === "" ? "" : `    ${line}`)), "");
  }
  return lines;
}

/** Whether the piece registers the function before it. */
function registersPrevious(pieces: readonly Piece[], i: number): boolean {
  const { registers, symbol, file } = pieces[i];
  const before = pieces[i - 1];
  return registers !== null && before?.file === file && before.symbol.endsWith(`::${symbol}`);
}

function pieceRow(p: Piece, folder: string, belongs: boolean): string[] {
  const name = `  ${belongs ? "  m.impl" : nameOf(p)}`;
  const where = `${p.file.slice(folder.length)}:${p.line}`;
  if (name.length < COLUMN && where.length <= PLACE) return [`${name.padEnd(COLUMN)}${where.padEnd(PLACE)} ${p.role}`];
  // Long names take a line of their own; a registration in the same file need not repeat the name.
  const row = `    ${where}   ${p.registers === null ? p.role : "registered"}`;
  return belongs ? [row] : [name, row];
}

function nameOf(p: Piece): string {
  return p.symbol.replace("(anonymous namespace)::", "").replace(/^torch::autograd::(?:generated::)?|^torch::/, "");
}

/** Our files beside PyTorch's, hand-written ones first; files of one PyTorch template share a line. */
function mirrorLines(o: OperatorFacts): string[] {
  const written = o.kernels.flatMap((k) => [k, ...k.steps]).map(({ file, mirrors }) => [file, mirrors]);
  const generated = new Map<string, string>();
  for (const { file, mirrors } of o.pieces)
    if (!generated.has(mirrors)) generated.set(mirrors, file.replace(/^.*\//, "").replace(/_\d+\.ts$/, ".ts"));
  const lines = written.concat([...generated].map(([theirs, ours]) => [ours, theirs]));
  return [...new Set(lines.filter(([, theirs]) => theirs !== "").map(([ours, theirs]) => columns(ours, theirs)))];
}
