/**
 * @file The library as it is sent to be run does what its sources do, line for line; what has not come is asked for.
 * @original
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decompress } from "fzstd";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeContext } from "../../site/context.ts";
import { libraryTexts } from "../../site/library_archive.ts";
import { MADE_FROM, madeFrom, runForm } from "../../site/run_form.ts";
import type { FromRunner } from "../../src/playground/engine/protocol.ts";
import {
  assemble,
  type Core,
  familiesIn,
  familyOf,
  type Names,
  namesIn,
  type Pack,
  symbolsOf,
  type Where,
} from "../../src/playground/engine/run_form.ts";
import { Runtime } from "../../src/playground/engine/runtime.ts";
import { transpile } from "../../src/playground/engine/transpile.ts";
import { FIRST_PACK, FIRST_PROGRAMS, program } from "../../src/playground/first_program.ts";
import { library, root, run } from "./tree.ts";

/** The packs that the site was built with, if they are those of the sources as they stand; else others are made, which takes a minute. */
const built = makeContext().out;
const made_from = join(built, MADE_FROM);
const { core: texts, apart } = libraryTexts(root);
const is_built = existsSync(made_from) && readFileSync(made_from, "utf8") === madeFrom(root, { core: texts, apart });
const out = is_built ? built : mkdtempSync(join(tmpdir(), "run-form-"));
const pack = (name: string) =>
  JSON.parse(new TextDecoder().decode(decompress(readFileSync(join(out, `run/${name}.pack`)))));
let core: Core;
let names: Names;
let rest: Pack;

beforeAll(async () => {
  if (!is_built) await runForm({ ...makeContext(), out: `${out}/` }, texts, new Map(), apart);
  core = pack("core");
  names = pack("names");
  rest = pack("rest");
}, 300_000);
afterAll(() => {
  if (!is_built) rmSync(out, { recursive: true, force: true });
});

async function runOn(packs: readonly Pack[], text: string): Promise<FromRunner[]> {
  const told: FromRunner[] = [];
  const runtime = new Runtime((message) => told.push(message));
  runtime.load(assemble(core, packs), "typescript");
  const program = { path: "playground/program.ts", text, js: transpile("program.ts", text, true).js };
  const options = { detail: "layers", values: false } as const;
  await runtime.run({ program, options, files: [], complete: true, symbols: symbolsOf(core, packs) });
  return told;
}

const programs = [
  'import torch from "glasstorch";\nconsole.log(torch.ones([2]).add(1));',
  'import torch from "glasstorch";\nconst l = new torch.nn.Linear(3, 2);\ntorch.nn.functional.softmax(l(torch.ones([2, 3])), 1).sum().backward();\nconsole.log(l.weight.grad.shape);',
  'import torch from "glasstorch";\ntorch.ones([2, 3]).view(5);',
  'import torch from "glasstorch";\nconsole.log(torch._C._dispatch_dump("aten::prelu"), torch._C._dispatch_get_all_op_names().length);',
];

/** Without times. */
const comparable = (told: readonly FromRunner[]): string =>
  JSON.stringify(told, (key, value) => (["ms", "start", "end", "column"].includes(key) ? undefined : value)).replace(
    /0x[0-9a-f]+/g,
    "",
  );

test.each(programs)("all of it does what the sources do: %#", async (text) => {
  const whole = (await run(await library(), text)).all;
  const sent = (await runOn([rest], text)).filter(({ type }) => type !== "ready");
  expect(comparable(sent)).toBe(comparable(whole.filter(({ type }) => type !== "ready")));
});

test.each(programs)("a program has what it names, or asks for it: %#", async (text) => {
  const families = familiesIn(names, text).map((family) => pack(String(family)) as Pack);
  const told = await runOn(families, text);
  if (told.some(({ type }) => type === "missing")) return; // everything is sent, as above
  expect(comparable(told)).toBe(comparable(await runOn([rest], text)));
});

test("the library can be loaded from what every reader gets first, and with any family", async () => {
  for (const packs of [[], ...names.mentions.map((_, family) => [pack(String(family)) as Pack])].filter(
    (_, i) => i % 60 === 0,
  )) {
    const told: FromRunner[] = [];
    new Runtime((message) => told.push(message)).load(assemble(core, packs), "typescript");
    expect(told.map(({ type }) => type)).toEqual(["ready"]);
  }
}, 180_000);

