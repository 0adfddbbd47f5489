/** The library as programs of the repository load it: the same modules, from a cache that is never stale. */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { Library } from "../../tools/module_loader/library.ts";
import { NAMES_A_SOURCE } from "../../tools/module_loader/single_sources.ts";
import { SyntaxProblem } from "../../tools/module_loader/transpile.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "glasstorch-modules-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe("modules of a small tree", () => {
  const SOURCES: Readonly<Record<string, string>> = {
    "src/index.ts": 'import "./torch/first.ts";\nimport { twice } from "#c10/low";\nexport default { twice };\n',
    "src/torch/first.ts": 'import { log } from "#c10/low";\nlog("first");\n',
    "src/c10/low.ts": [
      "export const seen: string[] = [];",
      "export let count: number = 0;",
      "export function log(name: string): void { count++; seen.push(name); }",
      "export const twice = (x: number): number => 2 * x;",
      'export function fails(): never { throw new Error("here"); }',
      'log("low");',
    ].join("\n"),
    "src/live.ts":
      'import { count, log } from "#c10/low";\nexport const grows = () => { const before = count; log("x"); return count - before; };\n',
    "src/data.json": '{ "seven": 7 }',
    "src/reads.ts": 'import data from "./data.json" with { type: "json" };\nexport const seven = data.seven;\n',
    "src/uses.ts": 'import { strToU8 } from "fflate";\nexport const bytes = strToU8("A");\n',
    "src/where.ts": "export const url = import.meta.url;\n",
    "src/trace/sources.ts": "export function symbolFile() { return {}; }\nexport function readSourcesFrom() {}\n",
  };
  let tree = "";
  beforeEach(() => {
    tree = mkdtempSync(join(scratch, "tree-"));
    for (const [path, text] of Object.entries(SOURCES)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    mkdirSync(join(tree, "node_modules"));
    symlinkSync(join(root, "node_modules/fflate"), join(tree, "node_modules/fflate"), "junction");
  });
  const library = (): Library => new Library(pathToFileURL(`${tree}/`));
  const caches = (): string[] => readdirSync(join(tree, "node_modules/.cache/glasstorch"));

  test("each runs once, in the order of the imports, and bindings are live", () => {
    const made = library();
    expect((made.require("src/index.ts")["default"] as { twice: (x: number) => number }).twice(4)).toBe(8);
    expect(made.require("src/c10/low.ts")["seen"]).toEqual(["low", "first"]);
    expect((made.require("src/live.ts")["grows"] as () => number)()).toBe(1);
  });

  test("JSON, packages and import.meta.url", () => {
    const made = library();
    expect(made.require("src/reads.ts")["seven"]).toBe(7);
    expect(made.require("src/uses.ts")["bytes"]).toEqual(new Uint8Array([65]));
    expect(made.require("src/where.ts")["url"]).toBe(pathToFileURL(join(tree, "src/where.ts")).href);
  });

  test("an error's stack names the source and its line, from the cache, too", () => {
    for (let turn = 0; turn < 2; turn++) {
      const made = library();
      expect(made.require("src/c10/low.ts")["fails"]).toThrow(
        expect.objectContaining({ stack: expect.stringMatching(/at fails \(file:\/\/.*\/src\/c10\/low\.ts:5:\d+\)/) }),
      );
      expect(made.write_cache()).toBe(turn === 0);
    }
  });

  test("what is in the cache is not written again; another program adds what it loads", () => {
    const first = library();
    first.require("src/index.ts");
    expect(first.write_cache()).toBe(true);
    const second = library();
    second.require("src/index.ts");
    expect(second.write_cache()).toBe(false);
    const third = library();
    third.require("src/reads.ts");
    expect(third.write_cache()).toBe(true);
    const all = library();
    all.require("src/index.ts");
    expect(all.require("src/reads.ts")["seven"]).toBe(7);
    expect(all.write_cache()).toBe(false);
    expect(caches()).toHaveLength(1);
  });

  test("an edit of any source is seen, and four states are kept", () => {
    for (let edit = 0; edit < 6; edit++) {
      writeFileSync(join(tree, "src/c10/low.ts"), `${SOURCES["src/c10/low.ts"]}\nexport const edit = ${edit};\n`);
      const made = library();
      expect(made.require("src/c10/low.ts")["edit"]).toBe(edit);
      made.write_cache();
    }
    expect(caches()).toHaveLength(4);
  });

  test("an edit of a file that no import names is another state, too: the symbol index reads all", () => {
    library().write_cache();
    const before = library();
    before.require("src/index.ts");
    before.write_cache();
    appendFileSync(join(tree, "src/live.ts"), "// more\n");
    const after = library();
    after.require("src/index.ts");
    expect(after.write_cache()).toBe(true);
  });

  test("half a file counts as none", () => {
    const first = library();
    first.require("src/index.ts");
    first.write_cache();
    const file = join(tree, "node_modules/.cache/glasstorch", caches()[0] as string);
    for (const length of [0, 10, 24, readFileSync(file).length - 1]) {
      truncateSync(file, length);
      const made = library();
      expect(made.require("src/index.ts")["default"]).toBeDefined();
      expect(made.write_cache()).toBe(true);
    }
  });

  test("files laid over the tree's take their place, the uppermost first, and do not enter the cache", () => {
    const plain = library();
    plain.require("src/index.ts");
    plain.write_cache();
    const folders = [join(tree, "upper"), join(tree, "lower"), join(tree, "none")];
    const lay = (folder: string, path: string, text: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    lay(
      folders[0],
      "src/torch/new.ts",
      "export const fresh = 1;\nexport function fails(): never { throw new Error(); }\n",
    );
    lay(
      folders[0],
      "src/c10/low.ts",
      'export { fresh, fails } from "#torch/new";\nexport const twice = (x: number) => 3 * x;\nexport const log = () => {};\n',
    );
    lay(folders[1], "src/c10/low.ts", "export const log = () => {};\n");
    const made = library();
    made.lay_over(folders);
    expect((made.require("src/index.ts")["default"] as { twice: (x: number) => number }).twice(4)).toBe(12);
    expect(made.require("src/c10/low.ts")["fresh"]).toBe(1);
    const address = pathToFileURL(join(folders[0], "src/torch/new.ts")).href;
    expect(made.require("src/c10/low.ts")["fails"]).toThrow(
      expect.objectContaining({ stack: expect.stringContaining(`at fails (${address}:2:`) }),
    );
    expect(made.path_of(address)).toBe("src/torch/new.ts");
    expect(made.path_of(pathToFileURL(join(tree, "src/live.ts")).href)).toBe("src/live.ts");
    expect(made.path_of(pathToFileURL(join(tree, "program.ts")).href)).toBeNull();
    expect(made.write_cache()).toBe(false);
  });

  test("a place that cannot be written to is no error", () => {
    writeFileSync(join(tree, "node_modules/.cache"), "a file where the folder should be");
    const made = library();
    made.require("src/index.ts");
    expect(made.write_cache()).toBe(false);
  });

  test("a source that cannot be read is told with its place; a missing one by its name", () => {
    writeFileSync(join(tree, "src/live.ts"), "export const x = ;\n");
    expect(() => library().require("src/live.ts")).toThrow(SyntaxProblem);
    expect(() => library().require("src/live.ts")).toThrow(/src\/live\.ts:1:18/);
    expect(() => library().require("src/none.ts")).toThrow("Cannot find module 'src/none.ts'");
  });
});

describe("the library", () => {
  test("the entries export what the sources export", async () => {
    // The device's source is only read: importing it would register the device for all other tests of this worker.
    const of_device = readFileSync(join(root, "src/webgpu.ts"), "utf8");
    expect(of_device.match(/^export .*$/gm)).toEqual(["export { webgpu };", "export default torch;"]);
    const names = {
      index: Object.keys(await import(pathToFileURL(join(root, "src/index.ts")).href)),
      trace: Object.keys(await import(pathToFileURL(join(root, "src/trace/index.ts")).href)),
      webgpu: ["default", "webgpu"],
    };
    for (const [entry, exported] of Object.entries(names)) {
      const text = readFileSync(join(root, `tools/module_loader/${entry}.ts`), "utf8");
      for (const name of exported) expect(text, `${entry}: ${name}`).toMatch(new RegExp(`\\b${name}\\b`));
    }
  });

  test("what programs share imports no single source", () => {
    for (const folder of ["walkthroughs/support", "gallery/support"])
      for (const file of readdirSync(join(root, folder), { encoding: "utf8", recursive: true }))
        if (file.endsWith(".ts") && file !== "device.ts")
          // only walkthroughs/webgpu.ts has it, which names sources itself
          expect(readFileSync(join(root, folder, file), "utf8"), `${folder}/${file}`).not.toMatch(NAMES_A_SOURCE);
    expect(readFileSync(join(root, "walkthroughs/webgpu.ts"), "utf8")).toMatch(NAMES_A_SOURCE);
  });

  test("a walkthrough says the same from the sources, from a new cache and from a known one", () => {
    const copy = mkdtempSync(join(scratch, "copy-"));
    for (const folder of ["src", "walkthroughs", "tools/module_loader", "tools/codegen/module_path.ts"])
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
    for (const file of ["package.json", "tsconfig.json"]) cpSync(join(root, file), join(copy, file));
    mkdirSync(join(copy, "node_modules"));
    for (const name of readdirSync(join(root, "node_modules")))
      if (name !== ".cache")
        symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name), "junction");
    const cache = join(copy, "node_modules/.cache/glasstorch");
    const said = (program: string, ...args: string[]): string => {
      const { stdout, stderr, status } = spawnSync(process.execPath, ["--import", "tsx", ...args, program, "--plain"], {
        cwd: copy,
        encoding: "utf8",
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      return stdout.replace(/[\d.]+ (?:µs|ms|s)\b/g, "some time").replaceAll("prelu_from_sources", "prelu");
    };
    const text = readFileSync(join(copy, "walkthroughs/prelu.ts"), "utf8");
    writeFileSync(
      join(copy, "walkthroughs/prelu_from_sources.ts"),
      `import { _C } from "#torch/_C";\nvoid _C;\n${text}`,
    );
    const from_sources = said("walkthroughs/prelu_from_sources.ts");
    expect(existsSync(cache)).toBe(false);
    const fresh = said("walkthroughs/prelu.ts");
    const made = readdirSync(cache);
    expect(made).toHaveLength(1);
    const written = readFileSync(join(cache, made[0] as string));
    expect(said("walkthroughs/prelu.ts")).toBe(fresh);
    expect(readFileSync(join(cache, made[0] as string)).equals(written)).toBe(true); // nothing was compiled again
    expect(fresh).toContain("37 claims hold");
    expect(fresh).toBe(from_sources);
    expect(said("walkthroughs/prelu_from_sources.ts", "--import", "./tools/module_loader/register.ts")).toBe(fresh);
  });
});
