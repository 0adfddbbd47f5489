/**
 * @file The rows in glasstorch on its WebGPU device, in a worker, where a program may wait. Frees nothing.
 * @original
 */
import library from "../../../src/webgpu.ts";
import { type Case, LOSSES, type Package } from "../rows.ts";
import { glasstorch_step } from "../steps.ts";
import { LINKS, type OpenOnDevice, operands, type Row } from "./rows.ts";
import { serve } from "./serve.ts";

const torch: Package = library;

const open: OpenOnDevice = async () => {
  await torch.webgpu.init();
  return { make: (row) => (row.op === "train" ? step(row) : operation(row)) };
};

function operation(row: Row): Case {
  const [a, b] = operands(row).map((data) =>
    torch
      .tensor(data)
      .reshape([...row.shape])
      .to("webgpu"),
  );
  const call = {
    mm: () => torch.mm(a, b),
    sum: () => torch.sum(a),
    softmax: () => torch.softmax(a, 1),
    add: () => torch.add(a, b),
    chain() {
      let x = a;
      for (let i = 0; i < LINKS; i++) x = torch.add(x, b);
      return x;
    },
  }[row.op as Exclude<Row["op"], "train">];
  return { ways: [() => call().view(-1).select(0, 0).item()], result: () => call().cpu().reshape([-1]).tolist() };
}

function step(row: Row): Case {
  const train = glasstorch_step(torch, row.shape, "webgpu");
  const way = (): number => train().item();
  return { ways: [way], result: () => Array.from({ length: LOSSES }, way) };
}

serve(open);
