/** The table of `torch.cuda.memory_summary`, for the same counts. Recorded by tools/oracle/record_memory_summary.py. */
import { expect, test } from "vitest";
import { memory_summary_of } from "#torch/webgpu/memory_summary";
import { readFixture } from "../../helpers/recorded.ts";

type Row = [stats: Record<string, number>, abbreviated: boolean, text: string];
const { rows } = readFixture<{ rows: Row[] }>(new URL("../../fixtures/webgpu/memory_summary.json.gz", import.meta.url));

test("every row of CUDA's", () => {
  expect(rows.length).toBe(40);
  for (const [stats, abbreviated, text] of rows)
    expect(memory_summary_of(stats, 0, abbreviated, "CUDA", "cudaMalloc")).toBe(text);
});

test("a longer name takes the blanks before it", () => {
  const [stats, abbreviated] = rows[0];
  const lines = memory_summary_of(stats, 0, abbreviated, "WebGPU", "createBuffer").trimEnd().split("\n");
  expect(new Set(lines.map((line) => line.length))).toEqual(new Set([77]));
});
