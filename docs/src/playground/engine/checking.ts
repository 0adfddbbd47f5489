/**
 * @file The checks of an exercise in a page's worker: the same runner as in a terminal, given the learner's files by another host.
 * @original
 */

import type { SymbolFile } from "../../../../src/trace/symbol_entry.ts";
import type { Trace, TraceFile } from "../../../../src/trace/Trace.ts";
import type { Generated, Host, Session, Yours } from "../../../../tools/learn/checks/host.ts";
import type { Exercise } from "../../../../tools/learn/exercise.ts";
import type { OpenedDevice } from "../../../../tools/learn/kernel/device.ts";
import type { Row } from "../../../../tools/learn/picture.ts";
import type { Report } from "../../../../tools/learn/report.ts";
import type { Loader } from "./loader.ts";
import { PYTHON_ENTRY } from "./python_run.ts";
import type { Module } from "./transpile.ts";

export interface CheckRequest {
  readonly exercise: Exercise;
  /** The learner's files by their paths in the exercise, as texts. */
  readonly files: readonly (readonly [string, string])[];
  /** The runner, the exercise's calls, and those of the learner's files that are modules. */
  readonly modules: readonly Module[];
  readonly goldens: Readonly<Record<string, unknown>>;
  /** Codegen's output for the learner's tree, if there is one. */
  readonly generated: { readonly files: readonly (readonly [string, string])[]; readonly error: string | null } | null;
  /** Where a recording finds its positions; null if it is to read them off `texts`. */
  readonly symbols: SymbolFile | null;
  readonly texts: readonly (readonly [string, string])[];
}

/** The path of a call: as rows to read, and whole, for the viewer. */
export interface Way {
  readonly call: string;
  readonly rows: readonly Row[];
  readonly trace: TraceFile;
}

export interface Checked {
  readonly report: Report;
  /** Path of the call that shows the failure; or why there is none. */
  readonly way: Way | { readonly why: string };
}

/** Where a learner's file stands for the code that runs: as in a clone. */
export const yoursAt = (id: string, file: string): string => `workspace/${id}/${file}`;
export const callsAt = (id: string): string => `exercises/${id}/calls.ts`;

export async function check(loader: Loader, request: CheckRequest): Promise<Checked> {
  const { exercise, modules } = request;
  loader.add(modules);
  setPositions(loader, request);
  const host = hostOf(loader, request);
  const report = (await loader.require("tools/learn/checks/run.ts")["run"](exercise, host)) as Report;
  return { report, way: await wayOf(loader, request, host, report) };
}

function hostOf(loader: Loader, { exercise: { id }, files, goldens, generated }: CheckRequest): Host {
  const texts = new Map(files);
  const made: Generated | null = generated === null ? null : { ...generated, files: new Map(generated.files) };
  return {
    yours: async (file) =>
      file.endsWith(".py")
        ? pythonFile(loader, file, texts.get(file) as string)
        : (loader.require(yoursAt(id, file)) as Yours),
    text: (file) => texts.get(file) as string,
    open: async (yours) => loader.require(callsAt(id))["open"](yours) as Session,
    golden: async (name) => goldens[name],
    generated: async () => made,
    readByPyTorch: async () => "a web page has no PyTorch",
    device: () => deviceOf(loader),
  };
}

/** A learner's file in Python as a module. The systems that it imports are loaded by their doors. */
function pythonFile(loader: Loader, file: string, text: string): Yours {
  return loader.require(PYTHON_ENTRY)["python"](text, { filename: file }) as Yours;
}

/** The browser's device, opened once for a worker. */
let opened: Promise<OpenedDevice | string> | null = null;

async function deviceOf(loader: Loader): Promise<OpenedDevice | string> {
  const gpu = (globalThis as { readonly navigator?: { readonly gpu?: GPU } }).navigator?.gpu; // Node's navigator has none
  if (gpu === undefined) return "this browser has no WebGPU";
  opened ??= loader.require("tools/learn/kernel/device.ts")["openDevice"](gpu) as Promise<OpenedDevice | string>;
  return opened;
}

function setPositions(loader: Loader, { symbols, texts }: CheckRequest): void {
  if (symbols === null) loader.require("src/trace/index.ts")["readSourcesFrom"](() => new Map(texts));
  else loader.require("src/trace/sources.ts")["symbolFile"] = () => symbols;
}

async function wayOf(loader: Loader, request: CheckRequest, host: Host, report: Report): Promise<Checked["way"]> {
  const { exercise, generated } = request;
  const found = loader.require("tools/learn/call_to_show.ts")["callToShow"](exercise, report);
  if ("why" in found) return found;
  if (generated !== null && generated.error !== null)
    return { why: "There is no call to show until codegen has no more errors." };
  try {
    const { recordingOf } = loader.require("tools/learn/checks/recorded.ts");
    const made = (await recordingOf(exercise, found.call, host)) as Trace;
    const rows = loader.require("tools/learn/picture.ts")["rowsOf"](made) as Row[];
    return { call: found.call, rows, trace: made.toJSON() };
  } catch (error) {
    return { why: `The call raised an error: ${String((error as Error).message ?? error).split("\n")[0]}` };
  }
}
