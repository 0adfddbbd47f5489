/**
 * @file The process in which learners' files run: their effects on the library end with it.
 * @original
 */

import { library } from "../../module_loader/register.ts";
import type { Generated } from "../checks/host.ts";
import { changesTheTree } from "../exercise.ts";
import type { Row } from "../picture.ts";
import type { Report } from "../report.ts";
import { findExercise } from "./folder.ts";
import { hostOf } from "./host.ts";
import { builtFor, type Laid, layTree } from "./tree.ts";

export interface Job {
  readonly exercise: string;
  /** Folders with the files to check; one report for each. */
  readonly folders: readonly string[];
  /** The files in them. */
  readonly files: readonly string[];
  /** The tree with the files in it, if the caller has laid it; otherwise it is laid here. */
  readonly laid?: Laid;
  /** Calls whose paths are requested. */
  readonly ways?: readonly Asked[];
  /** Whether the checks are left out, and only the paths are asked for. */
  readonly unchecked?: boolean;
  /** Instead of checking: the recording of this call as a text tree of so many columns. */
  readonly trace?: { readonly call: string; readonly width: number; readonly color: boolean };
}

/** A call, made with the files of a folder. */
export interface Asked {
  readonly call: string;
  readonly folder: string;
}

/** Instead of checking: the question what kernels will run on. */
export interface AskedDevice {
  readonly device: true;
}

export type Answer =
  | { readonly reports: readonly Report[]; readonly ways: readonly (readonly Row[])[] }
  | { readonly trace: string }
  | { readonly device: string }
  | { readonly error: string };

/** Sent once for a job, when the library is loaded and the learner's code is about to run: from then on the time counts. */
export interface Begun {
  readonly begun: true;
}

/** A function that tells the caller the first time it is called. */
function teller(): () => void {
  let told = false;
  return () => {
    const begun: Begun = { begun: true };
    if (!told) process.send?.(begun);
    told = true;
  };
}

/** From this number of columns on, a trace has room for the places of its functions. */
const WIDE = 110;

/** Imported before there is a job, if the library is the tree's own: the learner then waits less. */
const preloaded = process.argv[2] === "preload" ? import("glasstorch") : null;

async function answer(job: Job): Promise<Answer> {
  const folder = findExercise(job.exercise);
  const [learners] = job.folders;
  let generated: Generated | null = null;
  if (changesTheTree(folder.exercise)) {
    const laid = job.laid ?? (await layTree(folder.exercise, job.files, learners, builtFor(learners)));
    generated = { files: new Map(laid.made), error: laid.error };
    library.lay_over(laid.overlays);
  }
  await preloaded;
  const { run } = await import("../checks/run.ts");
  const host = hostOf(folder, learners, generated);
  const begins = teller();
  if (job.trace !== undefined) {
    const { toText } = await import("glasstorch/trace");
    const { picture, rowsOf } = await import("../picture.ts");
    const { recordingOf } = await import("../checks/recorded.ts");
    begins();
    const recording = await recordingOf(folder.exercise, job.trace.call, host);
    return {
      trace: job.trace.width < WIDE ? picture(rowsOf(recording), job.trace.width) : toText(recording, job.trace),
    };
  }
  const reports: Report[] = [];
  if (job.unchecked === true) begins();
  for (const path of job.unchecked === true ? [] : job.folders)
    reports.push(await run(folder.exercise, { ...hostOf(folder, path, generated), begins }));
  const ways: Row[][] = [];
  for (const { call, folder: path } of job.ways ?? []) {
    const { rowsOf } = await import("../picture.ts");
    const { recordingOf } = await import("../checks/recorded.ts");
    ways.push(rowsOf(await recordingOf(folder.exercise, call, hostOf(folder, path, generated))));
  }
  return { reports, ways };
}

async function deviceLine(): Promise<string> {
  const { deviceOfNode } = await import("./device.ts");
  const device = await deviceOfNode();
  return typeof device === "string" ? `kernels are simulated: ${device}` : device.name;
}

process.on("message", async (job: Job | AskedDevice) => {
  let told: Answer;
  try {
    told = "device" in job ? { device: await deviceLine() } : await answer(job);
  } catch (error) {
    told = { error: String((error as Error).stack ?? error) };
  }
  process.send?.(told);
});
