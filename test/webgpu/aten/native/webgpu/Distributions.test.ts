/**
 * @file Random numbers of the device: those that CUDA prints for a seed, beside an engine written here with big integers; states, offsets, dropout.
 * @original
 */
import { afterAll, describe, expect, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { fallen_back, type Tensor, torch } from "../../../support/both.ts";

afterAll(() => {
  expect(fallen_back()).toEqual([]);
  close_device();
});

const device = "webgpu";
const MASK = 0xffffffffn;

/** The four numbers of a thread's step, as the paper on Philox has it. */
function philox(seed: bigint, step: bigint, thread: bigint): number[] {
  let [x, y, z, w] = [step & MASK, step >> 32n, thread & MASK, thread >> 32n];
  let [k0, k1] = [seed & MASK, seed >> 32n];
  for (let round = 0; round < 10; round++) {
    const a = 0xd2511f53n * x;
    const b = 0xcd9e8d57n * z;
    [x, y, z, w] = [(b >> 32n) ^ y ^ k0, b & MASK, (a >> 32n) ^ w ^ k1, a & MASK];
    k0 = (k0 + 0x9e3779b9n) & MASK;
    k1 = (k1 + 0xbb67ae85n) & MASK;
  }
  return [x, y, z, w].map(Number);
}

function uniform(bits: number): number {
  return Math.fround(Math.fround(bits) * 2 ** -32 + 2 ** -33);
}

function numbers(t: Tensor): number[] {
  return t.flatten().cpu().tolist() as number[];
}

describe("for a seed", () => {
  test("rand and randn are CUDA's", () => {
    torch.manual_seed(0);
    const first = numbers(torch.rand([6], { device }));
    const second = numbers(torch.rand([3], { device }));
    expect(first.map((x) => x.toFixed(4))).toEqual(["0.3990", "0.5167", "0.0249", "0.9401", "0.9459", "0.7967"]);
    expect(second.map((x) => x.toFixed(4))).toEqual(["0.9722", "0.7910", "0.4690"]);
    torch.manual_seed(0);
    const normal = numbers(torch.randn([4], { device }));
    expect(normal.map((x) => x.toFixed(4))).toEqual(["-0.9247", "-0.4253", "-2.6438", "0.1452"]);
  });

  test("each element has its thread's number, also beyond one grid", () => {
    const threads = 864 * 256;
    const n = threads + 700;
    torch.manual_seed(2 ** 40 + 17);
    const x = numbers(torch.rand([n], { device }));
    for (const i of [0, 1, 255, 256, threads - 1, threads, threads + 699]) {
      const bits = philox(BigInt(2 ** 40 + 17), 0n, BigInt(i % threads))[Math.floor(i / threads)];
      expect(x[i]).toBe(uniform(bits));
    }
  });

  test("integers are remainders", () => {
    torch.manual_seed(5);
    const small = numbers(torch.randint(-3, 10, [40], { device }));
    expect(small).toEqual(small.map((_, i) => (philox(5n, 0n, BigInt(i))[0] % 13) - 3));
    const large = numbers(torch.randint(0, 2 ** 40, [5], { device }));
    const wide = (i: number): number => {
      const [high, low] = philox(5n, 1n, BigInt(i));
      return Number(((BigInt(high) << 32n) | BigInt(low)) % BigInt(2 ** 40));
    };
    expect(large).toEqual(large.map((_, i) => wide(i)));
    torch.manual_seed(5);
    const bytes = numbers(torch.empty([9], { dtype: torch.uint8, device }).random_());
    expect(bytes).toEqual(bytes.map((_, i) => philox(5n, 0n, BigInt(i))[0] % 256));
    const halves = numbers(torch.empty([9], { dtype: torch.float16, device }).random_());
    expect(halves).toEqual(halves.map((_, i) => philox(5n, 1n, BigInt(i))[0] % 2049));
  });

  test("bernoulli_ by what is no probability is a device-side assertion", () => {
    const drawn = torch.bernoulli(torch.tensor([0.5, 0.5, 1.25]).to(device));
    const told = "bernoulli_tensor: block: [0,0,0], thread: [2,0,0] Assertion `0 <= p1 && p1 <= 1` failed.";
    expect(() => drawn.cpu()).toThrow(told);
  });

  test("bernoulli_, by one probability and by many", () => {
    torch.manual_seed(9);
    const one = numbers(torch.empty([50], { device }).bernoulli_(0.3));
    expect(one).toEqual(one.map((_, i) => Number(uniform(philox(9n, 0n, BigInt(i))[0]) < Math.fround(0.3))));
    const p = Array.from({ length: 9 }, (_, i) => i / 8);
    const many = numbers(torch.bernoulli(torch.tensor(p).to(device)));
    expect(many).toEqual(p.map((q, i) => Number(uniform(philox(9n, 1n, BigInt(i >> 2))[i % 4]) <= q)));
    const ints = torch.zeros([20], { dtype: torch.int64, device }).bernoulli_(0.5);
    expect(new Set(numbers(ints))).toEqual(new Set([0, 1]));
  });
});

describe("exponential_ and multinomial", () => {
  test("waiting times are logarithms of the same numbers", () => {
    torch.manual_seed(4);
    const x = numbers(torch.empty([700], { device }).exponential_(2));
    for (const [i, time] of x.entries()) {
      const u = uniform(philox(4n, 0n, BigInt(i))[0]);
      expect(time).toBeCloseTo(-Math.log(Math.min(u, 1 - 2 ** -24)) / 2, 5);
    }
    const halves = torch.empty([50], { dtype: torch.float16, device }).exponential_();
    expect(numbers(halves).every((time) => time > 0)).toBe(true);
  });

  test("with replacement: the first sum that the number does not exceed", () => {
    const weights = [
      [1, 0, 2, 5],
      [0, 3, 0, 0],
      [4, 4, 0.5, 0],
    ];
    torch.manual_seed(6);
    const drawn = torch.multinomial(torch.tensor(weights).to(device), 200, true);
    expect([drawn.dtype, drawn.shape]).toEqual([torch.int64, [3, 200]]);
    const want = weights.flatMap((row, k) =>
      Array.from({ length: 200 }, (_, s) => {
        const u = uniform(philox(6n, 0n, BigInt(k * 256 + s))[0]) * row.reduce((a, b) => a + b);
        let sum = 0;
        return row.findIndex((w) => (sum += w) >= u);
      }),
    );
    expect(numbers(drawn)).toEqual(want);
    const vector = torch.multinomial(torch.tensor([0, 1, 0]).to(device).half(), 5, true);
    expect(numbers(vector)).toEqual([1, 1, 1, 1, 1]);
  });

  test("without: each at most once, none of weight 0, often those of much weight", () => {
    torch.manual_seed(8);
    const weights = torch.tensor([0, 1, 2, 3, 50, 0, 4]).float().to(device);
    let first = 0;
    for (let k = 0; k < 40; k++) {
      const drawn = numbers(torch.multinomial(weights, 5));
      expect(drawn.toSorted()).toEqual([1, 2, 3, 4, 6]);
      if (drawn[0] === 4) first++;
    }
    expect(first).toBeGreaterThan(20);
    expect(numbers(torch.multinomial(torch.eye(4).to(device), 1))).toEqual([0, 1, 2, 3]);
    expect(fallen_back()).toEqual([]);
  });

  test("weights that are none", () => {
    const below = torch.multinomial(torch.tensor([1, -1, 3]).float().to(device), 2, true);
    expect(() => below.cpu()).toThrow("Assertion `!(val < static_cast<scalar_t>(0))` failed.");
    const nothing = torch.multinomial(torch.zeros([3]).to(device), 2, true);
    expect(() => nothing.cpu()).toThrow("Assertion `cumdist[size - 1] > static_cast<scalar_t>(0)` failed.");
    expect(() => torch.multinomial(torch.tensor([1, -1]).float().to(device), 1)).toThrow(
      "either `inf`, `nan` or element < 0",
    );
  });
});

describe("dropout", () => {
  test("masks what CUDA masks: four elements a thread, two, or one", () => {
    for (const [n, per_thread] of [
      [40, 4],
      [42, 2],
      [41, 1],
    ]) {
      torch.manual_seed(3);
      const x = torch.arange(1, n + 1, { dtype: torch.float32, device });
      const [out, mask] = torch.native_dropout(x, 0.25, true);
      const kept = (i: number): number =>
        Number(uniform(philox(3n, 0n, BigInt(Math.floor(i / per_thread)))[i % per_thread]) < 0.75);
      expect(mask.dtype).toBe(torch.bool);
      expect(numbers(mask).map(Number)).toEqual(Array.from({ length: n }, (_, i) => kept(i)));
      const scale = Math.fround(4 / 3);
      expect(numbers(out)).toEqual(Array.from({ length: n }, (_, i) => Math.fround((i + 1) * kept(i) * scale)));
    }
  });

  test("its gradient passes where it passed; in evaluation, with p 0 and 1, of halves", () => {
    const F = torch.nn.functional;
    const x = torch.ones([3, 5], { device }).requires_grad_(true);
    const out = F.dropout(x, 0.5, true);
    out.sum().backward();
    expect(numbers(x.grad as Tensor)).toEqual(numbers(out.detach()));
    expect(numbers(F.dropout(x.detach(), 0.5, false))).toEqual(Array(15).fill(1));
    expect(numbers(F.dropout(x.detach(), 0, true))).toEqual(Array(15).fill(1));
    expect(numbers(F.dropout(x.detach(), 1, true))).toEqual(Array(15).fill(0));
    const half = F.dropout(torch.ones([64], { dtype: torch.bfloat16, device }), 0.5, true);
    expect(new Set(numbers(half))).toEqual(new Set([0, 2]));
    expect(
      torch
        .native_dropout(torch.ones([2], { device }), 0.5, false)[1]
        .cpu()
        .tolist(),
    ).toEqual([true, true]);
  });
});

describe("uniform_ and normal_", () => {
  test("stay within their bounds, have their moments, of halves, of views", () => {
    torch.manual_seed(1);
    const u = torch.empty([5000], { device }).uniform_(-2, 3);
    expect(Math.min(...numbers(u))).toBeGreaterThanOrEqual(-2);
    expect(Math.max(...numbers(u))).toBeLessThan(3);
    expect(Math.abs(u.mean().item() - 0.5)).toBeLessThan(0.1);
    const h = torch.empty([5000], { dtype: torch.bfloat16, device }).uniform_(0, 1);
    expect(Math.max(...numbers(h))).toBeLessThan(1);
    const g = torch.empty([5000], { device }).normal_(3, 0.5);
    expect(Math.abs(g.mean().item() - 3)).toBeLessThan(0.05);
    expect(Math.abs(g.std().item() - 0.5)).toBeLessThan(0.05);
    const whole = torch.zeros([4, 6], { device });
    whole.t().narrow(0, 1, 2).normal_();
    expect(numbers(whole).map((x) => x !== 0)).toEqual(
      Array.from({ length: 24 }, (_, i) => i % 6 === 1 || i % 6 === 2),
    );
  });

  test("normal of tensors is normal_, scaled and moved", () => {
    const mean = torch.arange(6, { dtype: torch.float32, device });
    const std = torch.arange(1, 7, { dtype: torch.float32, device });
    const seeded = (f: () => Tensor): Tensor => {
      torch.manual_seed(5);
      return f();
    };
    const z = seeded(() => torch.randn([6], { device }));
    const scaled = z.mul(std);
    expect(numbers(seeded(() => torch.normal(mean, std)))).toEqual(numbers(scaled.add(mean)));
    expect(numbers(seeded(() => torch.normal(2, std)))).toEqual(numbers(scaled.add(2)));
    expect(numbers(seeded(() => torch.normal(mean, 0.5)))).toEqual(numbers(z.mul(0.5).add(mean)));
    const out = torch.empty([6], { device });
    expect(numbers(seeded(() => torch.normal(mean, std, { out })))).toEqual(numbers(scaled.add(mean)));
    expect(() => torch.normal(mean, mean.sub(1))).toThrow("normal expects all elements of std >= 0.0");
  });

  test("a generator's state gives the same numbers again, and its offset moves by fours", () => {
    const generator = new torch.Generator(device);
    generator.manual_seed(11);
    const first = numbers(torch.rand([300], { device, generator }));
    const state = generator.get_state();
    const second = numbers(torch.rand([3], { device, generator }));
    generator.set_state(state);
    expect(numbers(torch.rand([3], { device, generator }))).toEqual(second);
    generator.manual_seed(11);
    expect(numbers(torch.rand([300], { device, generator }))).toEqual(first);
    expect(generator.get_offset()).toBe(4);
  });
});

describe("cauchy_, log_normal_ and geometric_", () => {
  const uniforms = (n: number, seed: bigint): number[] =>
    Array.from({ length: n }, (_, i) => uniform(philox(seed, 0n, BigInt(i))[0]));

  test("each is made of the same numbers", () => {
    const near = (got: Tensor, want: readonly number[], tolerance: number): void => {
      for (const [i, x] of numbers(got).entries())
        expect(Math.abs(x - want[i])).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(want[i])));
    };
    torch.manual_seed(4);
    const cauchy = torch.empty([500], { device }).cauchy_(1, 2);
    near(
      cauchy,
      uniforms(500, 4n).map((u) => 1 + 2 * Math.tan(Math.PI * (u - 0.5))),
      1e-3,
    );
    torch.manual_seed(4);
    const normal = numbers(torch.randn([500], { device }));
    torch.manual_seed(4);
    near(
      torch.empty([500], { device }).log_normal_(0.5, 0.25),
      normal.map((z) => Math.exp(0.5 + 0.25 * z)),
      1e-5,
    );
    for (const dtype of [torch.float32, torch.int64, torch.uint8, torch.float16]) {
      torch.manual_seed(4);
      const trials = numbers(torch.empty([200], { dtype, device }).geometric_(0.3));
      expect(trials).toEqual(uniforms(200, 4n).map((u) => Math.ceil(Math.log(u) / Math.log1p(-0.3))));
    }
  });

  test("of halves, of views, and what is refused", () => {
    for (const dtype of [torch.float16, torch.bfloat16]) {
      expect(numbers(torch.empty([300], { dtype, device }).cauchy_()).every(Number.isFinite)).toBe(true);
      expect(numbers(torch.empty([300], { dtype, device }).log_normal_()).every((x) => x >= 0)).toBe(true);
    }
    const whole = torch.zeros([4, 6], { device });
    whole.t().narrow(0, 1, 2).geometric_(0.5);
    expect(numbers(whole).map((x) => x !== 0)).toEqual(
      Array.from({ length: 24 }, (_, i) => i % 6 === 1 || i % 6 === 2),
    );
    expect(() => torch.zeros([2], { dtype: torch.int64, device }).log_normal_()).toThrow("not implemented for 'Long'");
    expect(() => torch.zeros([2], { dtype: torch.bool, device }).geometric_(0.5)).toThrow("not implemented for 'Bool'");
    expect(torch.empty([0], { device }).cauchy_().shape).toEqual([0]);
  });
});

