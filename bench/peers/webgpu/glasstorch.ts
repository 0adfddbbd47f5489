/**
 * @file The rows in glasstorch on its WebGPU device, in a worker, where a program may wait. Frees nothing.
 * @original
 */
import library from "../../../src/webgpu.ts";
import { type Case, LEARNING_RATE, LOSSES, type Package, training } from "../rows.ts";
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
  hidden.to("webgpu");
  last.to("webgpu");
  const sgd = new torch.optim.SGD([...hidden.parameters(), ...last.parameters()], { lr: LEARNING_RATE });
  const x = torch.tensor(images).reshape([batch, features]).to("webgpu");
  const y = torch.tensor([...labels]).to("webgpu");
  const way = (): number => {
    sgd.zero_grad();
    const loss = F.cross_entropy(last(F.relu(hidden(x))), y);
    loss.backward();
    sgd.step();
    return loss.item();
  };
  return { ways: [way], result: () => Array.from({ length: LOSSES }, way) };
}

serve(open);
