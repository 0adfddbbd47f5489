/** Random programs over tensors of several sizes: compiled they give the values, gradients and changes that they give without a compiler. */
import "glasstorch/compile";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import type { Any } from "../../helpers/recorded.ts";

const path = fileURLToPath(new URL("../../../tools/oracle/dynamic_programs.py", import.meta.url));
const program = python(readFileSync(path, "utf8"), { filename: path, name: "programs", stdout: () => {} }) as Any;

const PER_TEST = 6;
const seeds = (kind: string, first: number): readonly string[] =>
  cases_in_turn(
    `seeds of dynamic_programs.py, ${kind}`,
    Array.from({ length: 20 }, (_, i) => String(first + PER_TEST * i)),
    5,
  );

function compare(first: number, backend: string, sizes: number): void {
  for (let seed = first; seed < first + PER_TEST; seed++)
    expect(program.compare(seed, backend, seed % 2 === 1 ? true : null, sizes)[1], String(seed)).toBeNull();
}

test.each(seeds("aot_eager", 0))("aot_eager, from seed %s", (first) => {
  compare(Number(first), "aot_eager", 4);
});

test.each(seeds("inductor", 1000))("inductor, from seed %s", (first) => {
  compare(Number(first), "inductor", 3);
});

test("a program without branches is compiled twice for ten sizes", () => {
  expect(program.count_for_sizes("aot_eager", 10)).toBe(2);
  expect(program.count_for_sizes("inductor", 10)).toBe(2);
});
