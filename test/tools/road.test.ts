/** The road: which functions of a small library run, in which order, and how many lines they are. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { functions_of } from "../../tools/road/functions.ts";
import { measured, measured_file, totals, united } from "../../tools/road/measure.ts";
import { road_page } from "../../tools/road/page.ts";
import { type Program, type Recording, record } from "../../tools/road/record.ts";
import { with_counts } from "../../tools/road/routes.ts";

/** Two files that a person wrote and one that was generated. */
const SOURCES = {
  "src/box.ts": `import { area_of } from "./aten/generated/area.ts";
import { table } from "./table.ts";

/** A box. */
export class Box {
  private readonly side: number;

  constructor(side: number) {
    this.side = side;
  }

  // A comment is no line of code.
  get area(): number {

    return area_of(this.side); /* not this one, either */
  }

  doubled(): Box {
    const double = (x: number): number => 2 * x;
    const never = (x: number): number => {
      const y = x + 1;
      return y;
    };
    return this.side < 0 ? new Box(never(1)) : new Box(table(double(this.side)));
  }

  static unused(): void {}
}
`,
  "src/table.ts": `let known: number[] | null = null;

function make(): number[] {
  return [0, 1, 2, 3, 4].map((x) => x);
}

export function table(i: number): number {
  known ??= make();
  return known[i];
}
`,
  "src/aten/generated/area.ts": `export const area_of = (side: number): number => side * side;
`,
};

const program = (once: string, step: string): Program => ({ once, ready: "", step });
const imports = 'import { Box } from "./src/box.ts";';
const DOUBLED = program("const box = new Box(2)", "box.doubled().area");
const AREA = program("const box = new Box(2)", "box.area");

