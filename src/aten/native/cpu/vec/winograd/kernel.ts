/**
 * @file Kernels of 3x3 convolution by Winograd's algorithm F(2x2, 3x3): products of sixteen matrices, with 16
 * multiplications for 4 results instead of 36.
 * @original PyTorch uses this algorithm only if a group has one channel, in native/cpu/DepthwiseConvKernel.cpp.
 * @see driver.ts (the caller, and the conditions)
 * @vec winograd: float32
 */
import {
  evens,
  type float,
  fmadd,
  type int,
  interleave_high,
  interleave_low,
  load,
  load_one,
  load_splat,
  min,
  odds,
  type ptr,
  store,
  store_one,
  type Vec,
} from "#aten/cpu/vec/Vec";

// Note [Winograd's tiles]
// ~~~~~~~~~~~~~~~~~~~~~~~
// A tile is 2x2 results; it reads 4x4 pixels d. Let g be the 3x3 weights of a pair of channels:
//
//     Y = A' (sum over channels of (G g G') * (B' d B)) A             * element by element: 16 products, each summed over the channels
//     gradient of g = G' (sum over tiles of (A dY A') * (B' d B)) G     16 products, each summed over the tiles
//
//          1   0   0             1  0 -1  0           1  1  1  0
//     G =  ½   ½   ½        B' = 0  1  1  0      A' = 0  1 -1 -1
//          ½  -½   ½             0 -1  1  0
//          0   0   1             0  1  0 -1
//
// A vector holds one of the 16 numbers for four neighbouring tiles in a line ("a four"). A strip (32 bytes) holds two
// fours. The products are then those of gemm (../blas/kernel.ts, Note [Gemm with vectors]): four rows of weights by a
// strip.
//
//   weights   for four output rows: the 16 numbers of G g G', each channel by channel, the four rows next to each other
//   pixels    for one strip: the 16 numbers of B' d B, each channel by channel, 32 bytes
//   products  for one strip and four rows: the 16 numbers, each row by row, 32 bytes
//
// The part of a tile that lies outside the image is not stored. Each sum has a ninth of the terms of a direct sum. So
// the error is no larger, although each term has been rounded more often.

const ROWS = 4;
/**
 * Width of a line of a strip in bytes, and bytes left free after each of the 16 matrices: without the gap, all 16 would
 * start in the same cache set.
 */
const WIDTH = 32;
const GAP = 64;
/**
 * Number of channels that are summed one after the other; these partial sums are then added. One long sum would be less
 * exact than a direct one.
 */
const PANEL = 64;
/** Size in bytes of one of a strip's 16 products, and of two lines that are computed whole and stored in part. */
const PRODUCT = ROWS * WIDTH;
const SPARE = 2 * WIDTH;
/** Size of `weights` (four rows) and of `work` in bytes: per channel, and fixed. */
export const WEIGHTS_BYTES = { channel: 16 * ROWS * 4, once: 16 * GAP };
export const WORK_BYTES = { channel: 16 * WIDTH, once: SPARE + 16 * (PRODUCT + GAP) };

/** Multiplies three numbers by G: four results. @inline */
function expand(to: ptr, step: int, a: float, b: float, c: float): void {
  const s: float = 0.5 * (a + c);
  const h: float = 0.5 * b;
  store_one(to, a);
  store_one(to + step, s + h);
  store_one(to + 2 * step, s - h);
  store_one(to + 3 * step, c);
}

/**
 * G g G' for `rows` output rows. Strides are `row` between rows, `channel` between channels, and `tap` between the nine
 * weights.
 */
export function winograd_weights(
  to: ptr,
  weight: ptr,
  rows: int,
  channels: int,
  row: int,
  channel: int,
  tap: int,
): void {
  const step = channels * (ROWS * 4) + GAP;
  for (let k = 0; k < rows; k++) {
    let g = weight + k * row;
    let p = to + (k >> 2) * 16 * step + (k & 3) * 4;
    for (let c = 0; c < channels; c++) {
      const g00: float = load_one(g);
      const g01: float = load_one(g + tap);
      const g02: float = load_one(g + 2 * tap);
      const g10: float = 0.5 * load_one(g + 3 * tap);
      const g11: float = 0.5 * load_one(g + 4 * tap);
      const g12: float = 0.5 * load_one(g + 5 * tap);
      const g20: float = load_one(g + 6 * tap);
      const g21: float = load_one(g + 7 * tap);
      const g22: float = load_one(g + 8 * tap);
      const s0: float = 0.5 * (g00 + g20);
      const s1: float = 0.5 * (g01 + g21);
      const s2: float = 0.5 * (g02 + g22);
      expand(p, step, g00, g01, g02);
      expand(p + 4 * step, step, s0 + g10, s1 + g11, s2 + g12);
      expand(p + 8 * step, step, s0 - g10, s1 - g11, s2 - g12);
      expand(p + 12 * step, step, g20, g21, g22);
      g += channel;
      p += ROWS * 4;
    }
  }
}

