/** @file Convolutions by tiles: the kernel against sums in double, its error beside that of direct sums, and through the operator which of them runs. */
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { beforeEach, describe, expect, test } from "vitest";
import { BlasKernel_vec } from "#aten/native/cpu/vec/generated/blas/kernel";
import { winograd_vec } from "#aten/native/cpu/vec/generated/winograd/kernel";
import { WEIGHTS_BYTES, WORK_BYTES } from "#aten/native/cpu/vec/winograd/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { heap_may_be_full, tensors_in_heap } from "../../../../helpers/heap_stress.ts";
import { clear, FLOATS, memory, Room, random } from "./memory.ts";

beforeEach(clear);

const [FLOAT] = FLOATS;
const kernels = winograd_vec.get(FLOAT.dtype, memory);

interface Case {
  readonly rows: number;
  readonly channels: number;
  readonly height: number;
  readonly width: number;
  readonly turned?: boolean;
}

/** An image with its margin, and weights: (rows, channels, 3, 3), or (channels, rows, 3, 3) to be read backwards. */
function made({ rows, channels, height, width }: Case) {
  const next = random(rows * 31 + channels * 7 + height * 3 + width);
  const [down, fours] = [Math.ceil(height / 2), Math.ceil(width / 8)];
  const [high, wide] = [2 * down + 2, 8 * fours + 2];
  const image = new Room(FLOAT, channels * high * wide, next);
  const weight = new Room(FLOAT, rows * channels * 9, next);
  return { image, weight, bias: new Room(FLOAT, rows, next), down, fours, high, wide };
}
type Made = ReturnType<typeof made>;

/** Element (row, channel, y, x) of the weights. */
function at_weight({ rows, channels, turned = false }: Case, r: number, c: number, t: number): number {
  return turned ? (c * rows + r) * 9 + 8 - t : (r * channels + c) * 9 + t;
}

/** `parts`: where ranges of fours begin. */
function tiled(c: Case, m: Made, bias: boolean, parts: readonly number[] = [0]): Room {
  const { rows, channels, height, width, turned = false } = c;
  const weights = new Room(
    FLOAT,
    (Math.ceil(rows / 4) * (WEIGHTS_BYTES.once + channels * WEIGHTS_BYTES.channel)) / 4,
    () => 0,
  );
  const work = new Room(FLOAT, (WORK_BYTES.once + channels * WORK_BYTES.channel) / 4);
  const result = new Room(FLOAT, rows * height * width);
  const [row, channel] = turned ? [36, rows * 36] : [channels * 36, 36];
  kernels.winograd_weights(
    weights.address,
    m.weight.address + (turned ? 32 : 0),
    rows,
    channels,
    row,
    channel,
    turned ? -4 : 4,
  );
  const ends = [...parts.slice(1), m.down * m.fours];
  for (const [i, begin] of parts.entries())
    kernels.winograd(
      work.address,
      begin,
      ends[i],
      m.fours,
      rows,
      channels,
      weights.address,
      bias ? m.bias.address : 0,
      m.image.address,
      m.wide * 4,
      m.high * m.wide * 4,
      result.address,
      height,
      width,
    );
  for (const room of [weights, work, result]) expect(room.whole(), JSON.stringify(c)).toBe(true);
  return result;
}

/** In double. */
function direct(c: Case, { image, weight, bias, high, wide }: Made, with_bias: boolean): Float64Array {
  const { rows, channels, height, width } = c;
  return Float64Array.from({ length: rows * height * width }, (_, at) => {
    const [r, y, x] = [Math.floor(at / (height * width)), Math.floor(at / width) % height, at % width];
    let sum = with_bias ? bias.data[r] : 0;
    for (let k = 0; k < channels; k++)
      for (let t = 0; t < 9; t++) {
        const pixel = (k * high + y + Math.floor(t / 3)) * wide + x + (t % 3);
        sum += image.data[pixel] * weight.data[at_weight(c, r, k, t)];
      }
    return sum;
  });
}

const root_mean_square = (errors: readonly number[]): number =>
  Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);

