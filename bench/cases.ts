/**
 * @file The cases of `npm run bench`.
 * @original
 * @see torch_bench.py (the same in PyTorch)
 */
import { gpt_step, lenet_step } from "./models.ts";

// biome-ignore lint/suspicious/noExplicitAny: built JavaScript, loaded by path
export type Torch = any;

/** Made when it is first wanted: the other cases, each in a process of its own, go without. */
function late<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export function casesFor(torch: Torch): Record<string, () => unknown> {
  const grad = { requires_grad: true };
  const a = torch.randn([4]);
  const b = torch.randn([4]);
  const g = torch.randn([4], grad);
  const x = torch.randn([4], grad);
  const ones = torch.ones([4]);
  const linear = new torch.nn.Linear(4, 4);
  const rows = torch.randn([1, 4]);
  const rows1 = torch.ones([1, 4]);
  const layers = Array.from({ length: 100 }, () => new torch.nn.Linear(4, 4));
  const m1 = torch.randn([1000, 1000]);
  const m2 = torch.randn([1000, 1000]);
  const big1 = torch.randn([1_000_000]);
  const big2 = torch.randn([1_000_000]);
  const alpha = { alpha: 2 };
  const hundred1 = torch.randn([100]);
  const hundred2 = torch.randn([100]);
  const square = torch.randn([1024, 1024]);
  const s64 = torch.randn([64, 64]);
  const s256 = torch.randn([256, 256]);
  const s512 = torch.randn([512, 512]);
  const batches1 = torch.randn([64, 32, 32]);
  const batches2 = torch.randn([64, 32, 32]);
  const { functional: F } = torch.nn;
  const [activations, scale, shift] = [torch.randn([512, 768]), torch.randn([768]), torch.randn([768])];
  const tanh = { approximate: "tanh" };
  const [image, filters, same] = [torch.randn([1, 64, 56, 56]), torch.randn([64, 64, 3, 3]), { padding: 1 }];
  const block = new torch.nn.TransformerEncoderLayer(256, 4, 1024, { dropout: 0, batch_first: true, norm_first: true });
  const texts = torch.randn([8, 64, 256]);
  const [hidden, last] = [new torch.nn.Linear(784, 128), new torch.nn.Linear(128, 10)];
  const sgd = new torch.optim.SGD([...hidden.parameters(), ...last.parameters()], { lr: 0.01 });
  const [images, labels] = [torch.randn([64, 784]), torch.randint(0, 10, [64])];
  const ten_million = late(() => torch.randn([10_000_000]));
  const saved = late<Uint8Array>(() => torch.save(ten_million()));
  return {
    "torch.add(a, b), 4 elements": () => torch.add(a, b),
    "torch.add(a, b, alpha=2), 4 elements": () => torch.add(a, b, alpha),
    "x.add(1), 4 elements": () => a.add(1),
    "torch.mul(x, b), x requires grad": () => torch.mul(g, b),
    "torch.add(x, b), x requires grad": () => torch.add(g, b),
    "nn.Linear(4, 4) on (1, 4)": () => linear(rows),
    "100 chained mul(y, b), forward and backward": () => {
      let y = x;
      for (let i = 0; i < 100; i++) y = torch.mul(y, b);
      y.backward(ones);
    },
    "100 chained Linear(4, 4), forward and backward": () => {
      let y = rows;
      for (const layer of layers) y = layer(y);
      y.backward(rows1);
    },
    "add, 1000x1000 contiguous": () => torch.add(m1, m2),
    "add, 1000x1000 + transposed": () => torch.add(m1, m2.t()),
    "add, 1e6 elements": () => torch.add(big1, big2),
    "add, 100 elements": () => torch.add(hundred1, hundred2),
    "exp, 1e6 elements": () => torch.exp(big1),
    "tanh, 1e6 elements": () => torch.tanh(big1),
    "sum, 1e6 elements": () => torch.sum(big1),
    "softmax, 1024x1024": () => torch.softmax(square, 1),
    "mm, 64x64": () => torch.mm(s64, s64),
    "mm, 256x256": () => torch.mm(s256, s256),
    "mm, 512x512": () => torch.mm(s512, s512),
    "mm, 1024x1024": () => torch.mm(square, square),
    "bmm, 64x32x32": () => torch.bmm(batches1, batches2),
    "layer_norm, 512x768": () => F.layer_norm(activations, [768], scale, shift),
    "gelu, 512x768": () => F.gelu(activations),
    "gelu by tanh, 512x768": () => F.gelu(activations, tanh),
    "conv2d, 64 channels of 56x56, 3x3": () => F.conv2d(image, filters, null, same),
    "a Transformer block, 8x64x256": () => block(texts),
    "a step of training, 64x784-128-10": () => {
      sgd.zero_grad();
      const scores = last(torch.relu(hidden(images)));
      const loss = F.nll_loss(torch.log_softmax(scores, 1), labels);
      loss.backward();
      sgd.step();
    },
    "save, 1e7 floats": () => torch.save(ten_million()),
    "load, 1e7 floats": () => torch.load(saved()),
    "a step of training, LeNet, 32x1x16x16": lenet_step(torch),
    "a step of training, GPT, 16x32, 2 layers of 64": gpt_step(torch),
  };
}

/** The lower bound for the add of 1e6 elements: the least work that JavaScript can do for it. */
export const BARE_LOOP = "a bare loop over 1e6 elements into a fresh array";

export function bareLoop(): () => unknown {
  const p = new Float32Array(1_000_000).fill(1.5);
  const q = new Float32Array(1_000_000).fill(2.5);
  return () => {
    const out = new Float32Array(1_000_000);
    for (let i = 0; i < out.length; i++) out[i] = p[i] + q[i];
    return out;
  };
}
