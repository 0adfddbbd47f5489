/**
 * @file Kernel of matrix products, result = beta self + alpha a b, for a batch: each invocation computes a tile of the
 * result in registers.
 *
 *   rows       rows of b are contiguous: for every k, a column of a's tile is multiplied by a row of b's
 *   dots       both operands are contiguous along k (as in a linear layer): dot products of four terms
 *   shared     a workgroup loads tiles of both operands into workgroup memory, so each element is read once: for real GPUs
 *
 * A transposed operand only has other strides. Sums are computed in float32.
 * @mirrors aten/src/ATen/cuda/CUDABlas.h
 * @differs Ours also multiplies integers, as the CPU does; cuBLAS, which CUDA calls, does not.
 */
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { get_device } from "#c10/webgpu/WebGPUFunctions";
import { GpuKernel, type KernelContext, type OperandView } from "./KernelText.ts";
import { product_tile } from "./tuning.ts";

/** A matrix of a batch. Strides are in elements. */
export interface Matrix {
  readonly view: OperandView;
  readonly batch: number;
  readonly row: number;
  readonly column: number;
}

export interface Product {
  readonly batches: number;
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly alpha: number;
  readonly beta: number;
}

const Form = { strided: 0, rows: 1, dots: 2, shared: 3 } as const;

/** Side of the square of invocations that share tiles, and size of these tiles along k. */
const SHARED_SIDE = 8;
const SHARED_DEPTH = 8;
const WORKGROUP = 16;

interface Tile {
  readonly rows: number;
  readonly columns: number;
  readonly form: number;
}

function variant_of({ rows, columns, form }: Tile): number {
  return (Math.log2(rows) * 4 + Math.log2(columns)) * 4 + form;
}
function tile_of(variant: number): Tile {
  return { rows: 2 ** Math.floor(variant / 16), columns: 2 ** (Math.floor(variant / 4) % 4), form: variant % 4 };
}

const kernel = new GpuKernel("gemm", {
  takes: (dtype) => dtype !== ScalarType.Bool,
  reads: ["a", "b", "addend"],
  writes: ["c"],
  fields: [
    ...["m: u32", "n: u32", "k: u32", "alpha: f32", "beta: f32", "first: u32", "row_tiles: u32", "column_tiles: u32"],
    ...["a", "b", "s", "c"].flatMap((x) => [`${x}_batch: u32`, `${x}_row: u32`, `${x}_column: u32`]),
  ],
  workgroup_size: ({ variant }) =>
    tile_of(variant).form === Form.shared ? [SHARED_SIDE * SHARED_SIDE, 1, 1] : [WORKGROUP, 1, 1],
  code: (context) => {
    const tile = tile_of(context.variant);
    if (context.type("a") !== "f32") return { main: of_integers(context) };
    return tile.form === Form.shared ? shared_text(tile, context) : { main: tile_text(tile, context) };
  },
});

const ALL = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Registers that hold a row of accumulators, `c<row>_<quad>`. */
interface Registers {
  /** Number of columns in one register: 4, or fewer for a narrow tile. */
  readonly width: number;
  readonly quads: number;
  readonly type: string;
}

function registers(columns: number): Registers {
  const width = columns >= 4 ? 4 : columns;
  const type = width === 1 ? "f32" : `vec${width}<f32>`;
  return { width, quads: columns / width, type };
}

/**
 * WGSL for the positions of the tile's rows and columns. Beyond the matrix, the last row or column is read again; the
 * result is not stored.
 */
function places({ rows, columns }: Tile): string[] {
  return [
    ...ALL(rows).map((r) => `  let a${r} = a_base + min(i0 + ${r}u, p.m - 1u) * p.a_row;`),
    ...ALL(columns).map((c) => `  let b${c} = b_base + min(j0 + ${c}u, p.n - 1u) * p.b_column;`),
  ];
}

function epilogue({ rows, columns }: Tile, context: KernelContext): string {
  const { width } = registers(columns);
  const lines: string[] = [];
  for (const r of ALL(rows))
    for (const c of ALL(columns)) {
      const sum = width === 1 ? `c${r}_${c}` : `c${r}_${Math.floor(c / width)}[${c % width}]`;
      const of_self = context.has("addend")
        ? ` + p.beta * load_addend(batch * p.s_batch + (i0 + ${r}u) * p.s_row + (j0 + ${c}u) * p.s_column)`
        : "";
      lines.push(
        `  if ((i0 + ${r}u < p.m) && (j0 + ${c}u >= column) && (j0 + ${c}u < p.n)) {`,
        `    store_c(batch * p.c_batch + (i0 + ${r}u) * p.c_row + (j0 + ${c}u) * p.c_column, p.alpha * ${sum}${of_self});`,
        "  }",
      );
    }
  return lines.join("\n");
}

