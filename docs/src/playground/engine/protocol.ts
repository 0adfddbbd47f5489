/**
 * @file Messages between the page and its workers.
 * @original
 */

import type { SymbolFile } from "../../../../src/trace/symbol_entry.ts";
import type { TraceFile } from "../../../../src/trace/Trace.ts";
import type { Checked, CheckRequest } from "./checking.ts";
import type { Steps } from "./python_steps.ts";
import type { Module, Problem } from "./transpile.ts";

export interface RunOptions {
  readonly detail: "layers" | "full";
  /** Checksums and extremes of tensors. */
  readonly values: boolean;
  /** The best kernels that may run; undefined: the best that this machine has. */
  readonly capability?: Capability | undefined;
}

/** As ATEN_CPU_CAPABILITY names them. */
export type Capability = "default" | "simd128";

export interface Program {
  /** Path of the program in the repository; relative imports start from it. */
  readonly path: string;
  readonly text: string;
  /** The text as `transpile` makes it, watched; empty if the program is Python. */
  readonly js: string;
}

export type Language = "typescript" | "python";

/** A program's language is that of its file name. */
export function languageOf(path: string): Language {
  return path.endsWith(".py") ? "python" : "typescript";
}

/** The name under which a Python program finds itself, in tracebacks, in recordings and as `__file__`. */
export const fileNameOf = (path: string): string => path.replace(/^.*\//, "");

export interface RunRequest {
  readonly program: Program;
  readonly options: RunOptions;
  /** Texts of the repository, with the reader's edits, for a program that reads them. */
  readonly files: readonly (readonly [string, string])[];
  /** Whether these are all there are; a text that is not among them is otherwise asked for. */
  readonly complete: boolean;
  /** Where a recording finds its positions; null if it is to read them off the files. */
  readonly symbols: SymbolFile | null;
  /** Keeps the steps of a Python program, from the first time that this line runs; 0: from the beginning. */
  readonly stepsFrom?: number | null;
}

/** The language for which the library's modules run before a program asks for them; null: they wait. */
export type Preload = Language | null;

export type ToRunner =
  | {
      readonly type: "modules";
      readonly modules: readonly Module[];
      readonly preload: Preload;
      readonly capability: Capability | undefined;
    }
  | { readonly type: "run"; readonly request: RunRequest }
  | { readonly type: "check"; readonly request: CheckRequest };

/** One place of a stack trace in code that the reader can open. */
export interface Place {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Failure {
  /** The error's class: `RuntimeError`, `TypeError`, `SyntaxError`. */
  readonly name: string;
  readonly message: string;
  /** Innermost first. */
  readonly stack: readonly Place[];
  /** Text to write instead, if it is known. */
  readonly wayOut: string | null;
  /** The whole text as CPython prints it, if the program is Python. */
  readonly traceback?: string;
}

export interface Recorded {
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly quiet: boolean;
  readonly trace: TraceFile;
}

export type FromRunner =
  | { readonly type: "ready"; readonly ms: number }
  | {
      readonly type: "console";
      readonly level: "log" | "info" | "warn" | "error" | "debug";
      readonly text: string;
      readonly line: number;
    }
  | { readonly type: "recorded"; readonly recording: Recorded }
  | {
      readonly type: "claim";
      readonly line: number;
      readonly claim: string | null;
      readonly expected: string;
      readonly actual: string;
    }
  /** The library wants a thread of its pool: who gets this has the text, a function's, run in a worker, on the data. */
  | { readonly type: "thread"; readonly text: string; readonly data: ThreadData }
  /** The library opens the device: who gets this has `memory` served by the thread that owns it. */
  | { readonly type: "device"; readonly memory: SharedArrayBuffer }
  /** The line a loop of the program is at; sent four times a second. */
  | { readonly type: "at"; readonly line: number }
  | { readonly type: "failure"; readonly failure: Failure }
  /** The steps of a Python program. */
  | { readonly type: "stepped"; readonly steps: Steps }
  /** Results of the checks of an exercise. */
  | { readonly type: "checked"; readonly checked: Checked }
  /** The run asks for a part that has not been sent; nothing that it told counts. */
  | { readonly type: "missing"; readonly part: MissingPart }
  | { readonly type: "done"; readonly claims: number; readonly ms: number };

/** The part that a run asked for: a function's body by its number, a name that a module exports, or a text of the repository (null). */
export type MissingPart = number | { readonly module: string; readonly name: string } | null;

/** Goes from one worker to another as it is. */
export interface ThreadData {
  readonly memory: WebAssembly.Memory;
  readonly place: object;
}

export interface ToCompiler {
  readonly id: number;
  readonly texts: readonly (readonly [string, string])[];
  /** Whether the program is watched: its loops then report their line. */
  readonly watched: boolean;
}
export type FromCompiler =
  | { readonly id: number; readonly modules: readonly Module[] }
  | { readonly id: number; readonly problem: Problem };

export interface CodegenRequest {
  readonly id: number;
  /** The archive, or the part of it that the page has. */
  readonly pristine: readonly (readonly [string, string])[];
  /** The reader's versions of some of its files. */
  readonly edits: readonly (readonly [string, string])[];
  /** Whether `pristine` is the whole archive. */
  readonly whole: boolean;
}
export type FromCodegen =
  | { readonly id: number; readonly outputs: readonly (readonly [string, string])[] }
  /** Texts that codegen has to read and has not got; null: all of them. */
  | { readonly id: number; readonly reads: readonly string[] | null }
  | { readonly id: number; readonly problem: Defect };

/** An error that codegen found, and a way to correct it. */
export interface Defect extends Problem {
  /** All of it, as in a terminal. */
  readonly told?: string;
  readonly field?: string;
  readonly wayOut?: string;
  /** The other errors of the run, each with its place and a way to correct it. */
  readonly others?: readonly string[];
}