/** One line of B' d, times B. The vectors overlap: they start at 0, 16, 8 and 24 bytes. @inline */
function store_line(to: ptr, step: int, a: Vec, b: Vec, c: Vec, d: Vec): void {
  const d0: Vec = evens(a, b);
  const d1: Vec = odds(a, b);
  const d2: Vec = evens(c, d);
  const d3: Vec = odds(c, d);
  store(to, d0 - d2);
  store(to + step, d1 + d2);
  store(to + 2 * step, d2 - d1);
  store(to + 3 * step, d1 - d3);
}

/** Like store_line, for a line of B' d that is the difference of two lines of d. @inline */
function store_difference(to: ptr, step: int, p: ptr, q: ptr): void {
  store_line(
    to,
    step,
    load(p) - load(q),
    load(p + 16) - load(q + 16),
    load(p + 8) - load(q + 8),
    load(p + 24) - load(q + 24),
  );
}

/**
 * B' d B of `count` fours of tiles, `apart` apart in the image and `next` apart in `to`. `line` is the stride of image
 * lines.
 */
function pixels_of_fours(to: ptr, step: int, next: int, image: ptr, count: int, line: int, apart: int): void {
  let p0 = image;
  for (let left = count; left > 0; left--) {
    const p1 = p0 + line;
    const p2 = p1 + line;
    const p3 = p2 + line;
    store_difference(to, step, p0, p2);
    store_line(
      to + 4 * step,
      step,
      load(p1) + load(p2),
      load(p1 + 16) + load(p2 + 16),
      load(p1 + 8) + load(p2 + 8),
      load(p1 + 24) + load(p2 + 24),
    );
    store_difference(to + 8 * step, step, p2, p1);
    store_difference(to + 12 * step, step, p1, p3);
    p0 += apart;
    to += next;
  }
}

/**
 * One of the 16 products of four rows and a strip, over some channels. If `add` is not 0, the product is added to `to`.
 */
function multiply(to: ptr, a: ptr, b: ptr, channels: int, add: int): void {
  let c00: Vec = 0;
  let c01: Vec = 0;
  let c10: Vec = 0;
  let c11: Vec = 0;
  let c20: Vec = 0;
  let c21: Vec = 0;
  let c30: Vec = 0;
  let c31: Vec = 0;
  for (let left = channels; left > 0; left--) {
    const b0: Vec = load(b);
    const b1: Vec = load(b + 16);
    const a0: Vec = load_splat(a);
    c00 = fmadd(a0, b0, c00);
    c01 = fmadd(a0, b1, c01);
    const a1: Vec = load_splat(a + 4);
    c10 = fmadd(a1, b0, c10);
    c11 = fmadd(a1, b1, c11);
    const a2: Vec = load_splat(a + 8);
    c20 = fmadd(a2, b0, c20);
    c21 = fmadd(a2, b1, c21);
    const a3: Vec = load_splat(a + 12);
    c30 = fmadd(a3, b0, c30);
    c31 = fmadd(a3, b1, c31);
    a += ROWS * 4;
    b += WIDTH;
  }
  if (add !== 0) {
    c00 += load(to);
    c01 += load(to + 16);
    c10 += load(to + 32);
    c11 += load(to + 48);
    c20 += load(to + 64);
    c21 += load(to + 80);
    c30 += load(to + 96);
    c31 += load(to + 112);
  }
  store(to, c00);
  store(to + 16, c01);
  store(to + 32, c10);
  store(to + 48, c11);
  store(to + 64, c20);
  store(to + 80, c21);
  store(to + 96, c30);
  store(to + 112, c31);
}

