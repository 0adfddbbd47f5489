/**
 * @file The check of a WGSL kernel: its values case by case, memory that it must not touch, its limits of cost. It runs
 * on the device if there is one. Facts that a device does not report come from the simulator, which runs every kernel:
 * races, and the number of reads.
 * @original
 */
import { ExerciseError, type Kernel } from "../exercise.ts";
import { DeviceCard } from "../kernel/device.ts";
import { type Buffer, type Cost, Gpu } from "../kernel/gpu.ts";
import { KernelError } from "../kernel/wgsl.ts";
import { compareRows, type Finding } from "../report.ts";
import type { Launch } from "./host.ts";
import type { Scope } from "./run.ts";

interface Golden {
  readonly cases: readonly {
    readonly name: string;
    /** Matrices as their elements and sizes; numbers as they are. */
    readonly args: readonly ({ readonly shape: readonly number[]; readonly values: readonly number[] } | number)[];
    readonly result: readonly number[];
  }[];
}

export async function kernel(spec: Kernel, { host, yours, session, ran }: Scope): Promise<Finding | null> {
  const golden = (await host.golden(spec.golden)) as Golden;
  const launch = (yours[spec.launch] ?? session.launches?.[spec.launch]) as Launch | undefined;
  if (launch === undefined) throw new ExerciseError(`nobody has a function "${spec.launch}"`);
  const text = host.text(spec.file);
  const device = await host.device();
  if (typeof device === "string") ran(`the simulator: ${device}`);
  for (const { name, args, result } of golden.cases) {
    const gpu = new Gpu();
    const inputs = args.map((arg) =>
      typeof arg === "number" ? arg : { ...arg, values: new Float32Array(arg.values) },
    );
    const card = typeof device === "string" ? null : new DeviceCard(device);
    let found: Found;
    try {
      if (card !== null) {
        ran(`nothing: the compiler of ${card.name} found an error`);
        await card.compile(text);
        ran("the simulator, which stopped at the error");
      }
      found = { numbers: launch(gpu, text, ...inputs), buffers: gpu.buffers };
      if (card !== null) {
        ran(`${card.name} by WebGPU, races and reads by the simulator`);
        found = { numbers: await card.run(() => launch(card, text, ...inputs)), buffers: card.buffers };
      }
    } catch (error) {
      if (error instanceof KernelError) return refused(spec, name, text, error);
      throw error;
    } finally {
      card?.end();
    }
    const finding =
      differs(spec, name, result, found.numbers) ??
      elsewhere(name, found, gpu.costs.length) ??
      strays(name, found) ??
      costs(spec, name, gpu);
    if (finding !== null) return finding;
  }
  return null;
}

/** The result, and the card's memory after it. */
interface Found {
  readonly numbers: Float32Array;
  readonly buffers: readonly Buffer[];
}

/** The finding for an error of the kernel, with the line that caused it. */
function refused({ file }: Kernel, name: string, text: string, { place, message }: KernelError): Finding {
  return {
    headline: `${file}, line ${place.line}: ${name}`,
    rows: [{ expected: "a result", yours: (text.split("\n")[place.line - 1] ?? "").trim() }],
    first: 0,
    because: message.replace(/^line \d+, column \d+: /, ""),
    seen: message.replace(/^line \d+, column \d+: /, ""),
  };
}

function differs({ rtol = 0 }: Kernel, name: string, result: readonly number[], found: Float32Array): Finding | null {
  const scale = Math.max(...result.map(Math.abs), 0) * rtol;
  const told = (value: number): string => String(Number(value.toPrecision(6)));
  const near = [...found].map((value, i) => (Math.abs(value - result[i]) <= scale ? result[i] : value));
  const finding = compareRows(
    result.map((value, i) => `element ${i}: ${told(value)}`),
    near.map((value, i) => `element ${i}: ${told(value)}`),
    (first) => ({
      headline: `${name}: element ${first} is another`,
      because: `${result.length === 1 ? "1 element" : `${result.length} elements`}; element ${first} should be ${told(result[first] ?? Number.NaN)}`,
    }),
  );
  return finding === null
    ? null
    : { ...finding, seen: `value ${finding.seen.replace(/^element \d+: /, "")} of ${name}` };
}

/** The numbers in the result must be in a buffer as a kernel left it: the host may fetch numbers, but not make them. */
function elsewhere(name: string, { numbers, buffers }: Found, dispatches: number): Finding | null {
  const lies = (words: Float32Array): boolean => numbers.every((value, i) => Object.is(value, words[i]));
  if (numbers.length === 0) return null;
  if (dispatches > 0 && buffers.some(({ words }) => lies(new Float32Array(words)))) return null;
  return {
    headline: `${name}: right, but the card did not compute it`,
    rows: [{ expected: "numbers in a buffer of the card", yours: "numbers of the host" }],
    first: 0,
    because: dispatches === 0 ? "no kernel was started" : "no buffer of the card holds them",
    seen: "numbers of the host",
  };
}

/** Memory after a buffer's end belongs to another tensor. */
function strays(name: string, { buffers }: Found): Finding | null {
  for (const buffer of buffers) {
    const word = buffer.strayed();
    if (word === -1) continue;
    const n = buffer.nbytes / 4;
    return {
      headline: `${name}: right, but it writes past the end of a buffer`,
      rows: [{ expected: `${n} elements are written to`, yours: `element ${word} as well` }],
      first: 0,
      because: `the buffer has ${n} elements, but its block of memory is longer; the rest belongs to another tensor`,
      seen: "behind the end",
    };
  }
  return null;
}

function costs(
  { reads = {}, longest = {}, writes = {}, invocations = {} }: Kernel,
  name: string,
  { costs }: Gpu,
): Finding | null {
  const sum = (of: (cost: Cost) => number): number => costs.reduce((total, cost) => total + of(cost), 0);
  const read = sum((cost) => cost.reads);
  const touched = sum((cost) => cost.longest);
  if (read > (reads[name] ?? Number.POSITIVE_INFINITY))
    return {
      headline: `${name}: right, but it reads ${read} elements`,
      rows: [{ expected: `at most ${reads[name]} elements read from buffers`, yours: `${read}` }],
      first: 0,
      because: `${sum((cost) => cost.invocations)} invocations; each read of a buffer counts, reads of workgroup memory do not`,
      seen: "too many reads",
    };
  if (touched > (longest[name] ?? Number.POSITIVE_INFINITY))
    return {
      headline: `${name}: right, but all invocations wait for one`,
      rows: [{ expected: `at most ${longest[name]} reads and writes by one invocation`, yours: `${touched}` }],
      first: 0,
      because:
        "the busiest invocation; its reads and writes of buffers and of workgroup memory count, in all dispatches",
      seen: "all wait",
    };
  const written = sum((cost) => cost.writes);
  if (written !== (writes[name] ?? written))
    return {
      headline: `${name}: right, but it writes ${written} elements`,
      rows: [{ expected: `${writes[name]} elements are written`, yours: `${written}` }],
      first: 0,
      because: "each write to a buffer counts, also to memory that was allocated but is not needed",
      seen: "too many writes",
    };
  const started = sum((cost) => cost.invocations);
  if (started > (invocations[name] ?? Number.POSITIVE_INFINITY))
    return {
      headline: `${name}: right, but it starts ${started} invocations`,
      rows: [{ expected: `at most ${invocations[name]} invocations`, yours: `${started}` }],
      first: 0,
      because: "the number of workgroups times their invocations; some of these workgroups have nothing to do",
      seen: "too many invocations",
    };
  return null;
}
