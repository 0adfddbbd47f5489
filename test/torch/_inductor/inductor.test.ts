/** Kernels, library calls and values of the programs of inductor_cases.py, against those recorded from PyTorch's Inductor. */
import "glasstorch/fx";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import torch from "glasstorch";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { compile_fx } from "../../../src/torch/_inductor/compile_fx.ts";
import { metrics } from "../../../src/torch/_inductor/metrics.ts";
import { run_and_get_code } from "../../../src/torch/_inductor/utils.ts";

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON and Python values
type Any = any;

const t = torch as Any;
const recorded = JSON.parse(readFileSync(new URL("../../fixtures/inductor.json", import.meta.url), "utf8"));
const cases = fileURLToPath(new URL("../../../tools/oracle/inductor_cases.py", import.meta.url));
const program = python(readFileSync(cases, "utf8"), {
  filename: cases,
  name: "inductor_cases",
  stdout: () => {},
}) as Any;

/** Programs whose kernels differ, and why. */
const OTHER_KERNELS: Record<string, string> = {
  double: "sin of float64 has no vector form",
  leaky_relu: "PyTorch takes it apart before it notes the operator",
  attention: "PyTorch replaces the scaled softmax by another form of it",
  argmax: "calls the operator",
  mutation: "PyTorch removes the clone",
  max_pool: "calls the operator",
  conv: "PyTorch copies the arguments to another memory format",
};

test.each([...program.CASES.keys()] as string[])("%s", (name) => {
  const [f, shapes] = program.CASES.get(name);
  const [out, codes] = run_and_get_code(compile_fx(f), ...program.inputs(shapes)) as Any;
  const eager = f(...program.inputs(shapes));
  const all = (value: Any): Any[] => (Array.isArray(value) ? [...value] : [value]);
  for (const [i, value] of all(eager).entries()) {
    expect(all(out)[i].dtype).toBe(value.dtype);
    expect(all(out)[i].stride()).toEqual(value.stride());
    expect(t.allclose(all(out)[i], value, { rtol: 1e-4, atol: 1e-5, equal_nan: true })).toBe(true);
  }
  const text = codes.join("\n");
  const kernels = [...text.matchAll(/^wasm_(fused_\w*?)_\d+ = /gm)].map(([, kernel]) => kernel);
  expect([...text.matchAll(/extern_kernels\.(\w+)\(/g)].map(([, call]) => call)).toEqual(recorded.cases[name].extern);
  if (name in OTHER_KERNELS) expect(kernels).not.toEqual(recorded.cases[name].kernels);
  else expect(kernels).toEqual(recorded.cases[name].kernels);
});

test("a call with other sizes compiles again, and both programs are kept", () => {
  const compiled = compile_fx((x: Any) => x.sin().add(1)) as Any;
  metrics.reset();
  const [a, b] = [t.randn(3, 4), t.randn(3, 4)];
  expect(t.allclose(compiled(a), a.sin().add(1))).toBe(true);
  expect(t.allclose(compiled(b), b.sin().add(1))).toBe(true);
  expect(metrics.generated_kernel_count).toBe(1);
  const c = t.randn(5, 7).t();
  expect(t.allclose(compiled(c), c.sin().add(1))).toBe(true);
  expect(metrics.generated_kernel_count).toBe(2);
});

test("tensors outside the heap are copied to it", () => {
  const x = t.frombuffer(new Float32Array([1, 2, 3, 4, 5]).buffer, { dtype: t.float32 });
  expect((compile_fx((v: Any) => v.mul(2).add(1)) as Any)(x).tolist()).toEqual([3, 5, 7, 9, 11]);
});
