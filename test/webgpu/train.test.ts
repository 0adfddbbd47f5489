/**
 * @file Three nets learn on the device: an MLP, a transformer of two layers, a small CNN. Their losses stay by the CPU's, and nothing falls back to it.
 * @original
 */
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { close_device } from "../../src/c10/webgpu/WebGPUFunctions.ts";
import { fallen_back, type Tensor, torch } from "./support/both.ts";

afterAll(close_device);
beforeEach(() => void fallen_back());

const nn = torch.nn;
const F = nn.functional;
type Module = InstanceType<typeof nn.Module>;
type Net = (x: Tensor) => Tensor;
type Optimizer = InstanceType<typeof torch.optim.Optimizer>;

const WIDTH = 16;
const HEADS = 2;
const CLASSES = 11;

class Block extends nn.Module {
  readonly norm1 = new nn.LayerNorm(WIDTH);
  readonly norm2 = new nn.LayerNorm(WIDTH);
  readonly qkv = new nn.Linear(WIDTH, 3 * WIDTH);
  readonly proj = new nn.Linear(WIDTH, WIDTH);
  readonly widen = new nn.Linear(WIDTH, 4 * WIDTH);
  readonly narrow = new nn.Linear(4 * WIDTH, WIDTH);
  readonly drop: InstanceType<typeof nn.Dropout>;

  constructor(p: number) {
    super();
    this.drop = new nn.Dropout(p);
  }

  override forward(x: Tensor): Tensor {
    const [batch, time] = x.shape;
    const heads = (t: Tensor): Tensor => t.view([batch, time, HEADS, WIDTH / HEADS]).transpose(1, 2);
    const [q, k, v] = this.qkv(this.norm1(x)).split(WIDTH, 2).map(heads);
    const attended = F.scaled_dot_product_attention(q, k, v, { is_causal: true });
    const y = x.add(this.drop(this.proj(attended.transpose(1, 2).contiguous().view([batch, time, WIDTH]))));
    return y.add(this.drop(this.narrow(F.gelu(this.widen(this.norm2(y))))));
  }
}

class Transformer extends nn.Module {
  readonly token = new nn.Embedding(CLASSES, WIDTH);
  readonly position = new nn.Embedding(8, WIDTH);
  readonly blocks: InstanceType<typeof nn.Sequential>;
  readonly norm = new nn.LayerNorm(WIDTH);
  readonly head = new nn.Linear(WIDTH, CLASSES);

  constructor(p: number) {
    super();
    this.blocks = new nn.Sequential(new Block(p), new Block(p));
  }

  override forward(x: Tensor): Tensor {
    const places = torch.arange(x.shape[1], { device: x.device });
    const y = this.blocks(this.token(x).add(this.position(places)));
    return this.head(this.norm(y)).flatten(0, 1);
  }
}

class CNN extends nn.Module {
  readonly conv1 = new nn.Conv2d(1, 4, 3, { padding: 1 });
  readonly norm = new nn.BatchNorm2d(4);
  readonly conv2 = new nn.Conv2d(4, 8, 3, { padding: 1 });
  readonly head = new nn.Linear(8 * 4, 5);

  override forward(x: Tensor): Tensor {
    const y = F.max_pool2d(F.relu(this.norm(this.conv1(x))), 2);
    return this.head(F.max_pool2d(F.relu(this.conv2(y)), 2).flatten(1));
  }
}

interface Program {
  readonly net: () => Module;
  readonly data: () => [x: Tensor, labels: Tensor];
  readonly optimizer: (net: Module) => Optimizer;
}

const mlp = (): Module => new nn.Sequential(new nn.Linear(6, 16), new nn.ReLU(), new nn.Linear(16, 4));
const rows = (): [Tensor, Tensor] => [torch.randn([8, 6]), torch.randint(0, 4, [8])];
const tokens = (): [Tensor, Tensor] => [torch.randint(0, CLASSES, [3, 8]), torch.randint(0, CLASSES, [24])];
const images = (): [Tensor, Tensor] => [torch.randn([4, 1, 8, 8]), torch.randint(0, 5, [4])];