function tile_text(tile: Tile, context: KernelContext): string {
  const { rows, columns, form } = tile;
  const { width, quads, type } = registers(columns);
  const row_of_b = (q: number, k: string): string => {
    if (form === Form.rows && width === 4) return `load4_b(b_base + ${k} * p.b_row + j0 + ${4 * q}u)`;
    const each = ALL(width).map((c) => `load_b(b${q * width + c} + ${k} * p.b_row)`);
    return width === 1 ? each[0] : `${type}(${each.join(", ")})`;
  };
  const step = (k: string): string[] => [
    ...ALL(quads).map((q) => `      let y${q} = ${row_of_b(q, k)};`),
    ...ALL(rows).flatMap((r) => [
      `      let x${r} = load_a(a${r} + ${k} * p.a_column);`,
      ...ALL(quads).map((q) => `      c${r}_${q} += x${r} * y${q};`),
    ]),
  ];
  const dots = (): string[] => [
    ...ALL(columns).map((c) => `      let y${c} = load4_b(b${c} + k);`),
    ...ALL(rows).flatMap((r) => [
      `      let x${r} = load4_a(a${r} + k);`,
      ...ALL(quads).map((q) => {
        const each = ALL(width).map((c) => `dot(x${r}, y${q * width + c})`);
        return `      c${r}_${q} += ${width === 1 ? each[0] : `${type}(${each.join(", ")})`};`;
      }),
    ]),
  ];
  // With `load4_b`, a row of b's tile must lie within the matrix: the last tile therefore starts earlier, and only
  // columns from `column` on are stored.
  const j0 = form === Form.rows && width === 4 ? `min(column, p.n - ${columns}u)` : "column";
  return [
    `  let t = (group.x + group.y * groups.x) * ${WORKGROUP}u + lane;`,
    "  if (t >= p.row_tiles * p.column_tiles) {",
    "    return;",
    "  }",
    "  let batch = p.first + group.z;",
    `  let i0 = (t % p.row_tiles) * ${rows}u;`,
    `  let column = (t / p.row_tiles) * ${columns}u;`,
    `  let j0 = ${j0};`,
    "  let a_base = batch * p.a_batch;",
    "  let b_base = batch * p.b_batch;",
    ...places(tile),
    ...ALL(rows).flatMap((r) => ALL(quads).map((q) => `  var c${r}_${q} = ${type}();`)),
    "  var k = 0u;",
    ...(form === Form.dots ? ["  {", "    while (k + 4u <= p.k) {", ...dots(), "      k += 4u;", "    }", "  }"] : []),
    "  {",
    "    while (k < p.k) {",
    ...step("k"),
    "      k += 1u;",
    "    }",
    "  }",
    epilogue(tile, context),
  ].join("\n");
}

/**
 * WGSL for tiles of a and b in workgroup memory, `SHARED_DEPTH` deep. Each invocation computes its part of their
 * product.
 */
function shared_text(tile: Tile, context: KernelContext): { declarations: string; main: string } {
  const { rows, columns } = tile;
  const { width, quads, type } = registers(columns);
  const height = SHARED_SIDE * rows;
  const breadth = SHARED_SIDE * columns;
  const threads = SHARED_SIDE * SHARED_SIDE;
  // Consecutive invocations load contiguous elements.
  const fetch = (name: "a" | "b", size: number): string => {
    const outer = name === "a" ? "row" : "column";
    const [first, limit] = name === "a" ? ["row_block", "p.m"] : ["column_block", "p.n"];
    const inner = name === "a" ? "column" : "row";
    return `    for (var e = lane; e < ${size * SHARED_DEPTH}u; e += ${threads}u) {
      let along_k = p.${name}_${inner} == 1u;
      let at = select(e % ${size}u, e / ${SHARED_DEPTH}u, along_k);
      let depth = select(e / ${size}u, e % ${SHARED_DEPTH}u, along_k);
      var x = 0.0f;
      if ((k + depth < p.k) && (${first} + at < ${limit})) {
        x = load_${name}(batch * p.${name}_batch + (${first} + at) * p.${name}_${outer} + (k + depth) * p.${name}_${inner});
      }
      shared_${name}[depth * ${size}u + at] = x;
    }`;
  };
  const y = (q: number): string => {
    const at = `d * ${breadth}u + jx * ${columns}u + ${q * width}u`;
    const each = ALL(width).map((c) => `shared_b[${at} + ${c}u]`);
    return width === 1 ? each[0] : `${type}(${each.join(", ")})`;
  };
  const main = [
    "  let t = group.x + group.y * groups.x;",
    "  let batch = p.first + group.z;",
    `  let row_block = (t % p.row_tiles) * ${height}u;`,
    `  let column_block = (t / p.row_tiles) * ${breadth}u;`,
    `  let ix = lane / ${SHARED_SIDE}u;`,
    `  let jx = lane % ${SHARED_SIDE}u;`,
    `  let i0 = row_block + ix * ${rows}u;`,
    `  let j0 = column_block + jx * ${columns}u;`,
    "  let column = j0;",
    ...ALL(rows).flatMap((r) => ALL(quads).map((q) => `  var c${r}_${q} = ${type}();`)),
    `  for (var k = 0u; k < p.k; k += ${SHARED_DEPTH}u) {`,
    fetch("a", height),
    fetch("b", breadth),
    "    workgroupBarrier();",
    `    for (var d = 0u; d < ${SHARED_DEPTH}u; d++) {`,
    ...ALL(quads).map((q) => `      let y${q} = ${y(q)};`),
    ...ALL(rows).flatMap((r) => [
      `      let x${r} = shared_a[d * ${height}u + ix * ${rows}u + ${r}u];`,
      ...ALL(quads).map((q) => `      c${r}_${q} += x${r} * y${q};`),
    ]),
    "    }",
    "    workgroupBarrier();",
    "  }",
    epilogue(tile, context),
  ].join("\n");
  const declarations = `var<workgroup> shared_a: array<f32, ${height * SHARED_DEPTH}>;
var<workgroup> shared_b: array<f32, ${breadth * SHARED_DEPTH}>;`;
  return { declarations, main };
}