let root: string;
let recording: Recording;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "glasstorch-road-test-"));
  for (const [path, text] of Object.entries(SOURCES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  recording = await record(root, "src/", imports, [DOUBLED, AREA]);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test("functions and files stand in the order of their first calls; what is made once is left out", () => {
  const { files, generated } = measured(recording, recording.roads[0]);
  expect(files.map(({ file, functions }) => [file, functions])).toEqual([
    ["src/box.ts", ["Box.doubled", "Box.doubled.double", "Box.constructor", "Box.area"]],
    ["src/table.ts", ["table"]],
  ]);
  expect(generated.map(({ file, functions }) => [file, functions])).toEqual([
    ["src/aten/generated/area.ts", ["area_of"]],
  ]);
});

test("lines are those of code, without inner functions that did not run", () => {
  const { files, generated } = measured(recording, recording.roads[0]);
  // constructor 3, area 3, doubled 8 less the 2 inner lines of `never`.
  expect(files.map(({ lines_run, lines }) => [lines_run, lines])).toEqual([
    [12, 20],
    [4, 8],
  ]);
  expect(totals(files)).toEqual({ files: 2, functions: 5, lines: 16, of: 28 });
  expect(totals(generated)).toEqual({ files: 1, functions: 1, lines: 1, of: 1 });
});

test("each program has its own road; together each function counts once", () => {
  const [, area] = recording.roads;
  expect(measured(recording, area).files.flatMap(({ functions }) => functions)).toEqual(["Box.area"]);
  expect(totals(measured(recording, united(recording.roads)).files).functions).toBe(5);
});

test("the page is the same each time", async () => {
  const titled = [DOUBLED, AREA].map((each, k) => ({ ...each, id: `${k}`, title: `Program ${k}` }));
  const page = road_page(recording, titled);
  expect(page).toContain(
    "| [box.ts](box.ts) | 12 of 20 | `Box.doubled`, `Box.doubled.double`, `Box.constructor`, `.area` |",
  );
  expect(page).toContain("Generated code runs besides: 1 function in 1 file of [aten/generated](aten/generated).");
  expect(road_page(await record(root, "src/", imports, [DOUBLED, AREA]), titled)).toBe(page);
});

test("a step whose warm runs differ is refused", async () => {
  const growing = program("let n = 0", "if (n++ > 1) new Box(n)");
  await expect(record(root, "src/", imports, [growing])).rejects.toThrow(
    "two runs of `if (n++ > 1) new Box(n)` differ: src/box.ts#Box.constructor",
  );
});

test("a text's counts are filled in, and its words are kept", () => {
  const text = [
    "Before (0 lines). <!-- road: step -->old<!-- /road -->",
    "<!-- road: week -->",
    "**0 files**",
    "- **All** (0 files, 0 lines): [`box`](src/box.ts) 0 · [`table`](src/table.ts) 0",
    "1. [`box`](src/box.ts) (0 lines, 0 run): a box. [Not counted](src/box.ts).",
    "<!-- /road -->",
  ].join("\n");
  const filled = with_counts(text, recording, () => "");
  expect(filled.split("\n")).toEqual([
    "Before (0 lines). <!-- road: step -->One warm PReLU step, forward and backward, runs **5 functions in 2 files: 16 lines of code**, 57.1 % of the hand-written library.<!-- /road -->",
    "<!-- road: week -->",
    "**2 files, 28 lines of code**, about 38 lines with their comments.",
    "- **All** (2 files, 28 lines): [`box`](src/box.ts) 20 · [`table`](src/table.ts) 8",
    "1. [`box`](src/box.ts) (20 lines, 12 run): a box. [Not counted](src/box.ts).",
    "<!-- /road -->",
  ]);
  expect(with_counts(filled, recording, () => "")).toBe(filled);
});

const names = (text: string): string[] => functions_of(text).places.map(({ name }) => name);

test("a function without a name has the name of what it stands in", () => {
  expect(names("[1].map((x) => x);")).toEqual(["(unnamed)"]);
  expect(names("function f() { return [1].map((x) => x); }")).toEqual(["f", "f"]);
  expect(names("function f() { const rows = [1].map((x) => x); return () => rows; }")).toEqual(["f", "f", "f"]);
  expect(names("function f() { const g = () => 1; function h() {} }")).toEqual(["f", "f.g", "f.h"]);
  expect(names("const f = memo((x) => x), g = function h() {};")).toEqual(["f", "g"]);
});

test("members are named with their class or object", () => {
  expect(names("const ops = { add: { call(x) {} }, sub: (x) => x } as const;")).toEqual(["ops.add.call", "ops.sub"]);
  expect(names("const C = class { m() {} }; export class D { #p() {} f = () => 1; [Symbol.iterator]() {} }")).toEqual([
    "C.m",
    "D.#p",
    "D.f",
    "D[Symbol.iterator]",
  ]);
  expect(names("class A { m(x: number): void; m(x: string): void; m(x: unknown) {} }")).toEqual(["A.m"]);
});

test("the copy that records does what the source does", () => {
  const text = `
    class A { constructor(x) { this.x = x; } }
    class B extends A { constructor() { super(1); } get y() { return () => () => ({ x: this.x }); } }
    const add = (x) => (y) => x + y, pair = (x = add(1)(1)) => (0, [x, x]);
    function* all() { yield* pair(); }
    return [new B().y()(), add(1)(2), ...all()];`;
  const { told, places } = functions_of(`function program() {${text}}`);
  const entered: string[] = [];
  const run = new Function("__road", `${told}; return program();`);
  expect(run((id: number) => entered.push(places[id].name))).toEqual(new Function(text)());
  expect(entered.slice(0, 4)).toEqual(["program", "program.B.constructor", "program.A.constructor", "program.B.y"]);
});

test("an inner function that ran counts though the outer one did not", () => {
  const source = functions_of("function make() {\n  return () => {\n    return 1;\n  };\n}\n");
  const { functions, lines_run, lines } = measured_file("src/a.ts", source, [1]);
  expect([functions, lines_run, lines]).toEqual([["make"], 3, 5]);
});
