/**
 * @file The small form of a trace that a page can draw at once: where each step stands in the staircase, its words, its lines of source.
 * @original
 */
import { createHighlighter, type Highlighter } from "shiki";
import { isProgramStep, type TraceEvent, type ValueRecord } from "../../src/trace/event.ts";
import type { TraceFile } from "../../src/trace/Trace.ts";
import { layOut } from "../../tools/trace-viewer/src/model/elevator.ts";
import { describe, label, shortName } from "../../tools/trace-viewer/src/model/label.ts";
import { openValue } from "../../tools/trace-viewer/src/model/open.ts";
import { project } from "../../tools/trace-viewer/src/model/projection.ts";
import type { TraceModel } from "../../tools/trace-viewer/src/model/TraceModel.ts";
import type { Excerpt, Figure, FigureStep } from "../src/components/trace/figure_types.ts";
import { classes, theme } from "./code_style.ts";
import { fileText, upstream } from "./repository.ts";

/** A figure is read, not scrolled: past so many steps the deepest are left to the full viewer. */
const maxSteps = 140;
const maxLines = 18;

let highlighter: Promise<Highlighter> | null = null;

function shiki(): Promise<Highlighter> {
  return (highlighter ??= createHighlighter({ themes: [theme], langs: ["ts", "python", "yaml"] }));
}

/** A program as HTML, one string a line. */
export async function coloured(text: string, lang: "ts" | "python" | "yaml" = "ts"): Promise<string[]> {
  return htmlLines(await shiki(), text, lang);
}

function htmlLines(highlighting: Highlighter, text: string, lang: string): string[] {
  return highlighting
    .codeToHtml(text, { lang, theme: "glass", transformers: [classes] })
    .replace(/^<pre[^>]*><code>/, "")
    .replace(/<\/code><\/pre>$/, "")
    .split("\n")
    .map((line) =>
      line
        .replace(/^<span class="line">/, "")
        .replace(/<\/span>$/, "")
        .replace(/<span>([^<]*)<\/span>/g, "$1"),
    );
}

export interface FigureName {
  readonly of: string;
  readonly record: string;
  readonly title: string;
  readonly note: string;
}

export async function figureOf(file: TraceFile, name: FigureName): Promise<Figure> {
  const opened = openValue(file);
  if (opened.kind !== "trace") throw new Error(`${name.of}/${name.record} is no trace`);
  const whole = opened.model;
  const kept = openValue({ ...file, events: shallow(whole) });
  const model = kept.kind === "trace" ? kept.model : whole;
  const below = countsBelow(whole);
  const p = project(model);
  const elevator = layOut(p);
  const width = elevator.x[p.steps.length];
  const percent = (x: number): number => Math.round((x / width) * 10000) / 100;
  const code = new Code(await shiki(), file.sources ?? {});
  const steps = Array.from(p.steps, (index, s): FigureStep => {
    const event = model.event(index);
    const inside = (below.get(event.id) as number) - (p.end[s] - s - 1);
    return {
      id: event.id,
      kind: event.kind,
      lane: elevator.lane[s],
      row: elevator.row[s],
      x: percent(elevator.x[s]),
      w: percent(elevator.x[elevator.end[s]] - elevator.x[s]),
      depth: p.depth[s],
      end: p.end[s],
      name: event.name,
      short: shortName(event),
      label: label(event),
      ...(inside > 0 ? { inside } : {}),
      ...positionOf(event, code),
      ...choiceOf(event),
      ...valuesOf(event),
    };
  });
  return {
    ...name,
    torch: file.torch,
    count: whole.events.length,
    lanes: elevator.lanes,
    steps,
    excerpts: code.excerpts,
  };
}

/** The events that fit: all, or those above the depth at which they become too many. */
function shallow(model: TraceModel): readonly TraceEvent[] {
  if (model.events.length <= maxSteps) return model.events;
  let depth = 1;
  const upTo = (d: number): number => model.depth.filter((each) => each <= d).length;
  while (upTo(depth + 1) <= maxSteps) depth++;
  return model.events.filter((_, i) => model.depth[i] <= depth).slice(0, maxSteps);
}

/** Events below each one in the whole recording, by id. */
function countsBelow(model: TraceModel): Map<number, number> {
  return new Map(model.events.map((event, i) => [event.id, model.last[i] - i]));
}

function positionOf(event: TraceEvent, code: Code): Partial<FigureStep> {
  const { source, mirrors } = event;
  if (source !== undefined && isProgramStep(event))
    return { file: source.file, line: source.line, program: true, ...code.of_program(source.file, source.line) };
  return {
    ...(source === undefined ? {} : { file: source.file, line: source.line, ...code.around(source.file, source.line) }),
    ...(mirrors === undefined || mirrors.path === ""
      ? {}
      : { upstream: { ...upstream(mirrors.path, mirrors.symbol), symbol: mirrors.symbol } }),
  };
}