describe("randperm", () => {
  /** By the algorithm of CUDA: bits of the keys, drawn two numbers at a time. */
  function permutation(seed: bigint, n: number): number[] {
    const bits = Math.ceil(Math.log2(n - (6 * n * n + 1) / (Math.log(0.9) * 12)));
    const mask = (1n << BigInt(bits)) - 1n;
    const key = (i: number): bigint => {
      const [high, low] = philox(seed, 0n, BigInt(i));
      const drawn = ((BigInt(high) << 32n) | BigInt(low)) % MASK;
      return (drawn + 2n ** 31n) & MASK & mask; // the lowest int is added
    };
    const keys = Array.from({ length: n }, (_, i) => key(i));
    expect(new Set(keys).size).toBe(n);
    return Array.from({ length: n }, (_, i) => i).sort((a, b) => (keys[a] < keys[b] ? -1 : 1));
  }

  test("numbers in the order of their keys", () => {
    const generator = new torch.Generator(device);
    generator.manual_seed(12);
    const drawn = torch.randperm(50, { device, generator });
    expect([drawn.dtype, drawn.device.type]).toEqual([torch.int64, device]);
    expect(numbers(drawn)).toEqual(permutation(12n, 50));
    expect(generator.get_offset()).toBe(4 + 52); // keys, and what islands might need
  });

  test("is a permutation: of every dtype, with equal keys, with keys of 64 bits, into views", () => {
    const is_one = (t: Tensor): void => {
      const n = t.numel();
      expect(numbers(t).toSorted((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
    };
    for (const dtype of [torch.int64, torch.int32, torch.int16, torch.uint8, torch.float32, torch.float16])
      is_one(torch.randperm(200, { dtype, device }));
    for (const n of [0, 1, 2, 3]) for (let k = 0; k < 5; k++) is_one(torch.randperm(n, { device }));
    is_one(torch.randperm(40_000, { device }));
    const whole = torch.full([10, 2], -1, { dtype: torch.int64, device });
    const generator = new torch.Generator(device);
    torch.randperm(10, { out: whole.select(1, 1), generator });
    is_one(whole.select(1, 1));
    expect(numbers(whole.select(1, 0))).toEqual(Array(10).fill(-1));
    expect(() => torch.randperm(3000, { dtype: torch.float16, device })).toThrow("n cannot be greater than 2049");
    expect(() => torch.randperm(3, { device, generator: new torch.Generator() })).toThrow("generator device");
  });

  test("all orders of three are as likely", () => {
    torch.manual_seed(1);
    const counts = new Map<string, number>();
    for (let k = 0; k < 300; k++) {
      const order = numbers(torch.randperm(3, { device })).join();
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    expect(Math.min(...counts.values())).toBeGreaterThan(25);
  });
});