test.each(["prelu", "add", "tensor", "backward"])(
  "on what every reader gets first, the claims of %s.ts hold",
  async (name) => {
    const path = `walkthroughs/${name}.ts`;
    const text = readFileSync(join(root, path), "utf8");
    const told: FromRunner[] = [];
    const runtime = new Runtime((message) => told.push(message));
    expect([...namesIn(text)].filter((name) => !core.familiar.includes(name))).toEqual([]);
    runtime.load(assemble(core, []), "typescript");
    const program = { path, text, js: transpile(path, text, true).js };
    const options = { detail: "layers", values: false } as const;
    await runtime.run({ program, options, files: [], complete: true, symbols: symbolsOf(core, []) });
    expect(told.filter(({ type }) => ["claim", "failure", "missing"].includes(type))).toEqual([]);
  },
);

// Lines that were not measured are of the same kind as those that were: a tensor made, changed and printed.
const typedFirst = [
  ...FIRST_PROGRAMS,
  program.replace("torch.randn([2, 3]", "torch.zeros([4]"),
  'import torch from "glasstorch";\nconst x = torch.zeros([3]);\nconsole.log(x, x.shape, x.add(1), x.mul(2).tolist());',
];
/** Runs a program as the page does: what it asks for comes with its family. Returns what the last run told, and how many families came. */
async function withFamilies(text: string): Promise<{ told: FromRunner[]; families: number }> {
  const where: Where = pack("where");
  const unknown = [...namesIn(text)].filter((name) => !core.familiar.includes(name));
  const wanted = new Set(familiesIn(names, unknown.join(" ")));
  for (let times = 0; ; times++) {
    const packs = [pack(`for-${FIRST_PACK}`) as Pack, ...[...wanted].map((family) => pack(String(family)) as Pack)];
    const told = await runOn(packs, text);
    const missing = told.find((message) => message.type === "missing");
    if (missing?.type !== "missing") return { told, families: wanted.size };
    expect(times, "the page asks for everything after four tries").toBeLessThan(4);
    const family = familyOf(where, missing.part) as number;
    expect(wanted.has(family)).toBe(false);
    for (const each of [family, ...(names.mentions[family] ?? [])]) wanted.add(each);
  }
}

test.each(typedFirst)(
  "what a reader types first needs nothing but the core and the playground's own pack: %#",
  async (text) => {
    const known = new Set(FIRST_PROGRAMS.flatMap((first) => [...namesIn(first)]));
    const unknown = [...namesIn(text)].filter((name) => !core.familiar.includes(name) && !known.has(name));
    const families = familiesIn(names, unknown.join(" ")).map((family) => pack(String(family)) as Pack);
    const told = await runOn([pack(`for-${FIRST_PACK}`) as Pack, ...families], text);
    expect(told.filter(({ type }) => ["missing", "failure"].includes(type))).toEqual([]);
  },
);

test("what a run asks for lies in a family, and with that it goes on", async () => {
  const hidden = 'import torch from "glasstorch";\nconsole.log(torch["soft" + "max"](torch.ones([2]), 0));';
  const { told, families } = await withFamilies(hidden);
  expect(told.find((message) => message.type === "console")).toMatchObject({ text: "tensor([0.5000, 0.5000])" });
  expect(families).toBeGreaterThan(0);
});

test("what is named is sent, what is not named is not; a name made at run time is asked for", async () => {
  expect(familiesIn(names, "torch.softmax(x, 0)").length).toBeGreaterThan(0);
  expect(familiesIn(names, '// softmax\nconst s = "softmax";')).toEqual([]);
  const hidden = 'import torch from "glasstorch";\ntorch["soft" + "max"](torch.ones([2]), 0);';
  expect((await runOn([], hidden)).some(({ type }) => type === "missing")).toBe(true);
  expect((await runOn([rest], hidden)).some(({ type }) => type === "missing")).toBe(false);
});

test("a line of the run form is the line of the source", () => {
  for (const { path, js } of assemble(core, [rest]).filter(({ path }) => path.endsWith(".ts"))) {
    const text = readFileSync(join(root, path), "utf8").split("\n");
    for (const [i, line] of js.split("\n").entries()) {
      const name = /^(?:async )?function\*? ?(\w+)/.exec(line)?.[1];
      if (name !== undefined && !/^_(interop|create|optional|nullish)/.test(name))
        expect(text[i], `${path}:${i + 1}`).toContain(name);
    }
  }
});