describe("the kernel", () => {
  test("every edge of the tiles, with bias and without, weights as they are and turned around", () => {
    for (let height = 1; height <= 5; height++)
      for (let width = 1; width <= 18; width++) {
        clear();
        const c = {
          rows: 1 + ((height + width) % 6),
          channels: 1 + (width % 5),
          height,
          width,
          turned: width % 2 === 0,
        };
        const m = made(c);
        for (const bias of [false, true]) {
          const [got, exact] = [tiled(c, m, bias).data, direct(c, m, bias)];
          // Numbers up to 1: what is summed on the way is 4 times as large for pixels, and as large for weights.
          for (const [i, v] of got.entries())
            expect(Math.abs(v - exact[i]), JSON.stringify(c)).toBeLessThan(FLOAT.eps * 16 * (2 + c.channels));
        }
      }
  });

  test("channels in panels, and parts of a range", () => {
    for (const channels of [63, 64, 65, 130]) {
      clear();
      const c = { rows: 6, channels, height: 7, width: 20 };
      const m = made(c);
      const [whole, exact] = [tiled(c, m, true).data, direct(c, m, true)];
      const errors = [...whole].map((v, i) => v - exact[i]);
      expect(root_mean_square(errors)).toBeLessThan(FLOAT.eps * 2 * Math.sqrt(9 * channels));
      for (const parts of [
        [0, 2],
        [0, 4, 10],
        [0, 6, 7],
        [0, 1, 2, 3, 4, 5],
      ]) {
        const got = tiled(c, m, true, parts).data;
        expect([...got]).toEqual([...whole]);
      }
    }
  });

  test("the error is no more than that of direct sums", () => {
    for (const channels of [16, 64, 256]) {
      clear();
      const c = { rows: 16, channels, height: 16, width: 16 };
      const m = made(c);
      const exact = direct(c, m, false);
      const got = tiled(c, m, false).data;
      const beside = new Room(FLOAT, exact.length);
      const work = new Room(FLOAT, 200_000);
      const line = m.wide * 4;
      const step = Math.floor(256 / 9);
      // biome-ignore format: an operand a line
      BlasKernel_vec.get(FLOAT.dtype, memory).conv2d(
        work.address, c.rows, 256, 16, channels, step, m.weight.address, channels * 36,
        m.image.address, m.high * line, 3, 3, line, 4, line, 4, 0, beside.address, 1024,
      );
      const error = (data: Room["data"]): number => root_mean_square([...data].map((v, i) => v - exact[i]));
      expect(error(got)).toBeLessThan(1.2 * error(beside.data));
    }
  });

  test("the weights' gradient, over all tiles of two instances", () => {
    for (const [rows, channels, height, width] of [
      [2, 3, 4, 8],
      [3, 2, 5, 11],
      [1, 1, 1, 1],
      [2, 2, 7, 30],
    ]) {
      clear();
      const [m, next] = [made({ rows, channels, height, width }), random(height * width)];
      const [tile_line, each] = [8 * m.fours, m.down * m.fours * 4];
      // Zeros where there are no results.
      const is_result = (at: number): boolean =>
        at % tile_line < width && Math.floor(at / tile_line) % (2 * m.down) < height;
      const dy = new Room(FLOAT, rows * 2 * m.down * tile_line, (at) => (is_result(at) ? next() : 0));
      // Behind the tiles of one instance stand those of the other, which is the same here.
      const [pixels, grads] = [channels, rows].map((n) => new Room(FLOAT, 16 * n * 2 * each));
      for (const at of [0, each * 4]) {
        const row = 2 * each * 4;
        // biome-ignore format: an operand a line
        kernels.winograd_pixels(
          pixels.address + at, channels * row, row, m.image.address, channels, m.wide * 4, m.high * m.wide * 4,
          m.down, m.fours,
        );
        kernels.winograd_gradients(
          ...([grads.address + at, rows * row, row, dy.address, rows, tile_line * 4, m.down, m.fours] as const),
        );
      }
      const pairs = rows * channels;
      const products = new Room(FLOAT, 16 * pairs, (at) => {
        const [i, k, c] = [Math.floor(at / pairs), Math.floor(at / channels) % rows, at % channels];
        let sum = 0;
        for (let t = 0; t < 2 * each; t++)
          sum += grads.data[(i * rows + k) * 2 * each + t] * pixels.data[(i * channels + c) * 2 * each + t];
        return sum;
      });
      const weight = new Room(FLOAT, pairs * 9);
      kernels.winograd_weights_gradient(weight.address, products.address, pairs * 4, pairs);
      for (const room of [pixels, grads, weight]) expect(room.whole()).toBe(true);
      for (const [at, got] of weight.data.entries()) {
        const [k, c, t] = [Math.floor(at / 9 / channels), Math.floor(at / 9) % channels, at % 9];
        let sum = 0;
        for (let y = 0; y < height; y++)
          for (let x = 0; x < width; x++)
            sum +=
              2 *
              dy.data[(k * 2 * m.down + y) * tile_line + x] *
              m.image.data[(c * m.high + y + Math.floor(t / 3)) * m.wide + x + (t % 3)];
        expect(Math.abs(got - sum)).toBeLessThan(FLOAT.eps * 8 * (4 + Math.sqrt(height * width)));
      }
    }
  });

  test("a NaN shows in the tiles that read it, and in no other", () => {
    const c = { rows: 4, channels: 3, height: 8, width: 24 };
    const m = made(c);
    m.image.data[(m.high + 4) * m.wide + 11] = Number.NaN; // channel 1, line 4 of pixels, column 11
    const got = tiled(c, m, false).data;
    for (const [at, v] of got.entries()) {
      const [y, x] = [Math.floor(at / 24) % 8, at % 24];
      // Tiles of two lines read four: those that begin at lines 2 and 4; columns alike.
      if (y < 2 || y >= 6 || x < 8 || x >= 12) expect(Number.isNaN(v)).toBe(false);
      if (y >= 2 && y <= 4 && x >= 9 && x <= 11) expect(Number.isNaN(v)).toBe(true);
    }
  });
});