/** One line of A' m, times A, plus `bias`. @inline */
function results_of(to: ptr, m0: Vec, m1: Vec, m2: Vec, m3: Vec, bias: Vec): void {
  const y0: Vec = m0 + m1 + m2 + bias;
  const y1: Vec = m1 - m2 - m3 + bias;
  store(to, interleave_low(y0, y1));
  store(to + 16, interleave_high(y0, y1));
}

/** A' m A of four tiles and one row: two lines of 32 bytes, `line` apart. @inline */
function results_of_lines(to: ptr, line: int, m: ptr, bias: Vec): void {
  const m1 = m + 4 * PRODUCT;
  const m2 = m + 8 * PRODUCT;
  const m3 = m + 12 * PRODUCT;
  const a0: Vec = load(m1);
  const b0: Vec = load(m2);
  const a1: Vec = load(m1 + PRODUCT);
  const b1: Vec = load(m2 + PRODUCT);
  const a2: Vec = load(m1 + 2 * PRODUCT);
  const b2: Vec = load(m2 + 2 * PRODUCT);
  const a3: Vec = load(m1 + 3 * PRODUCT);
  const b3: Vec = load(m2 + 3 * PRODUCT);
  results_of(
    to,
    load(m) + a0 + b0,
    load(m + PRODUCT) + a1 + b1,
    load(m + 2 * PRODUCT) + a2 + b2,
    load(m + 3 * PRODUCT) + a3 + b3,
    bias,
  );
  results_of(
    to + line,
    a0 - b0 - load(m3),
    a1 - b1 - load(m3 + PRODUCT),
    a2 - b2 - load(m3 + 2 * PRODUCT),
    a3 - b3 - load(m3 + 3 * PRODUCT),
    bias,
  );
}

/** Stores the results of the four tiles at (h, w) of a row into its plane. At the edge they go through `spare`. */
function results_of_four(spare: ptr, plane: ptr, m: ptr, bias: ptr, h: int, w: int, height: int, width: int): void {
  const line = width * 4;
  const wide = min(WIDTH, line - w * WIDTH);
  const high = min(2, height - 2 * h);
  const to = plane + 2 * h * line + w * WIDTH;
  let b: Vec = 0;
  if (bias !== 0) b = load_splat(bias);
  let y = to;
  let apart = line;
  if (wide < WIDTH || high < 2) {
    y = spare;
    apart = WIDTH;
  }
  results_of_lines(y, apart, m, b);
  if (y === spare) {
    for (let i = 0; i < high; i++)
      for (let j = 0; j < wide; j += 4) store_one(to + i * line + j, load_one(spare + i * WIDTH + j));
  }
}

/**
 * Results of the fours of tiles [begin, end); a line has `fours` of them. There are `rows` planes of `height` by
 * `width`. `bias` may be 0: none. `line` and `plane` are the strides of the image, which includes its margin.
 * @parameters Note [Parameters of a vector kernel] in Vec.ts.
 */
export function winograd(
  work: ptr,
  begin: int,
  end: int,
  fours: int,
  rows: int,
  channels: int,
  weights: ptr,
  bias: ptr,
  image: ptr,
  line: int,
  plane: int,
  to: ptr,
  height: int,
  width: int,
): void {
  const step = channels * WIDTH + GAP;
  const products = work + SPARE;
  const pixels = products + 16 * PRODUCT;
  let h = 0;
  let w = begin;
  for (; w >= fours; w -= fours) h++;
  for (let at = begin; at < end; at += 2) {
    let h1 = h;
    let w1 = w + 1;
    if (w1 === fours) {
      w1 = 0;
      h1++;
    }
    pixels_of_fours(pixels, step, WIDTH, image + 2 * h * line + w * WIDTH, channels, line, plane);
    if (at + 1 < end)
      pixels_of_fours(pixels + 16, step, WIDTH, image + 2 * h1 * line + w1 * WIDTH, channels, line, plane);
    let a = weights;
    for (let r = 0; r < rows; r += ROWS) {
      for (let i = 0; i < 16; i++) {
        const b = pixels + i * step;
        for (let c = 0; c < channels; c += PANEL) {
          const some = min(PANEL, channels - c);
          multiply(products + i * PRODUCT, a, b + c * WIDTH, some, c);
          a += some * (ROWS * 4);
        }
        a += GAP;
      }
      let m = products;
      for (let row = r; row < min(r + ROWS, rows); row++) {
        const plane_of_row = to + row * height * width * 4;
        results_of_four(work, plane_of_row, m, bias === 0 ? 0 : bias + row * 4, h, w, height, width);
        if (at + 1 < end)
          results_of_four(work, plane_of_row, m + 16, bias === 0 ? 0 : bias + row * 4, h1, w1, height, width);
        m += WIDTH;
      }
    }
    h = h1;
    w = w1 + 1;
    if (w === fours) {
      w = 0;
      h++;
    }
  }
}

