/**
 * Lines as users write them. Each must compile under `--strict` without a cast (the stage "types" of `npm run check`), and run here. Where a user
 * may write `model.fc1`, our own stricter setting wants `model["fc1"]`.
 */
import torch, { type Tensor } from "glasstorch";
import { expect, test } from "vitest";

const { nn, optim } = torch;
const F = nn.functional;
const x = torch.ones(2, 4);

test("lists of modules are read by index, in loops and by negative index", () => {
  const list = new nn.ModuleList([new nn.Linear(4, 4), new nn.ReLU()]);
  let y: Tensor = list[0](x);
  for (let i = 0; i < list.length; i++) y = list[i](y);
  for (const layer of list) y = layer(y);
  for (const [i, layer] of [...list].entries()) if (i > 0) y = layer(y);
  expect(list[0].weight.shape).toEqual([4, 4]);
  expect(list[-1]).toBe(list[1]);
  expect(list[-3]).toBe(undefined);
  list[1] = new nn.Tanh();
  list[-2] = new nn.Linear(4, 2);
  expect([list.length, list[0](x).shape, list[1] instanceof nn.Tanh]).toEqual([2, [2, 2], true]);
  expect(() => {
    list[2] = new nn.ReLU();
  }).toThrow("index 2 is out of range");
  expect(y.shape).toEqual([2, 4]);
  const lists = new nn.ModuleList([new nn.ModuleList([new nn.Linear(4, 4), new nn.ReLU()])]);
  for (const [block, down] of lists) y = down(block(y));
  expect(y.shape).toEqual([2, 4]);
});

test("a Sequential is read by index and by name", () => {
  const seq = new nn.Sequential(new nn.Linear(4, 3), new nn.ReLU());
  expect(seq[0].weight.shape).toEqual([3, 4]);
  expect(seq[0].out_features).toBe(3);
  expect(seq[-1]).toBeInstanceOf(nn.ReLU);
  const model = new nn.Sequential({ fc1: new nn.Linear(4, 3), act: new nn.ReLU() });
  expect(model["fc1"].weight.shape).toEqual([3, 4]);
  expect(model["act"]).toBeInstanceOf(nn.ReLU);
  model["fc1"] = new nn.Linear(4, 5);
  expect(model(x).shape).toEqual([2, 5]);
  for (const layer of model) expect(layer).toBeInstanceOf(nn.Module);
});

test("dictionaries are read by name", () => {
  const dict = new nn.ModuleDict({ a: new nn.Linear(4, 3), b: new nn.ReLU() });
  expect(dict["a"](x).shape).toEqual([2, 3]);
  expect(dict["a"].weight.shape).toEqual([3, 4]);
  for (const [name, module] of dict.items()) expect(dict[name]).toBe(module);
  dict["c"] = new nn.Tanh();
  expect([...dict.keys()]).toEqual(["a", "b", "c"]);
  const parameters = new nn.ParameterDict({ w: torch.ones(2) });
  expect(parameters["w"].mul(2).tolist()).toEqual([2, 2]);
  expect(parameters["w"].requires_grad).toBe(true);
  const list = new nn.ParameterList([torch.ones(2), torch.zeros(2)]);
  expect(list[1].add(list[0]).tolist()).toEqual([1, 1]);
  expect(list[-1]).toBe(list[1]);
  for (const p of list) expect(p.requires_grad).toBe(true);
});

test("arguments are given by name from any position on", () => {
  expect(torch.randint(0, 10, { size: [3] }).shape).toEqual([3]);
  expect(torch.randint(10, { size: [3], dtype: torch.int32 }).dtype).toBe(torch.int32);
  expect(torch.normal(0, 1, { size: [3] }).shape).toEqual([3]);
  expect(torch.full([2], { fill_value: 1.5 }).tolist()).toEqual([1.5, 1.5]);
  expect(torch.linspace(0, 1, { steps: 3 }).tolist()).toEqual([0, 0.5, 1]);
  expect(torch.conv2d(torch.ones(1, 1, 4, 4), torch.ones(1, 1, 2, 2), null, { stride: 2 }).shape).toEqual([1, 1, 2, 2]);
  expect(F.conv2d(torch.ones(1, 1, 4, 4), torch.ones(1, 1, 2, 2), null, { padding: 1 }).shape).toEqual([1, 1, 5, 5]);
  expect(x.sum(1, { keepdim: true }).shape).toEqual([2, 1]);
  expect(x.transpose(0, { dim1: 1 }).shape).toEqual([4, 2]);
  expect(x.narrow(1, { start: 1, length: 2 }).shape).toEqual([2, 2]);
  expect(x.gather(1, { index: torch.tensor([[0], [1]]) }).shape).toEqual([2, 1]);
  expect(x.topk(2, { dim: 1, largest: false }).values.shape).toEqual([2, 2]);
  expect(x.unflatten(1, { sizes: [2, 2] }).shape).toEqual([2, 2, 2]);
  expect(x.clamp({ min: 2 }).tolist()).toEqual(torch.full([2, 4], torch.Float(2)).tolist());
  const i = torch.tensor([0, 0, 1]);
  const source = torch.tensor([1.5, 2, 3]);
  expect(torch.zeros(2).scatter_reduce(0, i, source, { reduce: "sum", include_self: false }).tolist()).toEqual([
    3.5, 3,
  ]);
  expect(torch.zeros(2).scatter_reduce_(0, i, source, { reduce: "sum" }).tolist()).toEqual([3.5, 3]);
  expect(torch.zeros(2).scatter_add(0, i, { src: source }).tolist()).toEqual([3.5, 3]);
  expect(
    torch
      .zeros(2)
      .index_add(0, torch.tensor([0, 1]), { source: torch.ones(2), alpha: 2 })
      .tolist(),
  ).toEqual([2, 2]);
});

