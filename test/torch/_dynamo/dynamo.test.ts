/** Functions for `torch.compile`: graphs, counts, reasons and guards against those recorded from PyTorch. */
import "glasstorch/compile";
import "glasstorch/jit"; // texts of recurrent modules name it, and no loader opens its door here
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import { plain } from "../../helpers/plain.ts";
import { type Any, readFixture } from "../../helpers/recorded.ts";

const recorded = readFixture<{ readonly cases: Record<string, Any> }>(
  new URL("../../fixtures/dynamo.json.gz", import.meta.url),
);
const cases = fileURLToPath(new URL("../../../tools/oracle/dynamo_cases.py", import.meta.url));
const program = python(readFileSync(cases, "utf8"), { filename: cases, name: "dynamo_cases", stdout: () => {} }) as Any;

test.each(cases_in_turn("programs of dynamo_cases.py", Object.keys(recorded.cases), 10))("%s", (name) => {
  expect(plain(program.run(name))).toEqual(recorded.cases[name]);
});
