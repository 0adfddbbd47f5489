/**
 * @file What is known of PyTorch and of our tree when an operator is begun.
 * @original
 */
import { parse } from "yaml";
import { mirrors_of } from "#trace/symbol_index";
import { TheirLookup } from "../explain/theirs.ts";
import { nameOf } from "../pytorch/operators.ts";
import { pytorchNames, pytorchOperators, theirIndex } from "../pytorch/read.ts";
import type { Knowledge } from "./plan.ts";

export function knowledge(texts: ReadonlyMap<string, string>): Knowledge {
  const mirrors = new Map<string, string>();
  for (const [file, text] of texts) {
    const mirrored = mirrors_of(text);
    if (mirrored === null || !/^src\/aten\/native\/(?:cpu\/)?\w+\.ts$/.test(file)) continue;
    if (!mirrors.has(mirrored) || stem(file) === stem(mirrored)) mirrors.set(mirrored, file);
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
    documented: [...docs.matchAll(/^ {2}(\w+): Documented;/gm)].map(([, name]) => name),
  };
}

function stem(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}
