/**
 * @file The card that runs the exercises' kernels: what it computes, and what it sees that a real one does not tell.
 */
import { expect, test } from "vitest";
import { Gpu } from "../../tools/learn/kernel/gpu.ts";

const buffers = `
  @group(0) @binding(0) var<storage, read> x: array<f32>;
  @group(0) @binding(1) var<storage, read_write> out: array<f32>;
`;

/** Runs `body`, and what stands before it, on x in workgroups of 4. */
function run(body: string, x: readonly number[], n = x.length, before = "", groups = [Math.ceil(n / 4)]): number[] {
  const gpu = new Gpu();
  const [from, to] = [gpu.createBuffer(4 * x.length), gpu.createBuffer(4 * n)];
  gpu.writeBuffer(from, new Float32Array(x));
  gpu.dispatch(
    `${buffers}${before}
    @compute @workgroup_size(4)
    fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) me: u32, @builtin(workgroup_id) group: vec3u) {
      ${body}
    }`,
    [from, to],
    groups,
  );
  return [...gpu.readBuffer(to)];
}

const GUARDED = "if (id.x < arrayLength(&out)) { out[id.x] = 2 * x[id.x] + 1; }";

test("an element for each invocation", () => {
  expect(run(GUARDED, [0, 1, 2, 3, 4.5])).toEqual([1, 3, 5, 7, 10]);
});

test("numbers are kept as their types keep them", () => {
  const one = (expression: string): number => {
    const gpu = new Gpu();
    const out = gpu.createBuffer(4);
    gpu.dispatch(
      `@group(0) @binding(0) var<storage, read_write> out: array<f32>;
       fn twice(a: f32) -> f32 { return a + a; }
       fn sign(a: i32) -> i32 { if (a < 0) { return -1; } else if (a == 0) { return 0; } return 1; }
       @compute @workgroup_size(1) fn main() { out[0] = ${expression}; }`,
      [out],
      [1],
    );
    return gpu.readBuffer(out)[0];
  };
  expect(one("0.1 + 0.2")).toBe(Math.fround(0.1 + 0.2));
  expect(one("twice(0.1f)")).toBe(Math.fround(0.2));
  expect(one("f32(7 / 2)")).toBe(3);
  expect(one("f32(-7i / 2)")).toBe(-3);
  expect(one("f32(3u - 4u)")).toBe(4294967296);
  expect(one("f32(0x10u << 2u | 1u)")).toBe(65);
  expect(one("f32(-8i >> 1u)")).toBe(-4);
  expect(one("f32(sign(-5)) + f32(sign(0))")).toBe(-1);
  expect(one("select(1.0, 2.0, 3 > 2 && !(1 == 2))")).toBe(2);
  expect(one("max(1.0, 2) * sqrt(16.0)")).toBe(8);
  expect(one("f32(min(3u, 2))")).toBe(2);
  expect(one("f32(u32(2.9))")).toBe(2);
  expect(one("f32(5 % 3) + f32(5u / 0u)")).toBe(7);
});

test("loops, variables, local arrays, constants", () => {
  const body = `
    var acc: array<f32, 2>;
    for (var i = 0u; i < N; i++) {
      if (i == 1u) { continue; }
      if (i == 5u) { break; }
      acc[i % 2u] += x[i];
    }
    if (id.x == 0u) { out[0] = acc[0]; out[1] = acc[1]; }`;
  expect(run(body, [1, 10, 100, 1000, 10000, 7, 7], 2, "const N = 7u;")).toEqual([10101, 1000]);
});

const SUM = (barrier: string) => `
  tile[me] = x[id.x];
  ${barrier}
  for (var half = 2u; half > 0u; half = half / 2u) {
    if (me < half) { tile[me] += tile[me + half]; }
    ${barrier}
  }
  if (me == 0u) { out[group.x] = tile[0]; }`;
const TILE = "var<workgroup> tile: array<f32, 4>;";

test("a workgroup sums in its memory", () => {
  expect(run(SUM("workgroupBarrier();"), [1, 2, 3, 4, 5, 6, 7, 8], 2, TILE, [2])).toEqual([10, 26]);
});

test("without barriers it is a race, in both lines named", () => {
  expect(() => run(SUM(""), [1, 2, 3, 4, 5, 6, 7, 8], 2, TILE, [2])).toThrow(
    "line 8, column 7: a race: tile[1] is written by invocation 1, and read by invocation 0 in line 11, with no barrier between",
  );
  expect(() => run("out[0] = x[id.x];", [1, 2, 3, 4], 1, "", [1])).toThrow(
    "a race: out[0] is written by invocation 1, and written by invocation 0",
  );
});

test("reading is no race, and what one wrote it may read", () => {
  expect(run("out[id.x] = x[0]; out[id.x] += 1;", [5, 0, 0, 0])).toEqual([6, 6, 6, 6]);
});

