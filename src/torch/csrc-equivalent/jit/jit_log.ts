/**
 * @file The log of passes and executors: what a graph is after each step.
 * @mirrors torch/csrc/jit/jit_log.cpp
 * @differs The number of the line in a file's prefix is 0, and the log can go to a function; PyTorch writes the line of C++ code, to a
 * stream. A text is made only if somebody asked for it.
 *
 * An option names files with their levels: `>>profiling_graph_executor_impl:>peephole`. Level 0 (no sign) shows dumps, one sign shows
 * updates too, two show everything.
 */
import { print_type } from "#aten/core/type";
import type { Graph, Node } from "./ir/ir.ts";

const levels = { DUMP: 0, UPDATE: 1, DEBUG: 2 } as const;
export type JitLoggingLevel = keyof typeof levels;

/** One message of the log. */
export interface JitLogEntry {
  /** The file that wrote it, without its ending. */
  readonly file: string;
  readonly title: string;
  /** The graph, or what else follows the title. */
  readonly text: string;
}

export type JitLoggingStream = (entry: JitLogEntry, printed: string) => void;

const to_console: JitLoggingStream = (_entry, printed) => console.error(printed.replace(/\n$/, ""));

const state = { option: "", files: new Map<string, number>(), stream: to_console };

export function get_jit_logging_levels(): string {
  return state.option;
}

/** @param option files with their levels; empty: no log */
export function set_jit_logging_levels(option: string): void {
  state.option = option;
  state.files.clear();
  for (const part of option.split(/[:;]/)) {
    const level = part.lastIndexOf(">") + 1;
    const name = part.slice(level).replace(/\.cpp$/, "");
    if (name !== "") state.files.set(name, level);
  }
}

/** @param stream null: the console */
export function set_jit_logging_output_stream(stream: JitLoggingStream | null): void {
  state.stream = stream ?? to_console;
}

export function is_enabled(file: string, level: JitLoggingLevel): boolean {
  return (state.files.get(file) ?? -1) >= levels[level];
}

/** A node without attributes and blocks. */
export function getHeader(node: Node): string {
  const outputs = node.outputs().map((output) => `${output} : ${print_type(output.type())}`);
  return `${outputs.join(", ")} = ${node.kind()}(${node.inputs().join(", ")})`;
}

/** Puts a prefix before each line. */
function jit_log_prefix(level: JitLoggingLevel, file: string, text: string): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => `[${level} ${file}.cpp:000] ${line}\n`).join("");
}

/** The two functions with which a file writes to the log. */
export interface Logger {
  /** @param between what stands between the title and the graph: a line break, if it is nothing else */
  debug(title: string, graph?: Graph | null, between?: string): void;
  dump(title: string, graph: Graph): void;
}

/** @param file the name of PyTorch's file, without `.cpp` */
export function logger(file: string): Logger {
  const write = (level: JitLoggingLevel, title: string, graph: Graph | null, between: string): void => {
    if (!is_enabled(file, level)) return;
    const text = graph === null ? "" : String(graph);
    const printed = jit_log_prefix(level, file, title + (graph === null ? "" : between + text));
    state.stream({ file, title, text }, printed);
  };
  return {
    debug: (title, graph = null, between = "\n") => write("DEBUG", title, graph, between),
    dump: (title, graph) => write("DUMP", title, graph, "\n"),
  };
}
