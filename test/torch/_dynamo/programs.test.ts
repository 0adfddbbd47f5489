/** Random Python programs: compiled they return, print and change the same as without a compiler. */
import "glasstorch/compile";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const file = fileURLToPath(new URL("../../../tools/oracle/dynamo_programs.py", import.meta.url));
const program = python(readFileSync(file, "utf8"), {
  filename: file,
  name: "dynamo_programs",
  stdout: () => {},
}) as Any;

const seeds = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

test.each([
  ["eager", seeds(0, 60)],
  ["aot_eager", seeds(60, 15)],
  ["inductor", seeds(75, 15)],
] as const)("with the backend %s", (backend, all) => {
  for (const seed of all) expect(program.compare(seed, backend), String(seed)).toBeNull();
});
