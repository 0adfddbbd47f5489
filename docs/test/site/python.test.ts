/**
 * @file Programs as Python: what the pages show beside TypeScript, form by form; and all of it run under real PyTorch where there is one.
 * @original
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { namesWithoutPython, toPython } from "../../site/python.ts";
import { walkthroughNames } from "../../site/record_traces.ts";
import { examples } from "../../site/recorded_loops.ts";
import { recordedProgram } from "../../site/recorded_program.ts";
import { findRegion } from "../../site/regions.ts";
import { docs, fileText, root } from "../../site/repository.ts";

test.each([
  ['import torch from "glasstorch";', null],
  ["const x = torch.randn([3, 4], { requires_grad: true });", "x = torch.randn([3, 4], requires_grad=True)"],
  ["const net = new torch.nn.Linear(4, 8);", "net = torch.nn.Linear(4, 8)"],
  ["const { nn } = torch;", "nn = torch.nn"],
  ["const t = torch.tensor([new torch.Float(2), 1.0]);", "t = torch.tensor([2.0, 1])"],
  ["console.log(String(x), null);", "print(x, None)"],
  ["x.at(0, torch.slice(1, 3));", "x[0, 1:3]"],
  ["x.at(torch.slice(), torch.slice(2), torch.slice(2, null));", "x[:, :2, 2:]"],
  ["const y = torch.no_grad(() => net(x));", "with torch.no_grad():\n    y = net(x)"],
  ["record(() => net(x));", "net(x)"],
  ["record(() => {\n  const y = net(x);\n  y.backward();\n});", "y = net(x)\ny.backward()"],
  ["check(x.tolist(), [1, true]);", "print(x.tolist())  # [1, True]"],
  ["for (let i = 0; i < 3; i++) opt.step();", "for i in range(3):\n    opt.step()"],
  ["const y = a > 0 && !b ? x.mul(2) : x.neg();", "y = x.mul(2) if (a > 0) and not b else x.neg()"],
  ["x.grad = null; // as new", "x.grad = None  # as new"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template
  ["console.log(`x is ${x} {}`);", 'print(f"x is {x} {{}}")'],
  ["const [gradient] = torch.autograd.grad(y, [x]);", "gradient, = torch.autograd.grad(y, [x])"],
  ['const ours = torch.ops["glass"];', "ours = torch.ops.glass"],
  [
    "f(NaN, Number.NaN, -Infinity, Number.NEGATIVE_INFINITY);",
    'f(float("nan"), float("nan"), -float("inf"), float("-inf"))',
  ],
  ["const f = (a) => a.add(1);", "f = lambda a: a.add(1)"],
  ["function step(x) {\n  return x.add(1);\n}", "def step(x):\n    return x.add(1)"],
])("%s", (typescript, python) => {
  expect(toPython(typescript)).toBe(python);
});

test("a line without Python is left out, and what depends on it; or the whole program is", () => {
  const text = "const trace = record(() => f(x));\nconst keys = trace.keysOf('add');\nconst y = x.add(1);\n";
  expect(toPython(text)).toBe("f(x)\ny = x.add(1)");
  expect(namesWithoutPython(text)).toEqual(new Set(["trace", "keys"]));
  expect(toPython("const y = x.map((v) => { return v; });\nx.add(1);", { whole: true })).toBeNull();
});

test("what a figure recorded is a program of its own", () => {
  const text = fileText("walkthroughs/prelu.ts") ?? "";
  expect(toPython(recordedProgram(text, "forward") ?? "", { whole: true })).toBe(
    "import torch\n\nnet = torch.nn.PReLU()\nx = torch.randn([3, 4], requires_grad=True)\nnet(x)",
  );
  expect(recordedProgram(text, "channels")).toContain("const made = new torch.nn.PReLU(4);\nmade(x);");
  expect(recordedProgram(fileText("walkthroughs/import-torch.ts") ?? "", "import")).toBeNull();
});

/** Every program that a page shows in Python, in the order in which its lines lean on each other. */
function* shown(): Generator<{ readonly where: string; readonly before?: string; readonly parts: readonly string[] }> {
  for (const name of walkthroughNames(root)) {
    const text = fileText(`walkthroughs/${name}.ts`) ?? "";
    for (const [, record = ""] of text.matchAll(/recorded\(\s*"(\w+)"/g)) {
      const program = recordedProgram(text, record);
      const python = program === null ? null : toPython(program, { whole: true });
      if (python !== null) yield { where: `${name}/${record}`, parts: [python] };
    }
  }
  const blocks = new Map<string, string[]>();
  for (const page of readdirSync(join(docs, "content/walkthroughs")))
    for (const [, script = "", region = ""] of readFileSync(join(docs, "content/walkthroughs", page), "utf8").matchAll(
      /^```ts file=walkthroughs\/([\w-]+)\.ts region="([^"]+)"$/gm,
    ))
      blocks.set(script, [...(blocks.get(script) ?? []), region]);
  for (const [script, regions] of blocks) {
    const text = fileText(`walkthroughs/${script}.ts`) ?? "";
    const without = namesWithoutPython(text);
    const at = (region: string): number => findRegion(`${script}.ts`, text, region).line;
    const parts = [...new Set(regions)]
      .sort((a, b) => at(a) - at(b))
      .flatMap((region) => toPython(findRegion(`${script}.ts`, text, region).text, { without, whole: true }) ?? []);
    yield { where: script, before: unshown(text, new Set(regions), without), parts };
  }
  for (const { name, code } of examples()) {
    const python = toPython(`console.log(${code});`, { whole: true });
    if (python !== null) yield { where: `example of ${name}`, parts: [python] };
  }
  for (const page of readdirSync(join(docs, "content"), { recursive: true }).map(String))
    if (page.endsWith(".mdx") && !/^operators\//.test(page))
      for (const [, code = ""] of readFileSync(join(docs, "content", page), "utf8").matchAll(/ code=\{`([^`]*)`\}/g)) {
        const python = toPython(code, { whole: true });
        if (python !== null) yield { where: page, parts: [python] };
      }
}

/** What makes the names that the shown steps use: the lines above the first step, and steps that are not shown in Python. */
function unshown(text: string, shown: ReadonlySet<string>, without: ReadonlySet<string>): string {
  return text
    .split(/^(?=\/\/ ## Step )/m)
    .filter((part) => {
      const step = /^\/\/ ## (Step \d+)/.exec(part)?.[1];
      return step === undefined || !shown.has(step) || toPython(part, { without, whole: true }) === null;
    })
    .flatMap((part) => toPython(part, { without }) ?? [])
    .join("\n\n");
}

const python = process.env["PYTHON"] ?? "python3";
const reference = spawnSync(python, ["-c", "import torch; print(torch.__version__)"], { encoding: "utf8" });
const there = reference.status === 0 && reference.stdout.startsWith("2.13.0");

/** Runs programs, each in a namespace of its own, its parts one after the other; says which raise what. */
const runner = `
import json, os, sys, torch, contextlib, io, warnings
warnings.simplefilter("ignore")
from torch import nn
import torch.nn.functional as F

def run(where, before, parts):
    names = {"torch": torch, "nn": nn, "F": F}
    for piece in before.split("\\n\\n"):
        try:
            exec(piece, names)
        except Exception:
            pass  # a line that has no Python ends its piece
    for part in parts:
        try:
            exec(part, names)
        except Exception as error:
            yield [where, part, f"{type(error).__name__}: {error}"]

wrong = []
for program in json.load(sys.stdin):
    reader, writer = os.pipe()
    if os.fork() == 0:  # what a program registers is gone with it
        with contextlib.redirect_stdout(io.StringIO()):
            told = list(run(*program))
        os.write(writer, json.dumps(told).encode())
        os._exit(0)
    os.close(writer)
    wrong += json.loads(os.fdopen(reader).read() or '[["the program", "", "ended without a word"]]')
    os.wait()
print(json.dumps(wrong))
`;

test("every program that a page shows in Python runs under real PyTorch", { skip: !there, timeout: 300_000 }, () => {
  const programs = [...shown()].map(({ where, before = "", parts }) => [where, before, parts]);
  expect(programs.length).toBeGreaterThan(40);
  const run = spawnSync(python, ["-c", runner], { input: JSON.stringify(programs), encoding: "utf8" });
  expect(run.stderr).toBe("");
  expect(JSON.parse(run.stdout)).toEqual([]);
});