test("a barrier that not all come to", () => {
  expect(() => run("if (me < 2u) { workgroupBarrier(); } out[id.x] = 0;", [1, 2, 3, 4])).toThrow(
    "not all come to this barrier: invocation 0 waits here, and invocation 2 of its workgroup has ended",
  );
  expect(() => run("if (me < 2u) { workgroupBarrier(); } else {\n workgroupBarrier(); }", [1, 2, 3, 4])).toThrow(
    /invocation 2 of its workgroup waits in line/,
  );
});

test("outside of a buffer's block of memory, and only behind its end", () => {
  expect(() => run("out[id.x] = x[id.x + 60u];", [1, 2, 3, 4, 5])).toThrow(
    "x[64] is read, and the memory of x ends with element 63",
  );
  expect(() => run("out[id.x * 16u] = 0;", [1, 2, 3, 4, 5])).toThrow(
    "out[64] is written, and the memory of out ends with element 63",
  );
  const gpu = new Gpu();
  const out = gpu.createBuffer(20);
  const kernel =
    "@group(0) @binding(0) var<storage, read_write> out: array<f32>; @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { out[i + 1u] = 0; }";
  gpu.dispatch(kernel, [out], [1]);
  expect(out.strayed()).toBe(-1);
  gpu.dispatch(kernel.replace("1u", "2u"), [out], [1]);
  expect(out.strayed()).toBe(5);
});

test.each([
  ["out[id.x] = x[id.x]", "'}' where ';' was expected"],
  ["out[id.x] = y[id.x];", "there is no 'y'"],
  ["x[id.x] = 1;", "'x' is only read; way out: var<storage, read_write>"],
  ["let i = id.x; i = 2u;", "'i' cannot be written to; way out: declare it with var"],
  ["out[id.x] = id.x;", "u32 where f32 is wanted; way out: f32(...)"],
  [
    "out[id.x] = x[id.x] * id.x;",
    "f32 * u32: both must be of one type; way out: f32(...) or u32(...) around one of them",
  ],
  ["out[1.5] = 1;", "a number as an index; u32 or i32 was expected"],
  ["if (id.x) { }", "u32 where bool is wanted"],
  ["while (true) { }", "'while' is not supported by the simulator; way out: write `for (; condition; ) { ... }`"],
  ["loop { }", "way out: write `for (;;) { ... }`"],
  ["storageBarrier();", "way out: let every invocation write elements of its own"],
  ["let a = 1; let a = 2;", "'a' is declared twice"],
  ["out[id.x] = exp(id.x);", "exp of u32"],
  ["let a = $;", "'$' is not a character of WGSL"],
  ["for (;;) { }", "this loop has run 100000 times"],
])("%s", (body, message) => {
  expect(() => run(body, [1, 2, 3, 4])).toThrow(message);
});

test.each([
  ["fn main() { }", "0 functions are marked @compute"],
  ["@compute fn main() { }", "needs @workgroup_size"],
  ["@compute @workgroup_size(64, 64) fn main() { }", "4096 invocations in a workgroup; 256 are allowed"],
  ["var<storage, read> x: array<f32>; @compute @workgroup_size(1) fn main() { }", "needs @group(0) @binding(n)"],
  ["@compute @workgroup_size(1) fn main(id: vec3<u32>) { }", "needs @builtin(...) before it"],
  [
    "var<workgroup> t: array<array<f32, 4>, 4>; @compute @workgroup_size(1) fn main() { }",
    "way out: one array, and the index computed",
  ],
  [
    "@group(0) @binding(0) var<storage, read> x: array<f32>; @compute @workgroup_size(1) fn main() { }",
    "no buffer was given for binding 0, 'x'",
  ],
])("%s", (kernel, message) => {
  expect(() => new Gpu().dispatch(kernel, [], [1])).toThrow(message);
});

test("parameters come in a struct; dispatches are counted", () => {
  const gpu = new Gpu();
  const [params, out] = [gpu.createBuffer(8), gpu.createBuffer(16)];
  gpu.writeBuffer(params, new Uint32Array([3, 0]));
  gpu.dispatch(
    `struct Params { n: u32, offset: u32 }
     @group(0) @binding(0) var<uniform> params: Params;
     @group(0) @binding(1) var<storage, read_write> out: array<f32>;
     @compute @workgroup_size(2, 2) fn main(@builtin(local_invocation_index) i: u32) {
       if (i >= params.n) { return; }
       out[i + params.offset] = f32(i);
     }`,
    [params, out],
    [1],
  );
  expect([...gpu.readBuffer(out)]).toEqual([0, 1, 2, Number.NaN]);
  expect(gpu.costs).toEqual([{ reads: 0, writes: 3, invocations: 4, longest: 3 }]);
});
