/** Files of `torch::save`: those of libtorch are read here, and what is written here comes back. */
import { expect, test } from "vitest";
import { MemoryReadAdapter } from "../../../../src/caffe2/serialize/in_memory_adapter.ts";
import { PyTorchStreamReader } from "../../../../src/caffe2/serialize/PyTorchStreamReader.ts";
import { torch } from "../../../../src/cpp.ts";
import {
  cases,
  counting,
  distance,
  files,
  four_steps,
  network,
  optimizers,
  parameters,
  recorded,
  x,
  y,
} from "./cpp_cases.ts";

type Tensor = InstanceType<typeof torch.Tensor>;
const file = (name: string): Uint8Array => new Uint8Array(Buffer.from(files[`${name}.pt`], "base64"));
const output_of = (name: string) =>
  cases.find((entry) => entry.kind === "loaded" && entry.text === name)?.output ?? null;
/** Optimizers with other options: a file must bring its own. */
const fresh: Record<string, (p: Tensor[]) => ReturnType<(typeof optimizers)[keyof typeof optimizers]>> = {
  sgd: (p) => new torch.optim.SGD(p, torch.optim.SGDOptions(0.5)),
  adam: (p) => new torch.optim.Adam(p),
  adamw: (p) => new torch.optim.AdamW(p),
  adagrad: (p) => new torch.optim.Adagrad(p),
  rmsprop: (p) => new torch.optim.RMSprop(p),
  lbfgs: (p) => new torch.optim.LBFGS(p),
};

function copy_into(p: readonly Tensor[], values: readonly Tensor[]): void {
  torch.no_grad(() => p.forEach((parameter, i) => void parameter.copy_(values[i])));
}

test("a module, tensors and a pickle of libtorch", () => {
  const net = network();
  torch.load(net, file("net"));
  net.eval();
  expect(distance(recorded(net.forward(x([2, 1, 3, 3]))), output_of("net"))).toBeLessThan(1e-6);
  expect(recorded(torch.load(new torch.Tensor(), file("tensor")))).toEqual(recorded(x([2, 3])));
  const tensors: Tensor[] = [];
  torch.load(tensors, file("tensors"));
  expect(tensors.map(recorded)).toEqual([x([2]), counting([3], 2), y([1, 2]).to_dtype(torch.kDouble)].map(recorded));
  expect(recorded(torch.pickle_load(file("pickled")).toTensor())).toEqual(recorded(x([2])));
});

test.each(Object.keys(optimizers))("the state of %s, of libtorch and of ours, goes on where it was", (name) => {
  const p = parameters();
  const optimizer = fresh[name](p);
  torch.load(optimizer, file(name));
  const before: Tensor[] = [];
  torch.load(before, file(`${name}.before`));
  copy_into(p, before);
  four_steps(p, optimizer);
  expect(distance(p.map(recorded), output_of(name))).toBeLessThan(1e-5);

  const q = parameters();
  copy_into(q, p);
  const again = fresh[name](q);
  torch.load(again, torch.save(optimizer));
  four_steps(p, optimizer);
  four_steps(q, again);
  expect(q.map(recorded)).toEqual(p.map(recorded));
});

test("our archives have the records of libtorch's", () => {
  const net = network();
  torch.load(net, file("net"));
  const records = (bytes: Uint8Array): string[] => {
    const names = new PyTorchStreamReader(new MemoryReadAdapter(bytes)).getAllRecords();
    const numbers = new Map<string, string>();
    // Classes are numbered in the process: their order counts, not their numbers.
    return names.map((name) =>
      name.replace(
        /mangle_\d+/,
        (mangled) => numbers.get(mangled) ?? (numbers.set(mangled, `mangle_${numbers.size}`).get(mangled) as string),
      ),
    );
  };
  expect(records(torch.save(net)).length).toBeGreaterThan(10);
  expect(records(torch.save(net))).toEqual(records(file("net")));
});

