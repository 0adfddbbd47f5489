/**
 * @file The part of every walkthrough that is for a terminal: options and printing; recording and claims are in `claims.ts`.
 *
 * A walkthrough is a script that is read from top to bottom: it has prose in comments, and after each claim a line that fails if it is false.
 * `recorded` records a call, `check` checks a claim, `drawn` keeps the data of a figure, `finish` prints all this in the format that the
 * reader chose.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect, parseArgs } from "node:util";
import { explainChoice, type Lane, lanes, toChrome, toMermaid, toText } from "glasstorch/trace";
import colors from "picocolors";
import { claims, type Drawing, drawings, host, type Recording, recordings } from "./claims.ts";

export { check, checkThrows, drawn, keep, recorded, recordedAsync } from "./claims.ts";

const script = basename(process.argv[1] ?? "walkthrough");

const usage = `npx tsx walkthroughs/${script} [options]

  --format text|json|chrome|mermaid   form of the recording (text); may be repeated
  --detail layers|full                full: every function between the layers too (layers)
  --why OP                            why the dispatcher chose what it chose, for each call of OP
  --record NAME                       one of several recordings; json writes the first unless told
  --hide LANE                         leave a lane out, e.g. --hide memory (may be repeated)
  --plain                             no colour, no links
  --out FILE                          write there instead of to the terminal
  --all FOLDER                        every recording as JSON, and index.json with the rest; what the site's pages are made from
  --python                            only the lines with which to see the same in PyTorch
  --help
`;

function readOptions() {
  try {
    return parseArgs({
      options: {
        format: { type: "string", multiple: true, default: ["text"] },
        detail: { type: "string", default: "layers" },
        why: { type: "string" },
        record: { type: "string" },
        hide: { type: "string", multiple: true, default: [] },
        plain: { type: "boolean", default: false },
        out: { type: "string" },
        all: { type: "string" },
        python: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    return fail((error as Error).message);
  }
}

function fail(message: string): never {
  console.error(`${script}: ${message}\n\n${usage}`);
  process.exit(2);
}

const options = readOptions();
if (options.help) {
  console.log(usage);
  process.exit(0);
}
for (const format of options.format)
  if (!["text", "json", "chrome", "mermaid"].includes(format))
    fail(`--format ${format} is not text, json, chrome or mermaid`);
if (!["layers", "full"].includes(options.detail)) fail(`--detail ${options.detail} is not layers or full`);
for (const lane of options.hide)
  if (!(lanes as readonly string[]).includes(lane)) fail(`--hide ${lane}: lanes are ${lanes.join(", ")}`);

const color = !options.plain && options.out === undefined && colors.isColorSupported && process.stdout.isTTY === true;

host.options = { detail: options.detail as "layers" | "full" };
host.onFalseClaim = ({ claim, expected, actual }) => {
  console.error(colors.red(`A claim of ${script} is false${claim === undefined ? "" : `: ${claim}`}`));
  console.error(`  expected ${inspect(expected, { depth: 6 })}\n  actual   ${inspect(actual, { depth: 6 })}`);
  console.error((new Error().stack ?? "").split("\n").find((l) => l.includes(script)) ?? "");
  process.exit(1);
};

function heading(recording: Recording): string {
  const { trace, title, note } = recording;
  const last = trace.events.reduce((end, event) => Math.max(end, event.end), 0);
  const first = trace.events[0]?.start ?? 0;
  const size = `${trace.events.length} steps, ${Math.round(last - first)} µs`;
  return `${bold(title)}    ${note === "" ? "" : `${note}    `}${size}\n`;
}

const bold = (text: string): string => (color ? colors.bold(text) : text);

const inLines = ({ title, lines }: Drawing): string => `${bold(title)}\n\n${lines.join("\n")}\n`;

function chosen(): Recording[] {
  if (options.record === undefined) return recordings.filter((r) => !r.quiet);
  const found = recordings.filter((r) => r.name === options.record);
  if (found.length === 0)
    fail(`--record ${options.record}: the recordings are ${recordings.map((r) => r.name).join(", ")}`);
  return found;
}

function render(format: string, tableOf: (op: string) => string): string {
  const shown = chosen();
  // A format holds one recording; a walkthrough that only draws figures has still made its own.
  const first = shown[0] ?? recordings[0];
  if (options.why !== undefined) {
    const op = options.why;
    return shown.map((r) => `${heading(r)}\n${explainChoice(r.trace.events, op, tableOf)}\n`).join("\n");
  }
  switch (format) {
    case "json":
      return `${JSON.stringify(first.trace.toJSON(), null, options.out === undefined ? 1 : 0)}\n`;
    case "chrome":
      return `${JSON.stringify(toChrome(first.trace))}\n`;
    case "mermaid":
      return toMermaid(first.trace);
    default: {
      const width = process.stdout.columns ?? 160;
      const linkRoot = color ? fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "") : undefined;
      const text = { width, color, hide: options.hide as Lane[], ...(linkRoot === undefined ? {} : { linkRoot }) };
      const tree = (r: Recording): string => `${heading(r)}\n${toText(r.trace, text)}\n`;
      if (options.record !== undefined) return shown.map(tree).join("\n");
      // Everything that the run made, in order.
      const figures = (after: number): string[] => drawings.filter((d) => d.after === after).map(inLines);
      return [...figures(0), ...recordings.flatMap((r, i) => [...(r.quiet ? [] : [tree(r)]), ...figures(i + 1)])].join(
        "\n",
      );
    }
  }
}

/** Each recording in a file of its own, and `index.json`: what they are, the figures, how many claims held, the lines of Python. */
function writeAll(folder: string, python: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, trace } of recordings)
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(trace.toJSON())}\n`);
  const records = recordings.map(({ name, title, note, trace }) => ({ name, title, note, mermaid: toMermaid(trace) }));
  const drawn = Object.fromEntries(drawings.map(({ name, data }) => [name, data]));
  const index = { records, drawn, claims: claims(), python: python.trim() };
  writeFileSync(join(folder, "index.json"), `${JSON.stringify(index, null, 1)}\n`);
  console.log(`wrote ${records.length} recordings to ${folder}`);
}

/**
 * Prints the recordings and ends the walkthrough.
 * @param ending.next where to go from here · `python`: lines to try in a real PyTorch · `tableOf`: `torch._C._dispatch_dump_table`
 */
export function finish(ending: { next: string; python: string; tableOf: (op: string) => string }): void {
  if (options.python) {
    console.log(ending.python.trim());
    return;
  }
  if (options.all !== undefined) {
    writeAll(options.all, ending.python);
    return;
  }
  const body = options.format.map((format) => render(format, ending.tableOf)).join("\n");
  if (options.out !== undefined) {
    writeFileSync(options.out, body);
    console.log(`wrote ${options.out}`);
    return;
  }
  process.stdout.write(body);
  if (!options.format.includes("text")) return;
  const dim = (text: string): string => (color ? colors.dim(text) : text);
  console.log(
    `\n${dim("Try it in your own PyTorch:")}\n${ending.python
      .trim()
      .split("\n")
      .map((l) => `    ${l}`)
      .join("\n")}`,
  );
  const done = `✓ ${claims()} claims hold`;
  console.log(
    `\n ${color ? colors.green(done) : done}     next: ${ending.next}\n   why this key? --why OP     every function: --detail full`,
  );
}
