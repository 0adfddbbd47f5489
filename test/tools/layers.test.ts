/** The layers stage of `npm run check` sees every form in which one file can import another. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { complaints_about } from "../../tools/layers.ts";

const low = "src/c10/core/Low.ts";
const engine = "src/torch/csrc-equivalent/autograd/engine/index.ts";
const high = "src/torch/high.ts";

/** A house in which all is well, and what is planted in it. */
const house = (planted: Readonly<Record<string, string>> = {}): Map<string, string> =>
  new Map(
    Object.entries({
      [low]: "export type Low = number;\nexport const low: Low = 1;\n",
      "src/aten/Middle.ts": 'import { type Low, low } from "#c10/core/Low";\nexport const middle: Low = low;\n',
      [engine]:
        'import { middle } from "#aten/Middle";\nexport type Engine = typeof middle;\nexport const engine = middle;\n',
      "src/torch/_C.ts": 'export * from "./csrc-equivalent/autograd/engine/index.ts";\n',
      [high]: 'import { engine } from "./_C.ts";\nexport type High = number;\nexport const high = engine;\n',
      "src/index.ts": 'export { high } from "./torch/high.ts";\n',
      ...planted,
    }),
  );

test("imports that go down are in order", () => {
  expect(complaints_about(house())).toEqual([]);
});

const forms: readonly (readonly [form: string, planted: string, said: string])[] = [
  ["a relative value import", 'import { high } from "../../torch/high.ts";\nexport const x = high;\n', "upward import"],
  ["a # value import", 'import { high } from "#torch/high";\nexport const x = high;\n', "upward import"],
  [
    "a relative type",
    'import type { High } from "../../torch/high.ts";\nexport type X = High;\n',
    "upward type import",
  ],
  ["a # type", 'import type { High } from "#torch/high";\nexport type X = High;\n', "upward type import"],
  ["an inline type", 'export type X = import("#torch/high").High;\n', "upward type import"],
  ["a re-export", 'export { high } from "#torch/high";\n', "upward import"],
  ["an import for effect", 'import "#torch/high";\n', "upward import"],
  ["a dynamic import", 'export const x = () => import("#torch/high");\n', "upward import"],
];

test.each(forms)("%s of a higher layer is told with both files", (_, planted, said) => {
  const made = complaints_about(house({ "src/c10/core/Planted.ts": planted }));
  expect(made).toEqual([
    expect.stringContaining(`${said}: src/c10/core/Planted.ts -> ${high} (below c10 stands only Python`),
  ]);
});

test.each([
  ["a value", 'import { engine } from "#torch/csrc-equivalent/autograd/engine/index";\nexport const x = engine;\n'],
  ["a type", 'import type { Engine } from "#torch/csrc-equivalent/autograd/engine/index";\nexport type X = Engine;\n'],
])("the front end has one door to csrc, for %s, too", (_, planted) => {
  expect(complaints_about(house({ "src/torch/planted.ts": planted }))).toEqual([
    expect.stringContaining(
      `src/torch/planted.ts -> ${engine} (the front end reaches the engine through src/torch/_C.ts`,
    ),
  ]);
});

test("a circle of values through # and ./ is told; one that a type closes is none", () => {
  const [a, b] = ["src/aten/A.ts", "src/aten/core/B.ts"];
  const to_b = 'import { y } from "./core/B.ts";\nexport const x = () => y;\n';
  const circle = complaints_about(
    house({ [a]: to_b, [b]: 'import { x } from "#aten/A";\nexport const y = () => x;\n' }),
  );
  expect(circle).toEqual([expect.stringContaining(`circle: ${a} -> ${b} -> ${a} (`)]);
  const typed = 'import type { x } from "#aten/A";\nexport const y: typeof x | null = null;\n';
  expect(complaints_about(house({ [a]: to_b, [b]: typed }))).toEqual([]);
});

test("a circle that types close may have 30 files that a person wrote", () => {
  const ring = (count: number, generated = 0): Record<string, string> => {
    const paths = Array.from({ length: count }, (_, i) => `src/aten/${i < generated ? "generated/" : ""}Ring${i}.ts`);
    return Object.fromEntries(
      paths.map((path, i) => {
        const next = (paths[(i + 1) % count] as string).slice("src/".length, -".ts".length);
        return [path, `import type { R } from "#${next}";\nexport type R${i} = R;\n`];
      }),
    );
  };
  expect(complaints_about(house(ring(30)))).toEqual([]);
  expect(complaints_about(house(ring(34, 4)))).toEqual([]);
  expect(complaints_about(house(ring(31)))).toEqual([
    expect.stringContaining("a circle of types has 31 files, 30 at most"),
  ]);
});

test("an import that leads nowhere is told", () => {
  expect(complaints_about(house({ "src/aten/A.ts": 'import "#c10/core/Lost";\n' }))).toEqual([
    "src/aten/A.ts -> src/c10/core/Lost.ts: there is no such file",
  ]);
});

test("as a stage it fails on a wrong import, and on a house that is empty", () => {
  const root = mkdtempSync(join(tmpdir(), "glasstorch-layers-"));
  const repository = fileURLToPath(new URL("../../", import.meta.url));
  const stage = () =>
    spawnSync(process.execPath, ["--import", "tsx", "tools/layers.ts", root], { cwd: repository, encoding: "utf8" });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  try {
    for (const [path, text] of house()) write(path, text);
    expect(stage()).toMatchObject({ status: 1, stdout: "only 6 files were inspected\n" });
    for (let i = 0; i < 150; i++) write(`src/c10/util/${i}.ts`, "export {};\n");
    expect(stage()).toMatchObject({ status: 0, stdout: "156 files\n" });
    write("src/c10/core/Planted.ts", forms[3][1]);
    const { status, stdout } = stage();
    expect([status, stdout]).toEqual([1, expect.stringContaining(`src/c10/core/Planted.ts -> ${high}`)]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
