/**
 * @file Reads what is recorded of PyTorch from disk.
 * @original
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
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

export function pytorchOperators(): OperatorsFile {
  return (operators ??= read("operators.json.gz") as OperatorsFile);
}
