/**
 * @file What a run tells: console lines, recordings, errors and false claims at their lines, where a loop is.
 * @original
 */
import { expect, test } from "vitest";
import { diagnose } from "../../src/playground/engine/diagnose.ts";
import { applyEdits, diffLines, lineEdits } from "../../src/playground/engine/diff.ts";
import { fromHash, openEdits, shareEdits, toHash } from "../../src/playground/engine/share.ts";
import { transpile, watchLoops } from "../../src/playground/engine/transpile.ts";
import { library, run } from "./tree.ts";

const lib = await library();
const torch = `import torch from "glasstorch";\n`;

test("values print as PyTorch and Node print them", async () => {
  const { output } = await run(
    lib,
    `${torch}console.log(torch.ones([2]), "and", [1, "two"], { a: null, b: torch.float32 });
console.log(new torch.nn.Linear(2, 3));
console.log("%d of %s", 2, "3", -0, 4n, new Map([[1, torch.zeros([1])]]));`,
  );
  expect(output.split("\n")).toEqual([
    'tensor([1., 1.]) and [1, "two"] { a: null, b: torch.float32 }',
    "Linear(in_features=2, out_features=3, bias=True)",
    "2 of 3 -0 4n Map(1) { 1 => tensor([0.]) }",
  ]);
});

test("a console line knows its line, and printing leaves no trace", async () => {
  const { console: lines, recorded } = await run(lib, `${torch}const x = torch.ones([2]);\n\nconsole.log(x);`);
  expect(lines[0]?.line).toBe(4);
  const ops = recorded[0]?.recording.trace.events.filter((e) => e.kind === "op" && e.how === "call").map((e) => e.op);
  expect(ops?.[0]).toBe("aten::ones");
  expect(ops).not.toContain("aten::abs");
});

test("an error is told with the program's line; what came before it is recorded", async () => {
  const { failure, recorded } = await run(lib, `${torch}const x = torch.ones([2, 3]);\nx.view(5);`);
  expect(failure[0]?.failure.name).toBe("RuntimeError");
  expect(failure[0]?.failure.message).toContain("shape '[5]' is invalid for input of size 6");
  expect(failure[0]?.failure.stack.find((p) => p.file === "playground/program.ts")?.line).toBe(3);
  expect(recorded[0]?.recording.trace.events.at(-1)?.error ?? recorded[0]?.recording.trace.events[0]).toBeDefined();
});

test("a syntax error is told at its line, before anything runs", async () => {
  await expect(run(lib, `${torch}const x = ;\n`)).rejects.toMatchObject({
    name: "SyntaxProblem",
    problem: { file: "playground/program.ts", line: 2, column: 11 },
  });
});

test("a name declared twice is told at its line, too", async () => {
  const text = `${torch}const x = 1;\n\nconst x = 2;\n`;
  const { failure } = await run(lib, text);
  expect(failure[0]?.failure).toMatchObject({
    name: "SyntaxError",
    stack: [{ file: "playground/program.ts", line: 0 }],
  });
  const found = await diagnose(failure[0]?.failure, () => text);
  expect(found.stack[0]).toMatchObject({ line: 4, column: 7 });
});

test("a program's own record calls are the recordings", async () => {
  const { recorded } = await run(
    lib,
    `${torch}import { record } from "glasstorch/trace";
const x = torch.ones([2]);
console.log(record(() => x.add(x)).keysOf("aten::add"));`,
  );
  expect(recorded.map((m) => [m.recording.name, m.recording.title])).toEqual([["recording", "record(…) in line 4"]]);
  expect(recorded[0]?.recording.trace.events.some((e) => e.op === "aten::ones")).toBe(false);
});

test("await at the top level", async () => {
  const { output, failure } = await run(
    lib,
    `${torch}await Promise.resolve();\nconsole.log(await torch.ones([1]).sum().item());`,
  );
  expect(failure).toEqual([]);
  expect(output).toBe("1");
});

test("a false claim is told with its line, and the next are still checked", async () => {
  const { claim, done } = await run(
    lib,
    `import { check } from "./support/walkthrough.ts";
check(1, 1);
check([1, 2], [1, 3], "they are the same");
check("a", "a");`,
    { path: "walkthroughs/mine.ts" },
  );
  expect(claim.map(({ line, claim: text, expected, actual }) => ({ line, text, expected, actual }))).toEqual([
    { line: 3, text: "they are the same", expected: "[1, 3]", actual: "[1, 2]" },
  ]);
  expect(done[0]?.claims).toBe(2);
});

test("values: checksums and extremes", async () => {
  const { recorded } = await run(lib, `${torch}torch.ones([2]).add(1);`, { values: true });
  expect(JSON.stringify(recorded[0]?.recording.trace)).toContain('"max":2');
});

test("loops tell their line; text that only looks like a loop stays", () => {
  const js = [
    'const s = "while (true) {"; // for (;;) {',
    "for (const x of [1]) { f(x) }",
    "while (a(/[)]/.test(b)))",
    "  c();",
    "do { x++ } while (x < 3);",
    "obj.for(1); `while (1) {`;",
  ].join("\n");
  expect(watchLoops(js).split("\n")).toEqual([
    'const s = "while (true) {"; // for (;;) {',
    "for (const x of [1]) {__at(2); f(x) }",
    "while (__at(3),a(/[)]/.test(b)))",
    "  c();",
    "do {__at(5); x++ } while (__at(5),x < 3);",
    "obj.for(1); `while (1) {`;",
  ]);
});

test("functions of a module in a circle are there before its body runs", () => {
  const { js } = transpile("a.ts", 'import { b } from "./b.ts";\nexport function a(): number { return b; }\n');
  expect(js.indexOf("exports.a = a")).toBeLessThan(js.indexOf("require('./b.ts')"));
});

test("lines stay where they are", () => {
  const text = 'import {\n  x,\n} from "./x.ts";\n/** doc */\ninterface A {\n  b: 1;\n}\nexport const y = x as\n  A;\n';
  expect(transpile("a.ts", text).js.split("\n").length).toBe(text.split("\n").length);
});

test("a diff of lines, and back", () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\ni";
  const after = "a\nB\nB2\nc\nd\ne\nf\ng\ni";
  const edits = lineEdits(before, after);
  expect(edits).toEqual([
    { at: 1, removed: ["b"], added: ["B", "B2"] },
    { at: 7, removed: ["h"], added: [] },
  ]);
  expect(applyEdits(before, edits)).toBe(after);
  expect(applyEdits("x\ny", edits)).toBeNull();
  expect(diffLines(before, after, 1).map((l) => (l === null ? "…" : `${l.kind[0]}${l.line}${l.text}`))).toEqual([
    "s1a",
    "r2b",
    "a2B",
    "a3B2",
    "s4c",
    "…",
    "s8g",
    "r8h",
    "s9i",
  ]);
});

test("an address holds the program and the edits", async () => {
  const path = "src/aten/native/cpu/Activation/index.ts";
  const pristine = (p: string) => lib.pristine.get(p);
  const text = (pristine(path) as string).replace("weight * input", "2 * weight * input");
  const hash = await toHash({
    code: "console.log(1);",
    edits: shareEdits(new Map([[path, text]]), pristine),
    switches: { grad: 1 },
  });
  expect(hash.length).toBeLessThan(400);
  const shared = await fromHash(hash);
  expect(shared?.code).toBe("console.log(1);");
  expect(openEdits(shared?.edits ?? {}, pristine).get(path)).toBe(text);
  expect(await fromHash("#step-3")).toBeNull();
  await expect(fromHash(hash.slice(0, 40))).rejects.toThrow("damaged");
});