test("files that do not fit are refused with C++'s words, and nothing is changed", () => {
  const { Conv2d, Linear, Sequential } = torch.nn;
  const other = Sequential(Linear(2, 2), Conv2d(1, 1, 1));
  expect(() => torch.load(other, file("adam"))).toThrow("No such serialized submodule: '0'");
  const deeper = Sequential(Linear(1, 1), Sequential(Linear(1, 1)));
  expect(() => torch.load(deeper, torch.save(Sequential(Linear(1, 1), Sequential())))).toThrow(
    "No such serialized submodule: '1.0'",
  );
  expect(() => torch.load(Linear(1, 1), torch.save(Linear(torch.nn.LinearOptions(1, 1).bias(false))))).toThrow(
    "No such serialized tensor 'bias'",
  );
  const p = parameters();
  const adam = new torch.optim.Adam([p[0]]);
  expect(() => torch.load(adam, file("adam"))).toThrow(
    "loaded state dict contains a parameter group that has a different size than the optimizer's parameter group",
  );
  expect([adam.state().size, adam.param_groups()[0].options().lr()]).toEqual([0, 1e-3]);
  expect(() => torch.load(other, new Uint8Array([1, 2]))).toThrow();
});

test("data loaders, samplers and transforms", () => {
  const { DataLoaderOptions, datasets, Example, make_data_loader, samplers, transforms } = torch.data;
  type Pair = InstanceType<typeof Example<Tensor, Tensor>>;
  class Squares extends datasets.Dataset<Pair> {
    override get(index: number) {
      const number = (value: number) => torch.full([], torch.Scalar.fromDouble(value));
      return new Example(number(index), number(index * index));
    }
    override size(): number {
      return 5;
    }
  }
  const dataset = new Squares().map(new transforms.Stack<Pair>());
  const loader = make_data_loader(dataset, new samplers.SequentialSampler(5), DataLoaderOptions(2));
  expect([...loader].map((batch) => (recorded(batch.target) as { values: number[] }).values)).toEqual([
    [0, 1],
    [4, 9],
    [16],
  ]);
  expect([...make_data_loader(dataset, DataLoaderOptions(2).drop_last(true))].length).toBe(2);
  torch.manual_seed(0);
  const random = new samplers.RandomSampler(5);
  random.next(2);
  const copy = new samplers.RandomSampler(5);
  const archive = new torch.serialize.OutputArchive();
  random.save(archive);
  const parts: Uint8Array[] = [];
  archive.save_to((bytes) => parts.push(bytes.slice()));
  const read = new torch.serialize.InputArchive();
  read.load_from(new Uint8Array(Buffer.concat(parts)));
  copy.load(read);
  expect(copy.next(9)).toEqual(random.next(9));
  const iterator = loader[Symbol.iterator]();
  iterator.next();
  expect(() => [...loader]).toThrow(
    "Attempted to get a new DataLoader iterator while another iterator is not yet exhausted",
  );
});

test("a clone has its own parameters; schedulers change rates", () => {
  const net = torch.nn.Linear(3, 2);
  const clone = net.clone();
  torch.no_grad(() => net.weight.zero_());
  expect(recorded(clone.weight)).not.toEqual(recorded(net.weight));
  expect(clone.named_parameters().keys()).toEqual(["weight", "bias"]);
  expect(recorded(clone(x([1, 3])))).not.toEqual(recorded(net(x([1, 3]))));
  const sgd = new torch.optim.SGD(net.parameters(), torch.optim.SGDOptions(1));
  const steps = new torch.optim.StepLR(sgd, 2, 0.5);
  const rates = [0, 1, 2, 3].map(() => {
    steps.step();
    return sgd.param_groups()[0].options().lr();
  });
  expect(rates).toEqual([1, 1, 0.5, 0.5]);
  const plateau = new torch.optim.ReduceLROnPlateauScheduler(sgd, "min", 0.5, 1);
  for (const metric of [3, 2, 2, 2]) plateau.step(metric);
  expect(sgd.param_groups()[0].options().lr()).toBeCloseTo(0.25, 7);
  // Read from libtorch: a setter that gives the class's value counts as none.
  const { Adam, AdamOptions, OptimizerParamGroup } = torch.optim;
  const group = new OptimizerParamGroup(net.parameters(), AdamOptions(0.2).eps(1e-8));
  const merged = new Adam([group], AdamOptions(0.1).eps(0.5).betas([0.5, 0.6])).param_groups()[0].options();
  expect([merged.lr(), merged.eps(), merged.betas()]).toEqual([0.2, 0.5, [0.5, 0.6]]);
  class Plain extends torch.nn.Module {}
  expect(() => new Plain().clone()).toThrow("clone() has not been implemented for Plain.");
});
