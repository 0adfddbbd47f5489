/**
 * @file `npm run explain`: operators, symbols and stack traces as PyTorch prints them.
 * @original
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { machines_report } from "../../tools/explain/machines.ts";
import { isTrace, parseLine } from "../../tools/explain/stack_trace.ts";
import { WITH_LIBRARY } from "../../tools/module_loader/with_library.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { traces } = JSON.parse(gunzipSync(readFileSync(`${root}test/fixtures/stacks/traces.json.gz`)).toString()) as {
  traces: Record<string, string>;
};

function explain(query: string[], input = ""): string {
  const run = spawnSync(process.execPath, [...WITH_LIBRARY, "tools/explain.ts", ...query], {
    cwd: root,
    input,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  return run.stdout + run.stderr;
}

test("an operator, from schema to arithmetic", () => {
  const said = explain(["_prelu_kernel"]);
  expect(said).toMatch(/native_functions\.yaml:\d+\n {2}- func: _prelu_kernel\(Tensor self, Tensor weight\) -> Tensor/);
  expect(said).toMatch(
    /at::wrapper_CPU___prelu_kernel\s+RegisterCPU_\d+\.ts:\d+\s+kernel for CPU\n\s+m\.impl\s+RegisterCPU_\d+\.ts:\d+/,
  );
  expect(said).toMatch(/loop prelu\s+src\/aten\/native\/cpu\/Activation\/index\.ts:\d+\n/);
  expect(said).toMatch(/src\/aten\/native\/cpu\/Activation\/index\.ts\s+aten\/src\/ATen\/native\/cpu\/Activation\.cpp/);
  expect(said).toMatch(/derivatives\.yaml:\d+\n {2}- name: _prelu_kernel/);
  expect(said).toContain("[autograd kernel]");
}, 120_000);

test("with --generated, the text of everything made from it", () => {
  const said = explain(["dot", "--generated"]);
  expect(said).toContain("function wrapper_CPU__dot(_ks: DispatchKeySet, self: Tensor, tensor: Tensor): Tensor {");
  expect(said).toContain("export class DotBackward0 extends TraceableFunction {");
}, 120_000);

test("a trace on standard input", () => {
  const said = explain([], traces["gdb"]?.split("\n").slice(0, 10).join("\n"));
  expect(said).toMatch(/src\/aten\/native\/Activation\/index\.ts:\d+ {3}a kernel or composite a person wrote/);
  expect(said).toMatch(
    /src\/torch\/csrc-equivalent\/autograd\/generated\/python_torch_functions_\d+\.ts:\d+ {3}binding/,
  );
}, 120_000);

test("an unknown name gets a hint", () => {
  expect(explain(["prelu_kernell"])).toContain("nothing here is called prelu_kernell");
}, 120_000);

test("lines of every form", () => {
  const symbol = (text: string): string | null => parseLine(text).symbol;
  expect(symbol("#2  0x00007fff in at::_ops::view::redispatch(c10::DispatchKeySet) () from libtorch_cpu.so")).toBe(
    "at::_ops::view::redispatch",
  );
  expect(symbol("#9 at::_ops::mm::redispatch(c10::DispatchKeySet, at::Tensor const&) from ??:0")).toBe(
    "at::_ops::mm::redispatch",
  );
  expect(symbol("frame #1: 0x1 libtorch`at::native::add(at::Tensor const&) + 4")).toBe("at::native::add");
  expect(symbol("#29 void c10::BoxedKernel::make_boxed_function<&(anonymous namespace)::f>(x) from a.cpp:0")).toBe("f");
  expect(parseLine('  File "/x/torch/nn/modules/module.py", line 9, in _call_impl').python).toEqual({
    file: "torch/nn/modules/module.py",
    line: 9,
    name: "_call_impl",
  });
  expect(parseLine("#45 _call_impl from /x/site-packages/torch/nn/modules/module.py:1789").python?.line).toBe(1789);
  expect(symbol("RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)")).toBeNull();
  expect(symbol("C++ CapturedTraceback:")).toBeNull();
});

test("a word is no trace", () => {
  expect(isTrace("prelu")).toBe(false);
  expect(isTrace("at::native::prelu")).toBe(false);
  for (const text of Object.values(traces)) expect(isTrace(text)).toBe(true);
});

test("who has read enough may close the pipe: `npm run explain | head`", () => {
  // The reader is gone before the first line.
  const run = spawnSync(
    "bash",
    [
      "-c",
      `"${process.execPath}" ${WITH_LIBRARY.join(" ")} tools/explain.ts add --generated | true; exit "\${PIPESTATUS[0]}"`,
    ],
    { cwd: root, encoding: "utf8" },
  );
  expect(run.stderr).toBe("");
  expect(run.status).toBe(0);
}, 120_000);

test("a scalar function's texts stand side by side where there is room, else below each other", () => {
  const shown = {
    dtype: "float32",
    loop: "function f_float32() {\n  a long line of it\n}",
    graph: "f\n  store v0",
    wat: "(module\n)",
    wgsl: "fn f_float32() -> f32 {\n}",
  };
  const dtypes = [{ name: "float32", why: "", why_no_wgsl: "no body of g for float32 (a.ts:2)" }];
  const machines = { name: "f", file: "a.ts", line: 1, scalar: "f", dtypes, shown };
  const plain = { bold: (text: string) => text, dim: (text: string) => text };
  const rows = machines_report(machines, "simd", plain, 120).split("\n");
  const at = rows.findIndex((row) => /JavaScript, float32 +Graph of values +WebAssembly +WGSL/.test(row));
  expect(rows[at + 1].split(/ {2,}/)).toEqual([
    "",
    "function f_float32() {",
    "f",
    "(module",
    "fn f_float32() -> f32 {",
  ]);
  expect(rows[at + 3].trim()).toBe("}");
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(120);
  const narrow = machines_report(machines, "wgsl", plain, 80).split("\n");
  expect(narrow.indexOf("JavaScript, float32")).toBeLessThan(narrow.indexOf("Graph of values"));
  expect(rows.at(-1)).toBe("  float32  SIMD128");
  expect(narrow.at(-1)).toBe("  float32  on the CPU: no body of g for float32 (a.ts:2)");
});
