/**
 * @file The interface of checks to their environment, a terminal's process or a page's worker: the learner's files, the
 * exercise's calls, data recorded from PyTorch.
 * @original
 */
import type { OpenedDevice } from "../kernel/device.ts";
import type { Card } from "../kernel/gpu.ts";

/** A call that checks make, record and differentiate; its name in `calls.ts` is the text a learner would write. */
export interface Call {
  /** Made again for every run, outside the recording. */
  readonly inputs: () => unknown[];
  // biome-ignore lint/suspicious/noExplicitAny: inputs are whatever `inputs` makes
  readonly run: (...inputs: any[]) => unknown;
}

/** Runs a kernel's text on numbers, and returns the numbers of its result. */
// biome-ignore lint/suspicious/noExplicitAny: inputs are whatever PyTorch was given
export type Launch = (gpu: Card, kernel: string, ...inputs: any[]) => Float32Array;

/** An exercise's calls while its operators are registered. */
export interface Session {
  readonly calls: Readonly<Record<string, Call>>;
  /** Functions that run kernels, by name, if that is not the learner's task. */
  readonly launches?: Readonly<Record<string, Launch>>;
  /** Removes the registrations. */
  readonly close?: () => void;
}

// biome-ignore lint/suspicious/noExplicitAny: a learner's module may export anything
export type Yours = Record<string, any>;

export interface Host {
  /** Called before each check that runs the learner's code: the library is loaded then, and the time counts. */
  readonly begins?: () => void;
  /** The learner's file as a module, run again. */
  readonly yours: (file: string) => Promise<Yours>;
  readonly text: (file: string) => string;
  /** `open` of the exercise's `calls.ts`. */
  readonly open: (yours: Yours) => Promise<Session>;
  readonly golden: (name: string) => Promise<unknown>;
  /** The output of codegen for the learner's tree; null if none of the files concerns codegen. */
  readonly generated: () => Promise<Generated | null>;
  /** A description of each file as PyTorch reads it; or the reason why PyTorch was not asked. */
  readonly readByPyTorch: (files: readonly Uint8Array[]) => Promise<ReadFiles | string>;
  /** The WebGPU device, opened once; or the reason why kernels run in the simulator. */
  readonly device: () => Promise<OpenedDevice | string>;
}

/** The output of tools/oracle/files_describe.py for each file, or the error. */
export type ReadFiles = readonly ({ readonly value: unknown } | { readonly error: string })[];

/** A run of codegen: new output that is not in the tree, or its error. */
export interface Generated {
  readonly files: ReadonlyMap<string, string>;
  readonly error: string | null;
}