describe.runIf(get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap)("the operator", () => {
  const { conv2d } = torch.nn.functional;
  const loops = (run: () => unknown): string[] =>
    record(run)
      .events.filter((e) => e.kind === "loop" && e.name !== "at::native::normal_fill") // what torch.randn fills
      .map((e) => e.name);
  const tiles = "at::native::winograd";
  const close = (actual: Tensor, expected: Tensor): void => {
    const error = actual.double().sub(expected).abs().max().item() as number;
    expect(error / (expected.abs().max().item() as number)).toBeLessThan(2e-6);
  };

  test("3x3 in steps of one with channels enough, and places; all else otherwise", () => {
    const [x, w] = [torch.randn([1, 16, 16, 16]), torch.randn([16, 16, 3, 3])];
    expect(loops(() => conv2d(x, w))).toEqual([tiles]);
    expect(loops(() => conv2d(x, w, null, 2))).toEqual(["at::native::conv2d"]);
    expect(loops(() => conv2d(x, w, null, 1, 1, 2))).toEqual(["at::native::conv2d"]);
    expect(loops(() => conv2d(x, torch.randn([15, 16, 3, 3])))).toEqual(["at::native::conv2d"]);
    expect(loops(() => conv2d(x.narrow(1, 0, 15), torch.randn([16, 15, 3, 3])))).toEqual(["at::native::conv2d"]);
    expect(loops(() => conv2d(x, torch.randn([16, 16, 5, 3])))).toEqual(["at::native::conv2d"]);
    const [x64, w64] = [x.double(), w.double()];
    expect(loops(() => conv2d(x64, w64))).toEqual(["at::native::conv2d"]);
    // Of 10x1 places five tiles are wanted, and twenty would be computed.
    expect(loops(() => conv2d(torch.randn([1, 16, 12, 3]), w))).toEqual(["at::native::conv2d"]);
    const [grouped, half] = [torch.randn([1, 32, 16, 16]), torch.randn([32, 16, 3, 3])];
    expect(loops(() => conv2d(grouped, half, null, 1, 0, 1, 2))).toEqual(["at::native::conv2d"]);
  });

  test("batches, paddings, odd sizes, bias: what double gives, forward and backward", () => {
    torch.manual_seed(0);
    for (const [N, C, K, H, W, padding] of [
      [1, 16, 16, 16, 16, 1],
      [3, 17, 30, 13, 21, 1],
      [2, 64, 19, 9, 40, 0],
      [2, 20, 70, 11, 15, 2],
      [1, 16, 16, 20, 33, 3],
      [8, 130, 16, 7, 7, 1],
      [20, 16, 20, 30, 30, 1],
    ]) {
      const [x, w, b] = [torch.randn([N, C, H, W]), torch.randn([K, C, 3, 3]), torch.randn([K])];
      const leaves = [x, w, b].map((t) => t.requires_grad_());
      const doubles = [x, w, b].map((t) => t.detach().double().requires_grad_());
      const run = ([image, weight, bias]: Tensor[]): Tensor => conv2d(image, weight, bias, 1, padding);
      let y = x;
      expect(loops(() => (y = run(leaves)))[0]).toBe(tiles); // behind it what ran instead, if there was no room
      const dy = torch.randn_like(y);
      let grads: readonly Tensor[] = [];
      const backward = loops(() => (grads = torch.autograd.grad([y], leaves, [dy])));
      expect(backward.includes(tiles)).toBe(padding <= 2);
      expect(backward).toContain("at::native::winograd_weights");
      const exact = run(doubles);
      close(y.detach(), exact.detach());
      const of_double = torch.autograd.grad([exact], doubles, [dy.double()]);
      for (const [i, grad] of grads.entries()) close(grad, of_double[i]);
    }
  });

  test("bias of another layout; a bfloat16 image; channels last", () => {
    torch.manual_seed(0);
    const [x, w, b] = [torch.randn([2, 16, 16, 16]), torch.randn([20, 16, 3, 3]), torch.randn([20, 2])];
    const exact = conv2d(x.double(), w.double(), b.select(1, 1).double(), 1, 1);
    close(conv2d(x, w, b.select(1, 1), 1, 1), exact);
    close(conv2d(x.contiguous({ memory_format: torch.channels_last }), w, b.select(1, 1), 1, 1), exact);
    const [x16, w16, b16] = [x, w, b.select(1, 1)].map((t) => t.bfloat16());
    const wide = conv2d(x16.double(), w16.double(), b16.double(), 1, 1);
    const error = conv2d(x16, w16, b16, 1, 1).double().sub(wide).abs().max().item() as number;
    expect(error / (wide.abs().max().item() as number)).toBeLessThan(2 ** -8);
  });

  test("a transposed convolution is the gradient's sum", () => {
    torch.manual_seed(0);
    const [x, w, b] = [torch.randn([2, 18, 12, 14]), torch.randn([18, 24, 3, 3]), torch.randn([24])];
    const { conv_transpose2d } = torch.nn.functional;
    let y = x;
    expect(loops(() => (y = conv_transpose2d(x, w, b, 1, 1)))).toContain(tiles);
    close(y, conv_transpose2d(x.double(), w.double(), b.double(), 1, 1));
  });

  test("memory outside the heap: the result comes back", () => {
    const [x, w, b] = [torch.randn([2, 16, 12, 12]), torch.randn([16, 16, 3, 3]), torch.randn([16])];
    const dy = torch.randn([2, 16, 12, 12]);
    const run = (): unknown[] => {
      const leaves = [x, w, b].map((t) => t.detach().requires_grad_());
      const y = conv2d(leaves[0], leaves[1], leaves[2], 1, 1);
      return [y.tolist(), ...torch.autograd.grad([y], leaves, [dy]).map((t) => t.tolist())];
    };
    const there = run();
    for (const t of [x, w, b, dy]) t.numpy(); // what the user has seen leaves the heap
    expect(run()).toEqual(there);
  });

  test.skipIf(heap_may_be_full)("two threads give what one gives", () => {
    const x = torch.randn([3, 32, 22, 22], { requires_grad: true });
    const w = torch.randn([36, 32, 3, 3], { requires_grad: true });
    const dy = torch.randn([3, 36, 22, 22]);
    const run = (): unknown[] => {
      const y = conv2d(x, w, null, 1, 1);
      return [y.tolist(), ...torch.autograd.grad([y], [x, w], [dy]).map((t) => t.tolist())];
    };
    const before = torch.get_num_threads();
    const [one, two] = [1, 2].map((threads) => {
      torch.set_num_threads(threads);
      return run();
    });
    torch.set_num_threads(before);
    expect(two).toEqual(one);
  });
});