function choiceOf(event: TraceEvent): Partial<FigureStep> {
  if (event.kind !== "op" || event.keyset === undefined || event.key === undefined) return {};
  return {
    choice: {
      op: event.op ?? event.name,
      how: event.how ?? "call",
      keyset: event.keyset,
      key: event.key,
      kernel: event.kernel ?? "",
      origin: event.origin ?? "",
    },
  };
}

function valuesOf(event: TraceEvent): Partial<FigureStep> {
  const count = event["registrations"];
  const words = [
    ...(typeof count === "number" ? [`${count} ${count === 1 ? "registration" : "registrations"}`] : []),
    ...(typeof event["note"] === "string" ? [event["note"]] : []),
  ];
  // While the library is set up, what passes is the library itself.
  if (event.kind === "init") return words.length === 0 ? {} : { told: words.join(": ") };
  const described = (value: ValueRecord | undefined): string[] =>
    value === undefined
      ? []
      : (Array.isArray(value) ? value : [value]).slice(0, 4).map((v) => describe(v as ValueRecord));
  const inputs = described(event.inputs);
  const outputs = described(event.outputs);
  return { ...(inputs.length > 0 ? { inputs } : {}), ...(outputs.length > 0 ? { outputs } : {}) };
}

/** Excerpts are shared: two steps in one function show one text. */
class Code {
  readonly excerpts: Excerpt[] = [];
  private readonly known = new Map<string, number>();

  private readonly highlighting: Highlighter;
  /** Texts of the recorded program's files. */
  private readonly sources: Readonly<Record<string, string>>;

  constructor(highlighting: Highlighter, sources: Readonly<Record<string, string>>) {
    this.highlighting = highlighting;
    this.sources = sources;
  }

  /** A part of a Python program: all of it, if it is short. */
  of_program(file: string, line: number): { excerpt?: number; at?: number } {
    const lines = this.sources[file]?.trimEnd().split("\n");
    if (lines === undefined) return {};
    const page = Math.floor((line - 1) / maxLines) * maxLines;
    const key = `${file}:${page}`;
    let index = this.known.get(key);
    if (index === undefined) {
      const html = htmlLines(this.highlighting, lines.slice(page, page + maxLines).join("\n"), "python");
      index = this.excerpts.push({ from: page + 1, cut: page + maxLines < lines.length, html }) - 1;
      this.known.set(key, index);
    }
    return { excerpt: index, at: line };
  }

  around(file: string, line: number): { excerpt?: number; at?: number } {
    const text = fileText(file);
    if (text === null || !file.endsWith(".ts")) return {};
    const lines = text.split("\n");
    const { from, to, cut } = functionAt(lines, line);
    const key = `${file}:${from}`;
    let index = this.known.get(key);
    if (index === undefined) {
      index = this.excerpts.push({ from, cut, html: this.html(lines.slice(from - 1, to)) }) - 1;
      this.known.set(key, index);
    }
    return { excerpt: index, at: returned(lines, line, to) };
  }

  /** One string of HTML a line. */
  private html(lines: readonly string[]): string[] {
    const indent = Math.min(...lines.filter((l) => l.trim() !== "").map((l) => l.length - l.trimStart().length));
    return htmlLines(this.highlighting, lines.map((l) => l.slice(indent)).join("\n"), "ts");
  }
}

/** The function that begins at `line`, with the comment above it; of a long one its beginning. */
function functionAt(lines: readonly string[], line: number): { from: number; to: number; cut: boolean } {
  const first = lines[line - 1] ?? "";
  const indent = /^\s*/.exec(first)?.[0] as string;
  let from = line;
  while (from > 1 && line - from < 4 && new RegExp(`^${indent}(//|/\\*\\*| \\*)`).test(lines[from - 2] ?? "")) from--;
  let to = line;
  if (!/[;}]\s*$/.test(first) || /\{\s*$/.test(first))
    while (to < lines.length && !new RegExp(`^${indent}[})\\]]+[;,]?\\s*$`).test(lines[to - 1])) to++;
  const cut = to - from + 1 > maxLines;
  return { from, to: cut ? from + maxLines - 1 : to, cut };
}

/** The line to look at: of a function with one statement, the statement; else its first. */
function returned(lines: readonly string[], line: number, to: number): number {
  return to - line === 2 && /^\s*return /.test(lines[line]) ? line + 1 : line;
}
