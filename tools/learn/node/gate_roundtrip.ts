/**
 * @file Exercise 22: an operator's result is written to a file, and PyTorch must read it as the same value.
 * @original
 */
import torch from "glasstorch";
import { describe_value } from "../../oracle/describe_value.ts";
import type { ReadFiles } from "../checks/host.ts";
import type { Answer } from "./gate.ts";
import type { Call, Samples } from "./gate_samples.ts";

interface Written {
  readonly file: Uint8Array;
  readonly value: string;
}

/** A description without -0 (JSON has none) and with fields in fixed order. */
const told = (described: unknown): string => JSON.stringify(described);

/** The result of a call; null if it has none, which another check reports. */
function resultOf({ fn, args, kwargs }: Call): { readonly value: unknown } | null {
  const named = kwargs();
  try {
    return { value: Object.keys(named).length === 0 ? fn(...args()) : fn(...args(), named) };
  } catch {
    return null;
  }
}

/** @param read describes files as PyTorch reads them */
export function roundtrip(samples: Samples, read: (files: readonly Uint8Array[]) => ReadFiles | string): Answer {
  const answer = {
    id: "22.roundtrip",
    says: "results are written to files, and read again",
    ours: "src/torch/serialization/index.ts",
    pytorch: "torch/serialization.py",
  };
  const results = samples.calls.map(resultOf).filter((result) => result !== null);
  const wrong: string[] = [];
  const written: Written[] = [];
  for (const [i, { value }] of results.entries()) {
    try {
      const file = torch.save(value);
      const expected = told(describe_value(value));
      const found = told(describe_value(torch.load(file)));
      if (found === expected) written.push({ file, value: expected });
      else wrong.push(`result ${i}: read again it is ${found}; written was ${expected}`);
    } catch (error) {
      wrong.push(`result ${i}: ${String((error as Error).message ?? error)}`);
    }
  }
  const n = `${results.length === 0 ? "no" : results.length} result${results.length === 1 ? "" : "s"}`;
  if (results.length === 0) return { ...answer, wrong: ["no call came to a result"] };
  if (wrong.length > 0) return { ...answer, ran: n, wrong };
  const theirs = read(written.map(({ file }) => file));
  if (typeof theirs === "string")
    return { ...answer, wrong, lacks: `not checked against PyTorch: ${theirs}; PYTHON=... names another` };
  for (const [i, found] of theirs.entries()) {
    if ("error" in found) wrong.push(`result ${i}: PyTorch refuses the file: ${found.error}`);
    else if (told(found.value) !== written[i].value)
      wrong.push(`result ${i}: PyTorch reads ${told(found.value)}; written was ${written[i].value}`);
  }
  return { ...answer, ran: `${n}, read by PyTorch`, wrong };
}