/** The losses of `steps` steps. */
function train({ net: make, data, optimizer: choose }: Program, device: string, steps: number): number[] {
  torch.manual_seed(0); // of the CPU's generator: the parameters are the same on both
  const [x, labels] = data().map((t) => t.to(device));
  const net = make();
  net.to(device);
  const optimizer = choose(net);
  return Array.from({ length: steps }, () => {
    optimizer.zero_grad();
    const loss = F.cross_entropy((net as unknown as Net)(x), labels);
    loss.backward();
    optimizer.step();
    return loss.item() as number;
  });
}

function expect_same_curve(program: Program, steps: number): void {
  const want = train(program, "cpu", steps);
  expect(want[steps - 1]).toBeLessThan(want[0] * 0.8); // it does learn
  const got = train(program, "webgpu", steps);
  expect(fallen_back()).toEqual([]);
  for (const [step, loss] of want.entries())
    expect(Math.abs(got[step] - loss) / loss, `step ${step}: ${got[step]}, on the CPU ${loss}`).toBeLessThan(1e-4);
}

describe("losses stay by the CPU's, without a fallback", () => {
  test("an MLP, by SGD with momentum", () => {
    const optimizer = (net: Module): Optimizer => new torch.optim.SGD(net.parameters(), { lr: 0.1, momentum: 0.9 });
    expect_same_curve({ net: mlp, data: rows, optimizer }, 20);
  });
  test("a transformer of two layers, by Adam", () => {
    const optimizer = (net: Module): Optimizer => new torch.optim.Adam(net.parameters(), { lr: 0.01 });
    expect_same_curve({ net: () => new Transformer(0), data: tokens, optimizer }, 10);
  });
  test("a CNN with batch_norm, by AdamW", () => {
    const optimizer = (net: Module): Optimizer => new torch.optim.AdamW(net.parameters(), { lr: 0.01 });
    expect_same_curve({ net: () => new CNN(), data: images, optimizer }, 10);
  });
  test("an MLP, by the other optimizers", () => {
    const optimizers = {
      "SGD, Nesterov": (net) => new torch.optim.SGD(net.parameters(), { lr: 0.1, momentum: 0.9, nesterov: true }),
      "Adam, amsgrad": (net) => new torch.optim.Adam(net.parameters(), { lr: 0.03, amsgrad: true }),
      RMSprop: (net) => new torch.optim.RMSprop(net.parameters(), { lr: 0.01 }),
      Adagrad: (net) => new torch.optim.Adagrad(net.parameters(), { lr: 0.1 }),
    } satisfies Record<string, (net: Module) => Optimizer>;
    for (const optimizer of Object.values(optimizers)) expect_same_curve({ net: mlp, data: rows, optimizer }, 15);
  });
});

test("a transformer with dropout learns, and the same way twice", () => {
  const optimizer = (net: Module): Optimizer => new torch.optim.Adam(net.parameters(), { lr: 0.01 });
  const program = { net: () => new Transformer(0.1), data: tokens, optimizer };
  const losses = train(program, "webgpu", 15);
  expect(losses[14]).toBeLessThan(losses[0] * 0.6);
  expect(train(program, "webgpu", 15)).toEqual(losses);
  expect(fallen_back()).toEqual([]);
});

test("an MLP whose parameters are made on the device", () => {
  torch.manual_seed(1);
  const net = new nn.Sequential(new nn.Linear(6, 8, { device: "webgpu" }), new nn.Linear(8, 4, { device: "webgpu" }));
  expect(net(torch.randn([2, 6], { device: "webgpu" })).shape).toEqual([2, 4]);
  expect(fallen_back()).toEqual([]);
});
