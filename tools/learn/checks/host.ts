/**
 * @file What a check asks of the place it runs in, a terminal's process or a page's worker: the learner's files, the exercise's calls,
 * what was recorded from PyTorch.
 * @original
 */
import type { OpenedDevice } from "../kernel/device.ts";
import type { Card } from "../kernel/gpu.ts";

/** A call that checks make, record and differentiate; its name in `calls.ts` is how a learner would write it. */
export interface Call {
  /** Made anew for every run, off the record. */
  readonly inputs: () => unknown[];
  // biome-ignore lint/suspicious/noExplicitAny: inputs are whatever `inputs` makes
  readonly run: (...inputs: any[]) => unknown;
}

/** Runs the text of a kernel on numbers, and gives back the numbers of its result. */
// biome-ignore lint/suspicious/noExplicitAny: inputs are whatever PyTorch was given
export type Launch = (gpu: Card, kernel: string, ...inputs: any[]) => Float32Array;

/** An exercise's calls while its operators are registered. */
export interface Session {
  readonly calls: Readonly<Record<string, Call>>;
  /** How kernels are run, by name, where that is not the learner's matter. */
  readonly launches?: Readonly<Record<string, Launch>>;
  /** Takes the registrations back. */
  readonly close?: () => void;
}

// biome-ignore lint/suspicious/noExplicitAny: a learner's module may export anything
export type Yours = Record<string, any>;

export interface Host {
  /** The learner's file as a module, run anew. */
  readonly yours: (file: string) => Promise<Yours>;
  readonly text: (file: string) => string;
  /** `open` of the exercise's `calls.ts`. */
  readonly open: (yours: Yours) => Promise<Session>;
  readonly golden: (name: string) => Promise<unknown>;
  /** What codegen made of the learner's tree; null if no file of it concerns codegen. */
  readonly generated: () => Promise<Generated | null>;
  /** What PyTorch reads in files: a description of each; or why it was not asked. */
  readonly readByPyTorch: (files: readonly Uint8Array[]) => Promise<ReadFiles | string>;
  /** The WebGPU device of this place, opened once; or why kernels run in the simulator. */
  readonly device: () => Promise<OpenedDevice | string>;
}

/** As tools/oracle/files_describe.py tells it, or the error. */
export type ReadFiles = readonly ({ readonly value: unknown } | { readonly error: string })[];

/** A run of codegen: what it wrote that is not in the tree, or what it said instead. */
export interface Generated {
  readonly files: ReadonlyMap<string, string>;
  readonly error: string | null;
}