/**
 * B' d B of all tiles of `channels` channels. The 16 matrices are `step` apart, the channels in each are `row` apart.
 */
export function winograd_pixels(
  to: ptr,
  step: int,
  row: int,
  image: ptr,
  channels: int,
  line: int,
  plane: int,
  down: int,
  fours: int,
): void {
  for (let c = 0; c < channels; c++) {
    for (let h = 0; h < down; h++)
      pixels_of_fours(to + h * fours * 16, step, 16, image + 2 * h * line, fours, line, WIDTH);
    to += row;
    image += plane;
  }
}

/** One line of A dY, times A'. @inline */
function store_gradient(to: ptr, step: int, y0: Vec, y1: Vec): void {
  store(to, y0);
  store(to + step, y0 + y1);
  store(to + 2 * step, y0 - y1);
  store(to + 3 * step, -y1);
}

/**
 * A dY A' of all tiles of `rows` rows, stored as in winograd_pixels. `dy` has whole tiles, with zeros where there are
 * no results.
 */
export function winograd_gradients(
  to: ptr,
  step: int,
  row: int,
  dy: ptr,
  rows: int,
  line: int,
  down: int,
  fours: int,
): void {
  for (let r = 0; r < rows; r++) {
    let p = to;
    for (let h = 0; h < down; h++) {
      for (let w = 0; w < fours; w++) {
        const e0: Vec = evens(load(dy), load(dy + 16));
        const o0: Vec = odds(load(dy), load(dy + 16));
        const e1: Vec = evens(load(dy + line), load(dy + line + 16));
        const o1: Vec = odds(load(dy + line), load(dy + line + 16));
        store_gradient(p, step, e0, o0);
        store_gradient(p + 4 * step, step, e0 + e1, o0 + o1);
        store_gradient(p + 8 * step, step, e0 - e1, o0 - o1);
        store_gradient(p + 12 * step, step, -e1, -o1);
        p += 16;
        dy += WIDTH;
      }
      dy += line;
    }
    to += row;
  }
}

/** One line of G' m, times G. @inline */
function store_weights(to: ptr, m0: float, m1: float, m2: float, m3: float): void {
  const s: float = 0.5 * (m1 + m2);
  store_one(to, m0 + s);
  store_one(to + 4, 0.5 * (m1 - m2));
  store_one(to + 8, s + m3);
}

/** G' m G of `count` contiguous pairs of channels. The 16 matrices are `step` apart. */
export function winograd_weights_gradient(to: ptr, m: ptr, step: int, count: int): void {
  for (let left = count; left > 0; left--) {
    const m1 = m + 4 * step;
    const m2 = m + 8 * step;
    const m3 = m + 12 * step;
    const a0: float = 0.5 * load_one(m1);
    const b0: float = 0.5 * load_one(m2);
    const a1: float = 0.5 * load_one(m1 + step);
    const b1: float = 0.5 * load_one(m2 + step);
    const a2: float = 0.5 * load_one(m1 + 2 * step);
    const b2: float = 0.5 * load_one(m2 + 2 * step);
    const a3: float = 0.5 * load_one(m1 + 3 * step);
    const b3: float = 0.5 * load_one(m2 + 3 * step);
    store_weights(
      to,
      load_one(m) + (a0 + b0),
      load_one(m + step) + (a1 + b1),
      load_one(m + 2 * step) + (a2 + b2),
      load_one(m + 3 * step) + (a3 + b3),
    );
    store_weights(to + 12, a0 - b0, a1 - b1, a2 - b2, a3 - b3);
    store_weights(
      to + 24,
      a0 + b0 + load_one(m3),
      a1 + b1 + load_one(m3 + step),
      a2 + b2 + load_one(m3 + 2 * step),
      a3 + b3 + load_one(m3 + 3 * step),
    );
    m += 4;
    to += 36;
  }
}
