/** The maps stage of `npm run check`, on small made-up trees and on the real one. Missing names are also looked up in the running library. */
import "glasstorch/fx";
import "glasstorch/jit";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import torch from "../../src/fx.ts";
import { complaints_about, missing_by, placeholders, read_house } from "../../tools/maps.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** The complaints about a tree with these files. */
function complaints(files: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "glasstorch-maps-"));
  made.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return complaints_about(read_house(folder));
}

const many = (folder: string, count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/f${i}.ts`, ""]));

test.each([
  ["in backticks, by its stem", "`one`"],
  ["in backticks, whole", "`one.ts`"],
  ["by a link", "[the first](one.ts#L3)"],
  ["by a link from here", "[the first](./one.ts)"],
])("a file is named %s", (_, mention) => {
  expect(complaints({ "bench/one.ts": "", "bench/README.md": mention })).toEqual([]);
});

test("a name in running text or in a code block does not count", () => {
  const readme = "one\n\n```\n`one`\n```\n";
  expect(complaints({ "bench/one.ts": "", "bench/README.md": readme })).toEqual([
    "bench/README.md does not name one.ts",
  ]);
});

test("a link into a subfolder names it; a subfolder without sources needs no mention", () => {
  const files = { "bench/in/one.ts": "", "bench/in/README.md": "`one`", "bench/empty/note.txt": "" };
  expect(complaints({ ...files, "bench/README.md": "[x](in/one.ts)" })).toEqual([]);
  expect(complaints({ ...files, "bench/README.md": "" })).toEqual(["bench/README.md does not name in/"]);
});

test("a file that is named exists, in its folder or elsewhere", () => {
  const said = (readme: string): string[] =>
    complaints({ "bench/one.ts": "", "tools/two.ts": "", "bench/README.md": `\`one\` ${readme}` });
  expect(said("`tools/two.ts`, `generated/made.ts`")).toEqual([]);
  expect(said("`moved.ts`")).toEqual(["bench/README.md names moved.ts: there is no such file"]);
});

test("generated files need no mention", () => {
  expect(complaints({ ...many("bench/generated", 20), "bench/one.ts": "" })).toEqual([]);
});

test("a folder of more than a dozen files needs a README", () => {
  expect(complaints(many("tools/a", 12))).toEqual([]);
  expect(complaints(many("tools/a", 13))).toEqual([expect.stringContaining("tools/a: 13 source files and no README")]);
});

test("a folder of tests that mirrors another folder needs no README", () => {
  expect(complaints({ ...many("test/tools/a", 13), "tools/a/one.ts": "" })).toEqual([]);
  expect(complaints({ ...many("test/aten", 13), "src/aten/one.ts": "" })).toEqual([]);
  expect(complaints(many("test/aten", 13))).toHaveLength(1);
});

const missing = (names: string): string => `\`low\`\n\n## Not here\n\nPyTorch has ${names}.\n\n## After\n\n\`low\`\n`;

test("a missing name is neither a file nor an export", () => {
  const files = { "src/torch/low.ts": "export const high = 1;\nexport const waits: NotBuilt = not_built();\n" };
  const said = (names: string): string[] => complaints({ ...files, "src/torch/README.md": missing(names) });
  expect(said("`absent` and `waits`")).toEqual([]);
  expect(said("`low`")).toEqual(["src/torch/README.md says that `low` is not here: see src/torch/low.ts"]);
  expect(said("`high`")).toEqual(["src/torch/README.md says that `high` is not here: see src/torch/low.ts"]);
});

test("a missing name may be a path in PyTorch's tree", () => {
  const files = {
    "src/torch/csrc-equivalent/api/one.ts": "",
    "tools/pytorch-paths.tsv": "torch/csrc/lazy/one.h\t2.13\ntorch/csrc/api/one.h\t2.13\ntorch/csrc/api/two.h\t2.13\n",
  };
  const said = (path: string): string[] =>
    complaints({ ...files, "src/torch/csrc-equivalent/README.md": `\`api\`\n\n## Not here\n\n\`${path}\`\n` });
  expect(said("torch/csrc/lazy")).toEqual([]);
  expect(said("torch/csrc/api/two.h")).toEqual([]);
  expect(said("torch/csrc/api")).toEqual([expect.stringContaining("see src/torch/csrc-equivalent/api")]);
  expect(said("torch/csrc/api/one.h")).toEqual([expect.stringContaining("see src/torch/csrc-equivalent/api/one.h")]);
  expect(said("torch/csrc/lezy")).toEqual([expect.stringContaining("has no such path")]);
});

