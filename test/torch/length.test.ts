/** `x.length` is Python's `len(x)`: src/torch/_length.ts. */
import torch from "glasstorch";
import { expect, test } from "vitest";

const { nn } = torch;
const { data } = torch.utils;
const two = () => [new nn.Linear(2, 2), new nn.Linear(2, 2)];

test("containers have the length that PyTorch's len gives", () => {
  const containers = [
    new nn.ModuleList(two()),
    new nn.Sequential(...two()),
    new nn.ModuleDict({ a: new nn.ReLU(), b: new nn.ReLU() }),
    new nn.ParameterList([torch.ones(1), torch.ones(1)]),
    new nn.ParameterDict({ a: torch.ones(1), b: torch.ones(1) }),
  ];
  for (const container of containers) expect(container.length, container.constructor.name).toBe(2);
  const list = new nn.ModuleList();
  expect(list.length).toBe(0);
  expect(list.append(new nn.ReLU()).length).toBe(1);
});

test("a loop over the length of a list runs every module", () => {
  const layers = new nn.ModuleList([new nn.Linear(2, 3), new nn.Linear(3, 4)]);
  let x = torch.ones(1, 2);
  for (let i = 0; i < layers.length; i++) x = layers.__getitem__(i)(x);
  expect(x.shape).toEqual([1, 4]);
});

test("a user's module with __len__ has it, too, and one without has none", () => {
  class Bag extends nn.Module {
    __len__() {
      return 7;
    }
  }
  expect(new Bag().length).toBe(7);
  expect(new nn.Linear(2, 2).length).toBe(undefined);
});

test("the name stays free for the author of a module", () => {
  class Track extends nn.Module {
    constructor(value: unknown) {
      super();
      this.__setattr__("length", value);
    }
  }
  expect(new Track(5).length).toBe(5);
  const child = new nn.ReLU();
  expect(new Track(child).length).toBe(child);
  expect([...new Track(child).named_children()].map(([name]) => name)).toEqual(["length"]);
  const assigned = new nn.ModuleList(two());
  (assigned as { length: unknown }).length = new nn.Parameter(torch.ones(1));
  expect([...assigned.named_parameters()].map(([name]) => name)).toContain("length");
  const dict = new nn.ModuleDict({ length: new nn.ReLU() });
  expect(dict.__getitem__("length")).toBeInstanceOf(nn.ReLU);
  expect(dict.__len__()).toBe(1);
});

test("datasets, samplers, loaders, storages and tensors have it where len works", () => {
  class Squares extends data.Dataset<number> {
    override __getitem__(i: number) {
      return i * i;
    }
    __len__() {
      return 5;
    }
  }
  class Field extends data.Dataset<number> {
    override length = 3;
  }
  class Getter extends data.Dataset<number> {
    override get length() {
      return 4;
    }
  }
  const squares = new Squares();
  expect(squares.length).toBe(5);
  expect(new Field().length).toBe(3);
  expect(new data.SequentialSampler(new Getter()).length).toBe(4);
  expect(new data.BatchSampler(new data.SequentialSampler(squares), 2, false).length).toBe(3);
  expect(new data.DataLoader(squares, { batch_size: 2 }).length).toBe(3);
  expect(new data.TensorDataset(torch.ones(6)).length).toBe(6);
  expect(torch.ones(4, 2).length).toBe(4);
  expect(torch.ones(4).untyped_storage().length).toBe(16);
});

test("where len raises, so does length", () => {
  class Stream extends data.IterableDataset<number> {
    *__iter__() {
      yield 1;
    }
  }
  expect(() => torch.tensor(1).length).toThrow("len() of a 0-d tensor");
  expect(() => new Stream().length).toThrow("object of type 'Stream' has no len()");
  expect(() => new data.DataLoader(new Stream(), { batch_size: 2 }).length).toThrow("'Stream' has no len()");
});
