/**
 * @file The check of a pass: lines that the graph must have before and after it (FileCheck), a graph in order, code that is the graph's, equal results, and the
 * same parameters.
 * @original
 */
import torch from "glasstorch";
import { FileCheck } from "#torch/csrc-equivalent/jit/testing/file_check";
import { ExerciseError, type Ir } from "../exercise.ts";
import { compareRows, type Finding } from "../report.ts";
import type { CapturedProgram } from "./captured.ts";
import { own_words } from "./own_words.ts";
import { callOf } from "./recorded.ts";
import type { Scope } from "./run.ts";

export function ir(spec: Ir, { session }: Scope): Finding | null {
  for (const { call, before, after } of spec.programs) {
    const { inputs, run } = callOf(session, call);
    const [program, ...args] = inputs() as [CapturedProgram, ...unknown[]];
    const missing = unmet(before, program.text());
    if (missing !== null) throw new ExerciseError(`${call}, before the pass: ${missing}`);
    const results = shown(program.run(...args));
    const parameters = program.parameters();
    const finding = findingOf(call, () => {
      const changed = run(program, ...args) as CapturedProgram;
      changed.lint();
      const found = unmet(after, changed.text());
      if (found !== null) return { expected: after, yours: graph_lines(changed), because: found };
      if (changed.code() !== changed.code_of_graph())
        return {
          expected: ["the code is that of the graph"],
          yours: ["the code is that of the graph before the pass"],
          because: "a module runs its code: whoever changes the graph must have the code written anew",
        };
      const kept = changed.parameters();
      const names = parameters.map(([name]) => `parameter ${name}`);
      const found_names = kept.map(
        ([name, value]) =>
          `parameter ${name}${parameters.some(([, each]) => each === value) ? "" : ", another tensor"}`,
      );
      return {
        expected: [...results, ...names],
        yours: [...shown(changed.run(...args)), ...found_names],
        because: `the graph: ${graph_lines(changed).join("; ")}`,
      };
    });
    if (finding !== null) return finding;
  }
  return null;
}

interface Outcome {
  readonly expected: readonly string[];
  readonly yours: readonly string[];
  readonly because: string;
}

/** The finding of one program; the hints are chosen by its name and by the text that was found. */
function findingOf(call: string, outcome: () => Outcome): Finding | null {
  let found: Outcome;
  try {
    found = outcome();
  } catch (error) {
    if (error instanceof ExerciseError) throw error;
    const { name, message } = error as Error;
    const text = `${name}: ${own_words(message).split("\n")[0]}`;
    found = { expected: ["the pass ends"], yours: [text], because: text };
  }
  const { expected, yours, because } = found;
  const finding = compareRows(expected, yours, () => ({ headline: call, because }));
  return finding === null ? null : { ...finding, call, seen: `${call} | ${because} | ${finding.seen}` };
}

/** The error of FileCheck for the text; null if all lines fit. */
function unmet(lines: readonly string[], text: string): string | null {
  try {
    new FileCheck().run(lines.map((line) => `# ${line}\n`).join(""), text);
    return null;
  } catch (error) {
    return (error as Error).message.split("\n")[0] as string;
  }
}

/** `addcmul: call_function[target=torch.addcmul](args = (%z, %x, %y), kwargs = {})` */
function graph_lines(program: CapturedProgram): string[] {
  const lines = program.text().split("\n").slice(1);
  return lines.map((line) =>
    line
      .trim()
      .replace(/ : \[.*?\] = \w+/, ": ")
      .replace(/, kwargs = \{\}/, ""),
  );
}

/** Digits of float32 that every order of computing agrees on. */
const DIGITS = 5;

/** Results as rows: shape and values of each tensor. */
function shown(result: unknown): string[] {
  if (Array.isArray(result)) return result.flatMap(shown);
  if (!torch.is_tensor(result)) return [String(result)];
  const tensor = result as ReturnType<typeof torch.tensor>;
  const values = tensor.flatten().tolist() as number[];
  return [`[${tensor.shape}]: ${values.map((value) => Number(value.toPrecision(DIGITS))).join(", ")}`];
}
