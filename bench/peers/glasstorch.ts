/**
 * @file The rows in glasstorch, from `dist/`. Frees nothing: the heap learns of what nobody holds.
 * @original
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Case, LEARNING_RATE, LOSSES, type Open, operands, type Package, type Row, training } from "./rows.ts";

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
  const { batch, features, images, labels, w1, b1, w2, b2 } = training(row.shape);
  const F = torch.nn.functional;
  const parameter = (to: Package, data: Float32Array, shape: number[]): void => {
    const values = torch.tensor(data).reshape(shape);
    to.detach().copy_(shape.length === 2 ? values.t() : values); // a Linear's weight is (out, in)
  };
  const hidden = new torch.nn.Linear(features, b1.length);
  const last = new torch.nn.Linear(b1.length, b2.length);
  parameter(hidden.weight, w1, [features, b1.length]);
  parameter(hidden.bias, b1, [b1.length]);
  parameter(last.weight, w2, [b1.length, b2.length]);
  parameter(last.bias, b2, [b2.length]);
  const sgd = new torch.optim.SGD([...hidden.parameters(), ...last.parameters()], { lr: LEARNING_RATE });
  const x = torch.tensor(images).reshape([batch, features]);
  const y = torch.tensor([...labels]);
  const way = (): Package => {
    sgd.zero_grad();
    const loss = F.cross_entropy(last(F.relu(hidden(x))), y);
    loss.backward();
    sgd.step();
    return loss;
  };
  return { ways: [way], result: () => Array.from({ length: LOSSES }, () => way().item()) };
}
