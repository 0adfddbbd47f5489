/**
 * @file Headers of safetensors: the same are read and refused as by safetensors 0.8.0, in its words. Recorded by
 * tools/oracle/record_safetensors.py.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { repr } from "#torch/csrc-equivalent/utils/python_repr";
import torch, { type Tensor } from "../../../src/index.ts";
import { load, load_file } from "../../../src/torch/safetensors.ts";
import { readFixture } from "../../helpers/recorded.ts";

type Answer = Record<string, [dtype: string, shape: number[], values: string]> | [error: string, message: string];

const recorded = readFixture<{ safetensors: string; cases: [string, string, Answer, Answer | "same"][] }>(
  new URL("../../fixtures/files/safetensors.json.gz", import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), "glasstorch-safetensors-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Python's text of the values: `tolist` here has whole floats as ints. */
function text(t: Tensor): string {
  const values: unknown = t.tolist();
  const float = (value: unknown): string =>
    Array.isArray(value) ? `[${value.map(float).join(", ")}]` : repr(new torch.Float(value as number));
  return t.is_floating_point() ? float(values) : repr(values);
}

function answer(run: () => Record<string, Tensor>): Answer {
  try {
    const tensors = Object.entries(run()).sort(([a], [b]) => (a < b ? -1 : 1));
    const rows = tensors.map(([name, t]) => [name, [String(t.dtype), [...t.shape], text(t)]] as const);
    return Object.fromEntries(rows) as Answer;
  } catch (error) {
    return [(error as Error).name, (error as Error).message];
  }
}

test("the recording is of safetensors 0.8.0", () => expect(recorded.safetensors).toBe("0.8.0"));
test.each(recorded.cases)("%s", (_name, file, from_bytes, from_file) => {
  const bytes = new Uint8Array(Buffer.from(file, "base64"));
  expect(answer(() => load(bytes))).toEqual(from_bytes);
  const path = join(folder, "x.safetensors");
  writeFileSync(path, bytes);
  expect(answer(() => load_file(path))).toEqual(from_file === "same" ? from_bytes : from_file);
});
