/**
 * @file Answers questions about the recorded steps of a Python program: what stood in a frame at a step, and which step comes next.
 * @original
 */
import type { CodeView, DisRow, Step, Steps } from "./python_steps.ts";

/** A frame at a step. */
export interface FrameNow {
  readonly frame: number;
  readonly name: string;
  readonly line: number;
  readonly row: number;
  readonly rows: readonly DisRow[];
  readonly variables: readonly { readonly name: string; readonly text: string; readonly changed: boolean }[];
  readonly stack: readonly string[];
}

/** Answers questions about recorded steps. */
export class StepReader {
  readonly steps: Steps;
  /** Steps at which a line begins. */
  readonly lines: readonly number[];
  private readonly begins: ReadonlySet<number>;
  /** How many frames stand above each other at each step. */
  private readonly depths: readonly number[];

  constructor(steps: Steps) {
    this.steps = steps;
    const lines: number[] = [];
    /** The last step of each frame. */
    const last = new Map<number, Step>();
    steps.steps.forEach((step, i) => {
      const known = last.get(step.frame);
      const back = known !== undefined && step.row <= known.row;
      if (known === undefined || back || this.lineOf(step) !== this.lineOf(known)) lines.push(i);
      last.set(step.frame, step);
    });
    this.lines = lines;
    this.begins = new Set(lines);
    const depths: number[] = [];
    for (const { caller } of steps.frames) depths.push(caller === -1 ? 1 : (depths[caller] as number) + 1);
    this.depths = depths;
  }

  get length(): number {
    return this.steps.steps.length;
  }

  private lineOf({ frame, row }: Step): number {
    return this.codeOf(frame).rows[row]?.line ?? 0;
  }

  private codeOf(frame: number): CodeView {
    return this.steps.codes[this.steps.frames[frame]?.code ?? -1] as CodeView;
  }

  /** The line at a step. */
  lineAt(at: number): number {
    const step = this.steps.steps[at];
    return step === undefined ? 0 : this.lineOf(step);
  }

  private depthAt(at: number): number {
    return this.depths[this.steps.steps[at]?.frame ?? -1] ?? 0;
  }

  /** The first step of the line that comes next (`by` 1) or came before (-1); the nearest end where there is none. */
  nextLine(at: number, by: 1 | -1): number {
    const found =
      by === 1 ? this.lines.find((line) => line > at) : this.lines[this.lines.findLastIndex((line) => line < at)];
    return found ?? (by === 1 ? this.length - 1 : 0);
  }

  /** As `nextLine`, without the lines of functions that this line calls. */
  over(at: number): number {
    const depth = this.depthAt(at);
    return this.lines.find((line) => line > at && this.depthAt(line) <= depth) ?? this.length - 1;
  }

  /** The first step after the function has returned. */
  out(at: number): number {
    const depth = this.depthAt(at);
    for (let i = at + 1; i < this.length; i++) if (this.depthAt(i) < depth) return i;
    return this.length - 1;
  }

  /** The next step at a line; from the beginning if none comes after `at`. */
  reach(line: number, at: number): number | null {
    const steps = this.lines.filter((step) => this.lineAt(step) === line);
    return steps.find((step) => step > at) ?? steps[0] ?? null;
  }

  /** The frames at a step, the innermost first. */
  framesAt(at: number): FrameNow[] {
    const step = this.steps.steps[at];
    if (step === undefined) return [];
    const frames: FrameNow[] = [];
    for (let frame = step.frame; frame !== -1; frame = this.steps.frames[frame]?.caller ?? -1)
      frames.push(this.frameAt(frame, at));
    return frames;
  }

  private frameAt(frame: number, at: number): FrameNow {
    const variables = new Map<string, string>();
    let stack: readonly string[] = [];
    let row = 0;
    /** Names of variables that have changed since the frame came to its line. */
    const changed = new Set<string>();
    for (let i = 0; i <= at; i++) {
      const step = this.steps.steps[i] as Step;
      if (step.frame !== frame) continue;
      if (this.begins.has(i)) changed.clear();
      for (const [name, text] of step.changes) {
        changed.add(name);
        if (text === null) variables.delete(name);
        else variables.set(name, text);
      }
      stack = [...stack.slice(0, step.kept), ...step.pushed];
      row = step.row;
    }
    const { name, rows } = this.codeOf(frame);
    return {
      frame,
      name,
      row,
      rows,
      line: rows[row]?.line ?? 0,
      stack,
      variables: [...variables].map(([name, text]) => ({ name, text, changed: changed.has(name) })),
    };
  }
}
