/** Names that PyTorch has and glasstorch does not: reading one says so, asking with `in` says no. src/torch/_absent.ts. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import torch from "glasstorch/export";
import "glasstorch/jit";
import { expect, test } from "vitest";
import { absent_names, OWNERS } from "../../src/torch/generated/absent_names.ts";
import { absent_table, owner_of } from "../../tools/pytorch/absent_names.ts";
import type { Any } from "../helpers/recorded.ts";

const t = torch as Any;
const refusal = (name: string): unknown =>
  expect.objectContaining({
    name: "NotImplementedError",
    message: expect.stringMatching(
      new RegExp(`^${name.replaceAll(".", "\\.")} is not implemented: it is not built here`),
    ),
  });

test.each([
  ["torch.stft", () => t.stft(torch.ones(4), 2), "complex tensors are not built"],
  ["torch.complex", () => t.complex(1, 2), "complex tensors are not built"],
  ["torch.sparse_coo_tensor", () => t.sparse_coo_tensor([[0]], [1]), "sparse tensors are not built"],
  ["torch.sparse", () => t.sparse.mm(1, 2), "sparse tensors are not built"],
  ["torch.quantize_per_tensor", () => t.quantize_per_tensor(1), "quantized tensors are not built"],
  ["torch.multiprocessing", () => t.multiprocessing.Process, "there is one process here"],
  ["torch.Tensor.to_sparse", () => (torch.ones(1) as Any).to_sparse(), "sparse tensors are not built"],
  ["torch.fft.rfftn", () => t.fft.rfftn(torch.ones(1)), "complex tensors are not built"],
  ["torch.special.bessel_j0", () => t.special.bessel_j0(torch.ones(1)), ""],
  ["torch.distributed.all_reduce", () => t.distributed.all_reduce(torch.ones(1)), "there is one process here"],
  ["torch.nn.functional.scaled_mm", () => t.nn.functional.scaled_mm(1), ""],
  ["torch.jit.fuser", () => t.jit.fuser("fuser1"), ""],
  ["torch.utils.benchmark", () => new t.utils.benchmark.Timer(), ""],
  ["torch.nn.Module.compile", () => (new torch.nn.ReLU() as Any).compile(), ""],
  ["torch.nn.Module.share_memory", () => (new torch.nn.Linear(1, 1) as Any).share_memory(), ""],
])("%s", (name, read, reason) => {
  expect(read).toThrow(refusal(name));
  if (reason !== "") expect(read).toThrow(reason);
});

test("every name of the table raises when it is read, and does not look present", () => {
  let count = 0;
  for (const full of OWNERS.split(" ")) {
    const names = absent_names(full);
    const owner = owner_of(full) as Any;
    const holder = full === "torch.nn.Module" ? new torch.nn.ReLU() : owner;
    for (const name of names.split(" ")) {
      count++;
      expect(name in holder, `${full}.${name}`).toBe(false);
      expect(() => holder[name], `${full}.${name}`).toThrow(refusal(`${full}.${name}`));
    }
  }
  expect(count).toBeGreaterThan(700);
});

test("other names are undefined, and the modules list only what they have", () => {
  for (const module of [t, t.nn, t.nn.functional, t.fft, t.utils.data, torch.ones(1)]) {
    expect(module.no_such_name).toBe(undefined);
    expect(module.then).toBe(undefined);
    expect(module.toString === undefined).toBe(false);
  }
  expect(Object.keys(t.fft)).not.toContain("rfftn");
  expect(t.nn.functional).toBe(torch.nn.functional);
});

test("a module may have children, fields and parameters with these names", () => {
  class Net extends torch.nn.Module {
    compile = new torch.nn.ReLU();
    ipu = 3;
  }
  const net = new Net() as Any;
  expect([...net.named_children()].map(([name]: [string]) => name)).toEqual(["compile"]);
  expect(net.ipu).toBe(3);
  expect(() => new torch.nn.ModuleDict({ mtia: new torch.nn.ReLU() })).not.toThrow();
  const x = torch.ones(1) as Any;
  x.index = 4;
  expect(x.index).toBe(4);
});

test("the table is what PyTorch has and the library lacks", () => {
  const path = fileURLToPath(new URL("../../src/torch/generated/absent_names.ts", import.meta.url));
  expect(readFileSync(path, "utf8")).toBe(absent_table());
});
