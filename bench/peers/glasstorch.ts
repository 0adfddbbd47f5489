/**
 * @file The rows in glasstorch, from `dist/`. Frees nothing: the heap learns of what nobody holds.
 * @original
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Case, LOSSES, type Open, operands, type Package, type Row } from "./rows.ts";
import { glasstorch_step } from "./steps.ts";

export const open: Open = async (threads) => {
  const folder = process.env["GLASSTORCH_DIST"] ?? "";
  const { default: torch } = await import(pathToFileURL(join(folder, "index.js")).href);
  torch.set_num_threads(threads);
  return {
    threads: torch.get_num_threads(),
    awaited: false,
    make: (row) => (row.op === "train" ? step(torch, row) : operation(torch, row)),
  };
};

function operation(torch: Package, row: Row): Case {
  const [a, b] = operands(row).map((data) => torch.tensor(data).reshape([...row.shape]));
  const way = {
    add: () => torch.add(a, b),
    mul: () => torch.mul(a, b),
    exp: () => torch.exp(a),
    tanh: () => torch.tanh(a),
    sum: () => torch.sum(a),
    softmax: () => torch.softmax(a, 1),
    mm: () => torch.mm(a, b),
    bmm: () => torch.bmm(a, b),
  }[row.op as Exclude<Row["op"], "train">];
  return { ways: [way], result: () => way().reshape([-1]).tolist() };
}

function step(torch: Package, row: Row): Case {
  const way = glasstorch_step(torch, row.shape, "cpu");
  return { ways: [way], result: () => Array.from({ length: LOSSES }, () => way().item()) };
}
