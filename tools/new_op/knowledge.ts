/**
 * @file The facts about PyTorch and our tree that are needed to begin an operator.
 * @original
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { mirrors_of } from "#trace/symbol_index";
import { MANUAL } from "../codegen/autograd/formula_scope.ts";
import { ROOT } from "../codegen/file_system.ts";
import { TheirLookup } from "../explain/theirs.ts";
import { type OpenOperator, openOperators } from "../pytorch/open_operators.ts";
import { nameOf } from "../pytorch/operators.ts";
import { pytorchComposites, pytorchNames, pytorchOperators, theirIndex } from "../pytorch/read.ts";
import type { Knowledge } from "./plan.ts";

export function knowledge(texts: ReadonlyMap<string, string>): Knowledge {
  const mirrors = new Map<string, string>();
  for (const [file, text] of texts) {
    const mirrored = mirrors_of(text);
    if (mirrored === null || !/^src\/aten\/native\/(?:cpu\/)?(?:\w+\/)?\w+\.ts$/.test(file)) continue;
    if (!mirrors.has(mirrored) || stem(file) === stem(mirrored) || file.endsWith(`/${stem(mirrored)}/index.ts`))
      mirrors.set(mirrored, file);
  }
  const yaml = parse(texts.get("src/aten/native/native_functions.yaml") as string) as {
    func: string;
    autogen?: string;
  }[];
  const docs = texts.get("src/torch/_torch_docs.ts") as string;
  return {
    operators: pytorchOperators(),
    names: pytorchNames(),
    lookup: new TheirLookup(theirIndex(), {}, Object.fromEntries([...mirrors].map(([theirs, ours]) => [ours, theirs]))),
    mirrors,
    ours: new Set(yaml.map(nameOf)),
    textOf: (file) => texts.get(file),
    placesOf,
    documented: [...docs.matchAll(/^ {2}(\w+): Documented;/gm)].map(([, name]) => name),
  };
}

/** Operators that are not built here yet, without those reserved for learners. */
export function openOperatorsOf(texts: ReadonlyMap<string, string>): OpenOperator[] {
  const known = knowledge(texts);
  const manual = MANUAL.map((file) => texts.get(file) as string).join("\n");
  const helpers = new Set([...manual.matchAll(/^export function (\w+)/gm)].map(([, name]) => name));
  return openOperators({ ...known, composites: pytorchComposites(), helpers, reserved: reservedOperators() });
}

export function reservedOperators(): readonly string[] {
  return parse(readFileSync(join(ROOT, "exercises/reserved.yaml"), "utf8")) as string[];
}

/** Hand-written files of src, with their texts; read when the first place is asked for. */
let written: ReadonlyMap<string, string> | null = null;

function placesOf(name: RegExp): string[] {
  written ??= new Map(
    readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
      .map((file) => `src/${file.replaceAll("\\", "/")}`)
      .filter((file) => file.endsWith(".ts") && !file.includes("/generated/"))
      .sort()
      .map((file) => [file, readFileSync(join(ROOT, file), "utf8")]),
  );
  return [...written].filter(([, text]) => name.test(text)).map(([file]) => file);
}

function stem(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}
