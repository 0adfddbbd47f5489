/** Modules, functions, optimizers and refusals of the C++ front end against what libtorch recorded. */
import { expect, test } from "vitest";
import { torch } from "../../../../src/cpp.ts";
import {
  type Case,
  cases,
  distance,
  four_steps,
  parameters,
  type Recorded,
  type RecordedTensor,
  recorded,
  run,
  y,
} from "./cpp_cases.ts";

/** Each module takes a while, because its code is new: a part of them runs by default, and all with `CPP_CASES=all`. */
const sampled = (list: Case[]): Case[] =>
  process.env["CPP_CASES"] === "all" ? list : list.filter((_, i) => i % 4 === 1 || i % 19 === 0);
const of_kind = (kind: Case["kind"]): Case[] => cases.filter((entry) => entry.kind === kind);
type Tensor = InstanceType<typeof torch.Tensor>;

/** All complaints about the cases, so that one run shows every difference. */
function complaints(list: readonly Case[], check: (entry: Case, report: (what: string) => void) => void): string[] {
  const found: string[] = [];
  for (const entry of list) {
    const report = (what: string): void => void found.push(`${entry.text}: ${what}`);
    try {
      check(entry, report);
    } catch (error) {
      report(`threw ${(error as Error).message}`);
    }
  }
  return found;
}

const tensors = (dict: Iterable<readonly [string, Tensor]>): Record<string, Recorded> =>
  Object.fromEntries([...dict].map(([name, tensor]) => [name, recorded(tensor)]));

/** float32 results of other kernels differ in their last bits. */
const near = 2e-6;

function compare(
  mine: Record<string, Recorded>,
  theirs: Record<string, Recorded>,
  what: string,
  report: (what: string) => void,
): void {
  if (Object.keys(mine).join() !== Object.keys(theirs).join())
    report(`${what}: ${Object.keys(mine).join()} instead of ${Object.keys(theirs).join()}`);
  for (const [name, value] of Object.entries(theirs)) {
    const apart = distance(mine[name] ?? null, value);
    if (apart > near) report(`${what} ${name} differs by ${apart}`);
  }
}

/** Gives parameters the values that were recorded. */
function take_over(mine: Iterable<readonly [string, Tensor]>, theirs: Record<string, RecordedTensor>): void {
  for (const [name, tensor] of mine) {
    const { sizes, values } = theirs[name];
    torch.no_grad(() => tensor.copy_(torch.from_array(Float32Array.from(values as number[]), sizes)));
  }
}

test("modules print, begin, compute and differentiate as in C++", () => {
  const found = complaints(sampled(of_kind("module")), (entry, report) => {
    torch.manual_seed(0);
    const module = run(entry.text);
    if (String(module) !== entry.printed) report(`prints\n${module}\ninstead of\n${entry.printed}`);
    // C++ does not say in which order arguments are made, and so which layer of a row gets which random numbers.
    if (entry.text.startsWith("Sequential(")) take_over(module.named_parameters(), entry.parameters ?? {});
    compare(tensors(module.named_parameters()), entry.parameters ?? {}, "parameter", report);
    compare(tensors(module.named_buffers()), entry.buffers ?? {}, "buffer", report);
    let output: unknown;
    try {
      output = run(`module(${entry.args})`, { module });
    } catch (error) {
      if (entry.error === undefined || !entry.error.startsWith((error as Error).message.split(" INTERNAL")[0]))
        throw error;
      return;
    }
    const apart = distance(recorded(output), entry.output ?? null);
    if (apart > near) report(`output differs by ${apart}`);
    if (entry.gradients !== undefined) {
      const values = Array.isArray(output) ? output[0] : output instanceof torch.nn.ASMoutput ? output.output : output;
      const total = values as Tensor;
      total
        .mul_Tensor(y([...total.sizes()]))
        .sum()
        .backward();
      const gradients = module
        .named_parameters()
        .pairs()
        .map(([name, p]: [string, Tensor]) => [name, p.grad()]);
      compare(tensors(gradients), entry.gradients, "gradient", report);
    }
    compare(tensors(module.named_buffers()), entry.after ?? {}, "buffer afterwards", report);
  });
  expect(found).toEqual([]);
});

test("functions and initializations give C++'s values", () => {
  const found = complaints(of_kind("function"), (entry, report) => {
    torch.manual_seed(0);
    const apart = distance(recorded(run(entry.text)), entry.output ?? null);
    if (apart > near) report(`differs by ${apart}`);
  });
  expect(found).toEqual([]);
});

test("containers print as in C++", () => {
  const found = complaints(of_kind("printed"), (entry, report) => {
    const text = String(run(entry.text.slice(1))); // without the star that follows the pointer
    if (text !== entry.printed) report(`prints\n${text}\ninstead of\n${entry.printed}`);
  });
  expect(found).toEqual([]);
});

test("optimizers make C++'s steps", () => {
  const found = complaints(of_kind("optimizer"), (entry, report) => {
    const p = parameters();
    four_steps(p, run(entry.text, { p }));
    const apart = distance(p.map(recorded), entry.output ?? null);
    if (apart > 1e-5) report(`differs by ${apart}`);
  });
  expect(found).toEqual([]);
});

test("wrong calls are refused with C++'s words", () => {
  const found = complaints(of_kind("refused"), (entry, report) => {
    let message: string | null = null;
    try {
      run(entry.text);
    } catch (error) {
      message = (error as Error).message;
    }
    if (message !== entry.error) report(`${message}\ninstead of\n${entry.error}`);
  });
  expect(found).toEqual([]);
});