/** WGSL for integers: one element per invocation. */
function of_integers(context: KernelContext): string {
  const wide = context.type("a") === "vec2<u32>";
  const sum = (a: string, b: string): string => (wide ? `i64_add(${a}, ${b})` : `${a} + ${b}`);
  const product = (a: string, b: string): string => (wide ? `i64_mul(${a}, ${b})` : `${a} * ${b}`);
  const number = (x: string): string => (wide ? `f32_to_i64(${x})` : `i32(${x})`);
  const scaled = product(number("p.alpha"), "acc");
  const of_self = "load_addend(batch * p.s_batch + i0 * p.s_row + j0 * p.s_column)";
  const result = context.has("addend") ? sum(scaled, product(number("p.beta"), of_self)) : scaled;
  const factors =
    "load_a(batch * p.a_batch + i0 * p.a_row + k * p.a_column), load_b(batch * p.b_batch + k * p.b_row + j0 * p.b_column)";
  const [x, y] = factors.split(/, (?=load_b)/);
  return `  let t = (group.x + group.y * groups.x) * ${WORKGROUP}u + lane;
  if (t >= p.row_tiles * p.column_tiles) {
    return;
  }
  let batch = p.first + group.z;
  let i0 = t % p.row_tiles;
  let j0 = t / p.row_tiles;
  var acc = ${context.type("a")}();
  for (var k = 0u; k < p.k; k++) {
    acc = ${sum("acc", product(x, y))};
  }
  store_c(batch * p.c_batch + i0 * p.c_row + j0 * p.c_column, ${result});`;
}

function form_of(a: Matrix, b: Matrix, columns: number, n: number): number {
  if (b.column === 1 && columns >= 4 && n >= columns) return Form.rows;
  return a.column === 1 && b.row === 1 ? Form.dots : Form.strided;
}

function tile_for(dtype: ScalarType, a: Matrix, b: Matrix, { batches, m, n }: Product): Tile {
  if (isIntegralType(dtype, true)) return { rows: 1, columns: 1, form: Form.strided };
  const { side, shared } = product_tile(batches * m * n);
  const at_most = (size: number): number => Math.min(side, 2 ** Math.floor(Math.log2(size)));
  const rows = at_most(m);
  const columns = at_most(n) === 2 ? 1 : at_most(n);
  if (shared && m >= side * SHARED_SIDE && n >= side * SHARED_SIDE)
    return { rows: side, columns: side, form: Form.shared };
  return { rows, columns, form: form_of(a, b, columns, n) };
}

/** `self` is null if beta is 0: then even NaN in it must not show. Precondition: no size is 0. */
export function gemm(a: Matrix, b: Matrix, self: Matrix | null, c: Matrix, product: Product): void {
  const tile = tile_for(c.view.dtype, a, b, product);
  const is_shared = tile.form === Form.shared;
  const side = is_shared ? SHARED_SIDE : 1;
  const row_tiles = Math.ceil(product.m / (tile.rows * side));
  const column_tiles = Math.ceil(product.n / (tile.columns * side));
  const groups = is_shared ? row_tiles * column_tiles : Math.ceil((row_tiles * column_tiles) / WORKGROUP);
  const { max_grid } = get_device().properties;
  const x = Math.min(groups, max_grid);
  const strides = [a, b, self ?? c, c].flatMap((matrix) => [matrix.batch, matrix.row, matrix.column]);
  const views = [a.view, b.view, self?.view ?? null, c.view];
  const { m, n, k, alpha, beta, batches } = product;
  for (let first = 0; first < batches; first += max_grid) {
    const values = [m, n, k, alpha, beta, first, row_tiles, column_tiles, ...strides];
    kernel.launch(variant_of(tile), views, values, x, Math.ceil(groups / x), Math.min(batches - first, max_grid));
  }
}
