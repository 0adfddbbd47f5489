/**
 * @file The whole program behind a block of Python on a page, for the playground; or the sentence that says why it cannot run there.
 * @original
 */
import { toPython } from "./python";
import { pieceProgram } from "./recorded_program";
import { upToStep } from "./regions";

interface Refusal {
  /** Is shown in the place of the button. */
  readonly why: string;
  /** Is in the error of the program; a test runs it and looks. */
  readonly error: string;
}

/** Blocks that do not run on the library, by walkthrough and region (`python`: its lines for one's own PyTorch). */
export const CANNOT_RUN: Readonly<Record<string, Refusal>> = {
  "walkthroughs/conv.ts#python": {
    why: "It asks PyTorch’s own binding which backend it selects.",
    error: "_select_conv_backend",
  },
  "walkthroughs/dot.ts#python": {
    why: "It reads a file of the installed PyTorch.",
    error: "No module named 'torchgen'",
  },
  "walkthroughs/prelu.ts#python": {
    why: "The table of the profiler is not built here.",
    error: "has no attribute 'table'",
  },
  "walkthroughs/save-load.ts#python": {
    why: "It needs modules of Python that are not in this Python.",
    error: "No module named 'pickletools'",
  },
  "walkthroughs/simd.ts#python": {
    why: "It asks PyTorch how its binaries were built.",
    error: "has no attribute '__config__'",
  },
  "walkthroughs/webgpu.ts#python": {
    why: "It measures a CUDA device.",
    error: "has no attribute 'device_type'",
  },
};

/** A block as a page has it, and what comes of pressing its button. */
export interface PythonBlock {
  readonly key: string;
  readonly program: string;
  readonly why: string | null;
}

export function blockOf(key: string, program: string): PythonBlock {
  return { key, program, why: CANNOT_RUN[key]?.why ?? null };
}

/**
 * The block of a walkthrough's region: its program begins with the lines further up that make what the region uses.
 * @param text of the walkthrough
 * @param without names of the walkthrough that have no Python
 * @param piece the region, which begins at `line`
 */
export function regionBlock(
  key: string,
  text: string,
  without: ReadonlySet<string>,
  { line, text: piece }: { readonly line: number; readonly text: string },
): PythonBlock {
  const program = toPython(pieceProgram(text, line, piece), { without });
  if (program === null) throw new Error(`${key} has no Python`);
  return blockOf(key, program);
}

/** The block of a step of a walkthrough in Python: its program begins with the steps before it. */
export function stepBlock(file: string, text: string, region: string): PythonBlock {
  return blockOf(`${file}#${region}`, upToStep(file, text, region));
}

/** The part of a fence's first line that tells the page how to run the block. */
export function metaOfBlock({ program, why }: PythonBlock): string {
  return why === null ? `run="${encodeURIComponent(program)}"` : `why="${why}"`;
}
