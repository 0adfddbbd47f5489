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

const recorded_in = (name: string): Record<string, Any> =>
  readFixture<{ readonly cases: Record<string, Any> }>(new URL(`../../fixtures/${name}.json.gz`, import.meta.url))
    .cases;
const program_of = (name: string): Any => {
  const filename = fileURLToPath(new URL(`../../../tools/oracle/${name}.py`, import.meta.url));
  return python(readFileSync(filename, "utf8"), { filename, name, stdout: () => {} });
};
const cases = program_of("dynamo_cases");
program_of("dynamo_data_cases"); // adds its own

/** Only graphs are compared: sums come in another order, and `normalized_shape` and `F.relu` have guards of other kinds. */
const only_graphs: ReadonlySet<string> = new Set(["encoder_layer", "decoder_layer"]);

const recorded = recorded_in("dynamo");
test.each(cases_in_turn("programs of dynamo_cases.py", Object.keys(recorded), 10))("%s", (name) => {
  const made = plain(cases.run(name)) as Any;
  if (only_graphs.has(name)) expect(made.graphs).toEqual(recorded[name].graphs);
  else expect(made).toEqual(recorded[name]);
});

const of_data = recorded_in("dynamo_data");
/** Without `fullgraph=True` the rest behind the break has other guards, or breaks at another place. */
const OPEN: ReadonlySet<string> = new Set(["topk_item", "rows_of_mask"]);
test.each(cases_in_turn("programs of dynamo_data_cases.py", Object.keys(of_data), 10))("%s", (name) => {
  const [made, wanted] = [plain(cases.run(name)) as Any, of_data[name]];
  if (OPEN.has(name)) expect([made.results, made.graphs]).toEqual([wanted.results, wanted.graphs]);
  else expect(made).toEqual(wanted);
});
