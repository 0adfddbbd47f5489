/** The operators of recurrent networks: worked cases, laws, gradients, refusals. Values beyond these: test/torch/nn/recorded_modules.test.ts. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const aten = torch.ops.aten as Any;
const f64 = (...size: number[]): Any => torch.randn(size, { dtype: torch.float64 });
const grad = (t: Any): Any => t.requires_grad_(true);
/** Weights of one layer in one direction. */
const weights = (gates: number, I: number, H: number, make = f64): Any[] => [
  make(gates * H, I),
  make(gates * H, H),
  make(gates * H),
  make(gates * H),
];

test("with weights of zero an LSTM keeps half of its cell, and shows half of that's tanh", () => {
  const zeros = [torch.zeros(4, 1), torch.zeros(4, 1)];
  const [hy, cy] = torch.lstm_cell(torch.ones(1, 1), [torch.zeros(1, 1), torch.ones(1, 1)], zeros[0], zeros[1]) as Any;
  expect(cy.item()).toBe(0.5);
  expect(hy.item()).toBeCloseTo(Math.tanh(0.5) / 2, 6);
});

test("a layer is its cell, step by step", () => {
  const cells: [string, string, number][] = [
    ["rnn_tanh", "rnn_tanh_cell", 1],
    ["rnn_relu", "rnn_relu_cell", 1],
    ["gru", "gru_cell", 3],
  ];
  for (const [layer, cell, gates] of cells) {
    const [x, h, w] = [f64(5, 2, 3), f64(1, 2, 4), weights(gates, 3, 4)];
    const [y, hy] = (torch as Any)[layer](x, h, w, true, 1, 0, false, false, false);
    let state = h.select(0, 0);
    for (const [t, step] of x.unbind(0).entries()) {
      state = (torch as Any)[cell](step, state, ...w);
      expect(torch.allclose(y.select(0, t), state)).toBe(true);
    }
    expect(torch.allclose(hy.select(0, 0), state)).toBe(true);
  }
});

test("an LSTM's layer in float32, rows long enough for vectors and their rests, is float64's, with its gradients", () => {
  const small = (...size: number[]): Any => torch.randn(size).mul(0.2); // larger ones would amplify what is rounded
  for (const H of [4, 16, 35]) {
    torch.manual_seed(H);
    const given = [torch.randn(5, 3, 7), torch.randn(1, 3, H), torch.randn(1, 3, H), ...weights(4, 7, H, small)];
    const run = (dtype: Any): Any[] => {
      const all = given.map((t: Any) => grad(t.to({ dtype })));
      const [x, hx, cx, ...w] = all;
      const outputs = (torch as Any).lstm(x, [hx, cx], w, true, 1, 0, true, false, false);
      const sum = outputs.map((y: Any) => y.mul(y).sum()).reduce((a: Any, b: Any) => a.add(b));
      return [...outputs, ...torch.autograd.grad([sum], all)].map((t: Any) => t.detach().to({ dtype: torch.float64 }));
    };
    const exact = run(torch.float64);
    for (const [k, t] of run(torch.float32).entries())
      expect(torch.allclose(t, exact[k], { rtol: 1.3e-6, atol: 2e-6 })).toBe(true);
  }
});

test("float32 takes one operator a layer and direction, float64 does not", () => {
  for (const dtype of [torch.float32, torch.float64]) {
    const make = (...size: number[]): Any => grad(torch.randn(size, { dtype }));
    const w = [...weights(4, 3, 4, make), ...weights(4, 3, 4, make)];
    const h = torch.zeros([2, 2, 4], { dtype });
    const [y] = torch.lstm(make(5, 2, 3), [h, h], w, true, 1, 0, false, true, false) as Any;
    const [[forward]] = y.grad_fn.next_functions;
    expect(forward.name()).toBe(dtype === torch.float32 ? "MkldnnRnnLayerBackward0" : "StackBackward0");
  }
});

