/**
 * @file Writes files of the C++ front end for libtorch and compares what both compute from them.
 *
 *     npx tsx tools/oracle/cpp/write_files.ts FOLDER                            writes the files and expected.json
 *     python tools/oracle/cpp/record_cpp.py --check FOLDER > FOLDER/found.jsonl      libtorch reads them
 *     npx tsx tools/oracle/cpp/write_files.ts FOLDER --compare                  exit status 1 if anything differs
 * @original
 */
import { readFileSync, writeFileSync } from "node:fs";
import { torch } from "../../../src/cpp.ts";
import {
  counting,
  distance,
  four_steps,
  network,
  optimizers,
  parameters,
  type Recorded,
  recorded,
  x,
  y,
} from "../../../test/torch/csrc-equivalent/api/cpp_cases.ts";

const [folder, compare] = process.argv.slice(2);

function write(): Record<string, Recorded> {
  const expected: Record<string, Recorded> = {};
  torch.manual_seed(1);
  const net = network();
  net.forward(x([2, 1, 3, 3]));
  torch.save(net, `${folder}/net.pt`);
  net.eval();
  expected["net"] = recorded(net.forward(x([2, 1, 3, 3])));
  const tensors = [x([2]), counting([3], 2), y([1, 2]).to_dtype(torch.kDouble)];
  torch.save(x([2, 3]), `${folder}/tensor.pt`);
  torch.save(tensors, `${folder}/tensors.pt`);
  expected["tensors"] = [x([2, 3]), ...tensors].map(recorded);
  writeFileSync(`${folder}/pickled.pt`, torch.pickle_save(torch.IValue.fromTensor(x([2]))));
  expected["pickled"] = recorded(x([2]));
  for (const [name, make] of Object.entries(optimizers)) {
    const p = parameters();
    const optimizer = make(p);
    four_steps(p, optimizer);
    torch.save(optimizer, `${folder}/${name}.pt`);
    torch.save(p, `${folder}/${name}.before.pt`);
    four_steps(p, optimizer);
    expected[name] = p.map(recorded);
  }
  return expected;
}

if (compare === undefined) {
  writeFileSync(`${folder}/expected.json`, JSON.stringify(write()));
} else {
  const expected = JSON.parse(readFileSync(`${folder}/expected.json`, "utf8")) as Record<string, Recorded>;
  const lines = readFileSync(`${folder}/found.jsonl`, "utf8").trim().split("\n");
  const found = Object.fromEntries(lines.map((line) => JSON.parse(line)).map(({ text, output }) => [text, output]));
  for (const [name, value] of Object.entries(expected)) {
    const apart = distance(found[name] ?? null, value);
    console.log(name, apart);
    if (!(apart < 1e-5)) process.exitCode = 1;
  }
}
