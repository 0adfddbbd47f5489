/**
 * @file Writes our values to files, in both formats and as safetensors, with descriptions: check_files.py reads them
 * with PyTorch. `npx tsx tools/oracle/write_files.ts FOLDER`
 * @original
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import torch from "glasstorch";
import { Counter, OrderedDict } from "#torch/_collections";
import { describe_value } from "./describe_value.ts";

function trained(): { model: unknown; optimizer: unknown; epoch: number; loss: number } {
  const net = new torch.nn.Sequential(
    new torch.nn.Linear(3, 4),
    new torch.nn.PReLU(4),
    new torch.nn.Sequential(new torch.nn.Linear(4, 2)),
  );
  net.register_buffer("steps", torch.tensor(7));
  const optimizer = new torch.optim.SGD(net.parameters(), { lr: 0.1, momentum: 0.9 });
  for (let i = 0; i < 2; i++) {
    optimizer.zero_grad();
    net(torch.randn([5, 3]))
      .mul(2)
      .sum()
      .backward();
    optimizer.step();
  }
  return { model: net.state_dict(), optimizer: optimizer.state_dict(), epoch: 3, loss: 0.25 };
}

function adam(): unknown {
  const parameters = [torch.randn([2, 3], { requires_grad: true }), torch.randn([2], { requires_grad: true })];
  const optimizer = new torch.optim.Adam(parameters, { lr: 0.01, amsgrad: true });
  for (const p of [...parameters].reverse()) {
    p.grad = torch.randn_like(p);
    optimizer.step();
  }
  return optimizer.state_dict();
}

function dtypes(): Record<string, unknown> {
  const names = [
    "float32",
    "float64",
    "float16",
    "bfloat16",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "bool",
  ] as const;
  const made: Record<string, unknown> = Object.fromEntries(
    names.map((name) => [
      name,
      torch
        .tensor([
          [0, 1, 2],
          [3, 4, 5],
        ])
        .to(torch[name]),
    ]),
  );
  for (const name of ["uint16", "uint32", "uint64"] as const) made[name] = torch.empty([3], { dtype: torch[name] });
  return made;
}

function views(): unknown {
  const base = torch.randn([4, 6]);
  return [base, base.t(), base.at({ start: 1, stop: 3 }), base.expand([2, 4, 6]), base.select(0, 2), torch.tensor(5)];
}

function values(): unknown {
  return {
    ints: [0, 255, 256, 65536, -1, 2 ** 31, 2 ** 53, 2n ** 63n, -(2n ** 80n), 127, 128, -129],
    floats: [0.5, Number.NaN, Number.POSITIVE_INFINITY, -0, torch.Float(2)],
    strings: ["", "a", "äöü", "漢字", "😀", "\ud800"],
    none: null,
    bools: [true, false],
    bytes: new Uint8Array([1, 2, 255]),
    tuple: Object.freeze([1, Object.freeze([]), Object.freeze([1, 2, 3, 4])]),
    set: new Set([1]),
    map: new Map<unknown, unknown>([
      ["7", 1],
      [8, 2],
      [Object.freeze([1, 2]), 3],
    ]),
    counted: { 0: "a", 12: "b" },
    ordered: new OrderedDict([["x", 1]]),
    counter: new Counter([["x", 2]]),
    torch: [torch.float32, torch.device("cpu"), torch.strided],
    long: Array.from({ length: 2001 }, (_, i) => i),
  };
}

function shared(): unknown {
  const list: unknown[] = [1];
  const parameter = new torch.nn.Parameter(torch.randn([2, 2]));
  return { a: list, b: list, in: parameter, out: parameter, data: parameter.data };
}

const CASES: Record<string, () => unknown> = {
  trained,
  adam,
  dtypes,
  views,
  values,
  shared,
  parameter: () => [new torch.nn.Parameter(torch.ones([2])), torch.zeros([2], { requires_grad: true })],
  meta: () => torch.empty([3, 4], { device: "meta" }),
  negative: () => torch.randn([3])._neg_view(),
  storage: () => torch.ones([2], { dtype: torch.uint8 }).untyped_storage(),
  empty: () => [torch.empty([0]), torch.empty([2, 0])],
};

const folder = process.argv[2];
torch.manual_seed(7);
const index = Object.entries(CASES).map(([name, make]) => {
  const value = make();
  torch.save(value, join(folder, `${name}.pt`));
  torch.save(value, join(folder, `${name}.legacy.pt`), { _use_new_zipfile_serialization: false });
  return { name, value: describe_value(torch.load(join(folder, `${name}.pt`))) };
});
const tensors = {
  b: torch.arange(3),
  a: torch.ones([2, 2]),
  c: torch.tensor(true),
  "10": torch.ones([3], { dtype: torch.half }),
};
torch.safetensors.save_file(tensors, join(folder, "tensors.safetensors"), { format: "pt" });
writeFileSync(join(folder, "index.json"), JSON.stringify({ files: index, tensors: describe_value(tensors) }));