test("gradients of the layer operator, the second ones too, are those of the cells", () => {
  const make = (...size: number[]): Any => grad(torch.randn(size));
  const leaves = [make(4, 2, 3), ...weights(4, 3, 5, make), make(1, 2, 5), make(1, 2, 5)];
  const run = (ts: Any[], reverse: boolean): Any[] => {
    const [x, w0, w1, b0, b1, h, c] = ts;
    if (x.dtype === torch.float32)
      return aten
        .mkldnn_rnn_layer(
          x,
          w0,
          w1,
          b0,
          b1,
          h.select(0, 0),
          c.select(0, 0),
          reverse,
          [],
          2,
          5,
          1,
          true,
          false,
          false,
          true,
        )
        .slice(0, 3);
    const [y, hy, cy] = torch.lstm(
      reverse ? torch.stack(x.unbind(0).reverse()) : x,
      [h, c],
      [w0, w1, b0, b1],
      true,
      1,
      0,
      true,
      false,
      false,
    ) as Any;
    return [reverse ? torch.stack(y.unbind(0).reverse()) : y, hy, cy];
  };
  for (const reverse of [false, true]) {
    const all = [torch.float32, torch.float64].map((dtype) => {
      const ts = leaves.map((t) => grad(t.detach().to(dtype)));
      const score = (outs: Any[]): Any => outs.map((t) => t.mul(t).sum()).reduce((a, b) => a.add(b));
      const first = torch.autograd.grad(score(run(ts, reverse)), ts) as Any[];
      const graph = torch.autograd.grad(score(run(ts, reverse)), ts, { create_graph: true }) as Any[];
      return [...first, ...graph, ...(torch.autograd.grad(score(graph), ts) as Any[])];
    });
    for (const [i, t] of all[0].entries()) expect(torch.allclose(t, all[1][i].float(), 1e-4, 1e-4)).toBe(true);
  }
});

test("what is packed comes back", () => {
  const x = grad(f64(4, 3, 2));
  const [data, batch_sizes] = aten._pack_padded_sequence(x, torch.tensor([4, 2, 1]), false);
  expect(batch_sizes.tolist()).toEqual([3, 2, 1, 1]);
  const [padded, lengths] = aten._pad_packed_sequence(data, batch_sizes, false, 7, 5);
  expect([padded.shape, lengths.tolist()]).toEqual([
    [5, 3, 2],
    [4, 2, 1],
  ]);
  const packs = (t: Any): Any => aten._pack_padded_sequence(t, torch.tensor([4, 2, 1]), false)[0];
  expect(torch.autograd.gradcheck(packs, [x])).toBe(true);
});

test("pieces of unsafe_split may be changed in place, each for itself", () => {
  const x = grad(f64(4));
  const [a, b] = torch.unsafe_split(x.mul(2), 2) as Any;
  a.mul_(3);
  expect([a._version, b._version]).toEqual([1, 0]);
  const [dx] = torch.autograd.grad(a.sum().add(b.sum()), [x]) as Any;
  expect(dx.tolist()).toEqual([6, 6, 2, 2]);
});

test("a sequence is wanted, and weights for all layers", () => {
  const w = weights(3, 3, 4);
  const gru = (...args: Any[]): Any => (torch as Any).gru(...args);
  expect(() => gru(f64(0, 2, 3), f64(1, 2, 4), w, true, 1, 0, true, false, false)).toThrow(
    "Expected sequence length to be larger than 0 in RNN",
  );
  expect(() => gru(f64(5, 2, 3), f64(2, 2, 4), w, true, 2, 0, true, false, false)).toThrow(
    "Expected more weights in stacked_rnn",
  );
  expect(() => gru(f64(5, 2, 3), f64(1, 2, 4), w.slice(0, 3), true, 1, 0, true, false, false)).toThrow(
    "got an incorrect number of RNN parameters",
  );
});