test("gradients by name", () => {
  const w = torch.ones(2, { requires_grad: true });
  const loss = () => w.mul(3).sum();
  const [by_position] = torch.autograd.grad(loss(), w);
  const [by_name] = torch.autograd.grad({ outputs: loss(), inputs: w, create_graph: true });
  const [mixed] = torch.autograd.grad(loss(), { inputs: [w] });
  expect([by_position.tolist(), by_name.tolist(), mixed.tolist()]).toEqual([[3, 3], [3, 3], [3, 3]]); // biome-ignore format: a row
});

test("a subclass may have another forward than its class", () => {
  class Encoder extends nn.Transformer {
    constructor() {
      super({ d_model: 4, nhead: 2, num_encoder_layers: 1, num_decoder_layers: 1, dim_feedforward: 4 });
    }
    override forward(src: Tensor): Tensor {
      return this.encoder(src);
    }
  }
  const encoded: Tensor = new Encoder()(torch.ones(3, 1, 4));
  expect(encoded.shape).toEqual([3, 1, 4]);
  class Chain extends nn.Sequential {
    override forward(input: Tensor, scale: number): Tensor {
      let y = input;
      for (const layer of this) y = layer(y);
      return y.mul(scale);
    }
  }
  expect(new Chain(new nn.Linear(4, 2))(x, 3).shape).toEqual([2, 2]);
  class Tied extends nn.Linear {
    override forward(input: Tensor, bias?: Tensor): Tensor {
      return F.linear(input, this.weight, bias ?? null);
    }
  }
  expect(new Tied(4, 2)(x, torch.ones(2)).shape).toEqual([2, 2]);
  class Net extends nn.Module {
    layers = new nn.ModuleList([new nn.Linear(4, 4), new nn.Linear(4, 4)]);
    heads = new nn.ModuleDict({ a: new nn.Linear(4, 1), b: new nn.Linear(4, 2) });
    scale = new nn.Parameter(torch.ones(1));
    override forward(input: Tensor, head: string): Tensor {
      let y = input;
      for (const layer of this.layers) y = F.relu(layer(y).mul(this.scale));
      return this.heads[head](y);
    }
  }
  expect(new Net()(x, "b").shape).toEqual([2, 2]);
});

test("a state dict is read and written by name", () => {
  const net = new nn.Sequential(new nn.Linear(4, 3), new nn.BatchNorm1d(3));
  const state = net.state_dict();
  for (const [name, value] of state) expect([name, value.shape]).toEqual([name, value.size()]);
  expect(state["0.weight"].shape).toEqual([3, 4]);
  expect(state["0.weight"]).toBe(state.get("0.weight"));
  expect(state["missing"]).toBe(undefined);
  state["0.bias"] = torch.zeros(3);
  state["more"] = torch.zeros(1);
  expect([state.get("0.bias").tolist(), state.has("more"), Object.keys(state)]).toEqual([
    [0, 0, 0],
    true,
    ["_metadata"],
  ]);
  state.delete("more");
  expect(String(net.load_state_dict(state))).toContain("All keys matched");
  const loaded = torch.load(torch.save(state) as Uint8Array) as typeof state;
  expect(loaded["0.weight"].equal(state["0.weight"])).toBe(true);
  const mean: Tensor = state["1.running_mean"];
  expect(mean.tolist()).toEqual([0, 0, 0]);
});

test("a training step", () => {
  const net = new nn.Sequential({ fc: new nn.Linear(4, 3), drop: new nn.Dropout(0.1) });
  const optimizer = new optim.AdamW(net.parameters(), { lr: 1e-3, weight_decay: 0.01 });
  const scheduler = new optim.lr_scheduler.StepLR(optimizer, { step_size: 1, gamma: 0.5 });
  for (const [name, p] of net.named_parameters()) if (name.endsWith("bias")) p.requires_grad_(false);
  const loss = F.cross_entropy(net(x), torch.tensor([0, 2]), { label_smoothing: 0.1 });
  optimizer.zero_grad();
  loss.backward();
  nn.utils.clip_grad_norm_(net.parameters(), 1.0);
  optimizer.step();
  scheduler.step();
  expect(optimizer.param_groups[0]["lr"]).toBe(5e-4);
  const { values, indices } = net(x).topk(2);
  const [top] = net(x).max(1);
  const [a, b] = torch.rand(4, 2).chunk(2, { dim: 1 });
  expect([values.shape, indices.dtype, top.shape, a.shape, b.shape]).toEqual([[2, 2], torch.int64, [2], [4, 1], [4, 1]]); // biome-ignore format: a row
});
