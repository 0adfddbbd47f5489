/** Random programs of views and mutations: without mutation and traced they do what they do eagerly. The seeds are sampled by turn. */
import "glasstorch/fx";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import type { Any } from "../../helpers/recorded.ts";

const path = fileURLToPath(new URL("../../../tools/oracle/functional_programs.py", import.meta.url));
const program = python(readFileSync(path, "utf8"), { filename: path, name: "programs", stdout: () => {} }) as Any;
const seeds = cases_in_turn(
  "seeds of functional_programs.py",
  Array.from({ length: 40 }, (_, i) => String(1 + 12 * i)),
  8,
);

test.each(seeds)("programs from seed %s", (first) => {
  for (let seed = Number(first); seed < Number(first) + 6; seed++)
    expect([...(program.differences(seed) ?? [])], String(seed)).toEqual([]);
});
