/**
 * @file Random programs without PyTorch's results, for a test that runs each on two of our devices. PyTorch writes
 * them, so that most of their calls succeed.
 *
 *     PYTHON=.venv/bin/python npx tsx tools/oracle/write_programs.ts --programs 60 --seed 9000 | gzip -n > test/fixtures/webgpu/programs.json.gz
 *
 *   --programs N, --seed SEED, --length N, --only TEXTS   as in tools/oracle/fuzz.ts
 * @original
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { inventory, load } from "./fuzz/library.ts";
import type { Program } from "./fuzz/program.ts";
import { Python } from "./fuzz/python.ts";

const { values: given } = parseArgs({
  options: {
    programs: { type: "string", default: "60" },
    seed: { type: "string", default: "9000" },
    length: { type: "string", default: "15" },
    only: { type: "string" },
  },
});

const python = new Python(
  process.env["PYTHON"] ?? "python3",
  inventory(await load(fileURLToPath(new URL("../../", import.meta.url)))),
  0x55,
);
const programs: Program[] = [];
for (let k = 0; k < Number(given.programs); k++) {
  const answer = await python.ask({
    write: Number(given.seed) + k,
    length: Number(given.length),
    only: given.only ?? null,
  });
  if (answer?.program !== undefined) programs.push(answer.program);
}
python.stop();
const lines = programs.map((program) => JSON.stringify(program)).join(",\n");
console.log(`{"torch":"2.13.0","script":"tools/oracle/write_programs.ts","programs":[\n${lines}\n]}`);