test("a missing name is not an operator", () => {
  const files = {
    "src/aten/low.ts": "",
    "src/aten/native/native_functions.yaml": "- func: lstsq.out(Tensor self) -> Tensor\n",
  };
  expect(complaints({ ...files, "src/aten/README.md": `\`native\` ${missing("`lstsq`")}` })).toEqual([
    "src/aten/README.md says that `lstsq` is not here: it is an operator of native_functions.yaml",
  ]);
});

test("the front page names every layer", () => {
  const files = { "src/c10/one.ts": "", "src/caffe2/one.ts": "" };
  expect(complaints({ ...files, "README.md": "`src/c10` and `src/caffe2/serialize`" })).toEqual([]);
  expect(complaints({ ...files, "README.md": "`src/c10`" })).toEqual(["README.md does not name src/caffe2 in its map"]);
});

test("missing names have one form", () => {
  expect(complaints({ "bench/one.ts": "", "bench/README.md": "`one`\n\n**Not here, and in PyTorch:** x" })).toEqual([
    expect.stringContaining('below the heading "## Not here"'),
  ]);
});

test("in a mirrored folder a name is PyTorch's, or is marked as ours", () => {
  const said = (readme: string, text = "", name = "ours"): string[] =>
    complaints({
      [`src/c10/core/${name}.ts`]: text,
      "src/c10/core/README.md": readme,
      "tools/pytorch-paths.tsv": "c10/core/Scalar.h\t2.13\n",
    });
  expect(said("`Scalar`", "", "Scalar")).toEqual([]);
  expect(said("`ours`")).toEqual([expect.stringContaining("PyTorch has no ours.ts in c10/core")]);
  expect(said("*`ours`*")).toEqual([]);
  expect(said("*[`ours`](ours.ts)*")).toEqual([]);
  expect(said("`ours`", "/** @file x\n * @original */")).toEqual([]);
});

const house = read_house(root);

test("the READMEs of this repository are correct", () => {
  expect(complaints_about(house)).toEqual([]);
});

test("PyTorch has every name that a README of src calls missing", () => {
  const known =
    gunzipSync(readFileSync(join(root, "tools/pytorch/names.json.gz"))).toString() +
    readFileSync(join(root, "tools/pytorch-paths.tsv"), "utf8");
  const words = new Set(known.match(/\w+/g));
  const unknown: string[] = [];
  // Only names and paths: `mmap=True` is an argument.
  for (const [path, { readme }] of house.folders)
    for (const name of path.startsWith("src") && readme !== undefined ? missing_by(readme) : [])
      if (/^[\w./]+$/.test(name) && !words.has(name.replace(/^.*[./]/, ""))) unknown.push(`${path}: ${name}`);
  expect(unknown).toEqual([]);
});

/** The value at `path` below `from`, or undefined. */
function at(from: unknown, path: readonly string[]): unknown {
  let value: unknown = from;
  for (const name of path) {
    if (value === null || (typeof value !== "object" && typeof value !== "function") || !(name in value))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

test("no name that a README calls missing is found in the running library", () => {
  const waiting = placeholders(house);
  const spaces = [
    [],
    ["Tensor"],
    ["linalg"],
    ["special"],
    ["fft"],
    ["nn"],
    ["nn", "functional"],
    ["nn", "utils"],
    ["utils"],
  ];
  const found: string[] = [];
  let asked = 0;
  for (const [path, { readme }] of house.folders)
    if (path.startsWith("src") && readme !== undefined)
      for (const name of missing_by(readme)) {
        const parts = name.replace(/^torch\./, "").split(".");
        const own = /^src\/torch\/(?!csrc)(.+)$/.exec(path)?.[1].split("/") ?? [];
        asked++;
        if (waiting.has(parts[parts.length - 1])) continue;
        for (const space of [...spaces, own])
          if (at(torch, [...space, ...parts]) !== undefined)
            found.push(`${path}/README.md: torch.${[...space, ...parts].join(".")}`);
      }
  expect(found).toEqual([]);
  expect(asked).toBeGreaterThan(20);
});
