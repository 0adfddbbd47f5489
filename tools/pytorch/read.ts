/**
 * @file Reads the recorded data about PyTorch from disk.
 * @original
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { TheirIndex } from "../explain/theirs.ts";
import { type NamesFile, PyTorchNames } from "./names.ts";
import type { OperatorsFile } from "./operators.ts";

function read(file: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(new URL(file, import.meta.url))).toString());
}

let names: PyTorchNames | null = null;
let operators: OperatorsFile | null = null;

export function pytorchNames(): PyTorchNames {
  return (names ??= new PyTorchNames(read("names.json.gz") as NamesFile));
}

/** All data, in the form for the page /lookup. */
export function theirIndex(): TheirIndex {
  const known = readFileSync(new URL("../pytorch-paths.tsv", import.meta.url), "utf8").split("\n");
  const paths = known.filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split("\t")[0]);
  return { names: pytorchNames().file, operators: pytorchOperators(), paths: paths.join("\n") };
}

export function pytorchOperators(): OperatorsFile {
  return (operators ??= read("operators.json.gz") as OperatorsFile);
}

/** The operators in each composite, separated by spaces. */
export function pytorchComposites(): Readonly<Record<string, string>> {
  return (read("composites.json.gz") as { composites: Record<string, string> }).composites;
}
