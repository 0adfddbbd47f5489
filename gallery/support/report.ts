/**
 * @file The report of a gallery program that is run by itself: its curve beside PyTorch's, its results, the time of a step.
 * @original
 */
import { basename, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import torch from "glasstorch";
import colors from "picocolors";
import { apart, complaints, distances, type Outcome, type Recorded, type Run, recorded } from "./outcome.ts";

const WIDTH = 100;
/** A curve is shown at so many steps. */
const ROWS = 16;

interface Subject {
  readonly title: string;
  /** More lines to show; the first is their heading. */
  readonly shown: (outcome: Outcome) => string[];
}

const terminal = process.stdout.isTTY === true;
const paint = colors.createColors(terminal && colors.isColorSupported);

/** One line, which the next one writes over; none where the output is kept. */
function progress(text: string): void {
  if (terminal) process.stdout.write(`\r\x1b[K${text}`);
}

function bar(part: number, width: number): string {
  const eighths = Math.round(Math.max(0, part) * width * 8);
  return "█".repeat(eighths >> 3) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths & 7];
}

/** `1e-7` and its like, a difference; what is equal to the last bit is said so. */
function far(distance: number | undefined): string {
  return distance === undefined ? "" : distance === 0 ? "same" : distance.toExponential(0);
}

/** Losses, ours and PyTorch's, at steps that lie ever farther apart in the beginning and evenly after it. */
function curve(ours: readonly number[], theirs: readonly number[]): string[] {
  const every = Math.max(1, Math.ceil(ours.length / ROWS));
  const steps = ours.map((_, i) => i + 1).filter((n) => n === 1 || n % every === 0 || n === ours.length);
  const most = Math.max(...ours);
  const lines = steps.map((step) => {
    const [loss, loss_there] = [ours[step - 1], theirs[step - 1]];
    const there = loss_there === undefined ? undefined : apart(loss, loss_there);
    const cells = [String(step).padStart(6), loss.toFixed(6), loss_there?.toFixed(6) ?? "", far(there)];
    return ` ${cells.map((cell) => cell.padStart(11)).join("")}   ${paint.cyan(bar(loss / most, WIDTH - 49))}`;
  });
  return [paint.dim(` ${["step", "loss", "PyTorch", "apart"].map((name) => name.padStart(11)).join("")}`), ...lines];
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1];
}

/** The rest: accuracy, distances, time; and whether all of it is as in PyTorch. */
function verdict(outcome: Outcome, there: Recorded, version: string, ms: number): [lines: string[], wrong: string[]] {
  const whole = outcome.losses.length === there.losses.length;
  const percent = (part: number | undefined): string => (part === undefined ? "" : `${(part * 100).toFixed(2)} %`);
  const rows: [string, string][] = Object.entries(distances(outcome, there)).map(([part, d]) => [part, far(d)]);
  if (outcome.accuracy !== undefined)
    rows.push([
      "right of what it had not seen",
      percent(outcome.accuracy) + (whole ? `, PyTorch ${percent(there.accuracy)}` : ""),
    ]);
  if (outcome.text !== undefined && whole) rows.push(["the text", outcome.text === there.text ? "same" : "another"]);
  rows.push(["time of a step, one thread", `${ms.toFixed(1)} ms`]);
  const wrong = complaints(outcome, there);
  const lines = rows.map(([name, value]) => ` ${name.padEnd(36)}${value}`);
  if (wrong.length === 0) lines.push("", paint.green(` ✓ as in PyTorch ${version}`));
  return [lines, wrong];
}

/** How many steps the command line asks for. */
function steps_asked(path: string, whole: number): number {
  const usage = `npx tsx ${path} [--steps N]     N of ${whole} steps`;
  try {
    const { values } = parseArgs({ options: { steps: { type: "string" }, help: { type: "boolean", default: false } } });
    const steps = Number(values.steps ?? whole);
    if (!values.help && Number.isSafeInteger(steps) && steps > 0) return steps;
    console.log(usage);
    process.exit(values.help ? 0 : 2);
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
}

/** Runs a program and prints what came of it, if it is the one that was started. */
export function report(url: string, run: Run, { title, shown }: Subject): void {
  const file = fileURLToPath(url);
  if (process.argv[1] !== file) return;
  const path = relative(process.cwd(), file);
  const { torch: version, whole } = recorded(basename(file, ".ts"));
  const steps = steps_asked(path, whole.options.steps);
  torch.set_num_threads(1);
  const times: number[] = [];
  let last = performance.now();
  const outcome = run({
    steps,
    on_step: (losses) => {
      const now = performance.now();
      times.push(now - last);
      last = now;
      progress(` ${bar(losses.length / steps, 40)} ${losses.length} of ${steps}   loss ${losses.at(-1)?.toFixed(4)}`);
    },
  });
  progress("");
  const [end, wrong] = verdict(outcome, whole, version, median(times));
  const heading = `${paint.bold(title)}${path.padStart(WIDTH - title.length)}`;
  const [name, ...more] = shown(outcome);
  const middle = [...curve(outcome.losses, whole.losses), "", paint.dim(` ${name}`), ...more];
  console.log([heading, "", ...middle, "", ...end].join("\n"));
  for (const complaint of wrong) console.error(paint.red(` ✗ not as in PyTorch ${version}: ${complaint}`));
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
