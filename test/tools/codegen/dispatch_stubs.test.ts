/** A stub without a kernel is an error of the generator, which says where and what to write. */
import { expect, test } from "vitest";
import { check_dispatch_stubs } from "../../../tools/codegen/dispatch_stubs.ts";
import { ErrorList } from "../../../tools/codegen/errors.ts";

const NATIVE = "src/aten/native";
const STUB = `import { DEFINE_DISPATCH } from "./DispatchStub.ts";

export const wave_stub = DEFINE_DISPATCH<unary_fn>("wave_stub");
`;
const KERNEL = `import { wave_stub } from "../Waves.ts";

REGISTER_DISPATCH(wave_stub, wave_kernel, "wave_kernel");
`;
const IMPORTED = 'import "./WavesKernel.ts";\n';

/** Error messages for these files, each below `src/aten/native`. */
function told_of(texts: Readonly<Record<string, string>>, generated: Readonly<Record<string, string>> = {}): string[] {
  const errors = new ErrorList();
  const files = new Map(Object.entries(texts).map(([name, text]) => [`${NATIVE}/${name}`, text]));
  check_dispatch_stubs(files, new Map(Object.entries(generated)), errors);
  return errors.sorted().map((e) => e.message);
}

test("a stub with a kernel whose file is imported", () => {
  expect(told_of({ "Waves.ts": STUB, "cpu/WavesKernel.ts": KERNEL, "cpu/RegisterKernels.ts": IMPORTED })).toEqual([]);
});

test("a stub that nothing registers", () => {
  expect(told_of({ "Waves.ts": STUB, "cpu/RegisterKernels.ts": "" })).toEqual([
    `src/aten/native/Waves.ts:3: DEFINE_DISPATCH: nothing registers a kernel for 'wave_stub'
  way out: write 'REGISTER_DISPATCH(wave_stub, ...)' in src/aten/native/cpu/WavesKernel.ts, and import that file in src/aten/native/cpu/RegisterKernels.ts`,
  ]);
  expect(told_of({ "Waves/index.ts": STUB })[0]).toContain("in src/aten/native/cpu/WavesKernel.ts");
});

test("a comment registers nothing", () => {
  const comment = '// REGISTER_DISPATCH(wave_stub, wave_kernel, "wave_kernel");\n';
  expect(told_of({ "Waves.ts": STUB, "cpu/WavesKernel.ts": comment, "cpu/RegisterKernels.ts": IMPORTED })[0]).toContain(
    "nothing registers a kernel for 'wave_stub'",
  );
});

test("a stub may be another device's alone, as `mean_stub` is", () => {
  const webgpu = 'REGISTER_PRIVATEUSE1_DISPATCH(wave_stub, wave, "wave_webgpu");\n';
  expect(told_of({ "Waves.ts": STUB, "webgpu/Waves.ts": webgpu })).toEqual([]);
});

test("a file of kernels that nobody imports, or only for its types", () => {
  for (const text of ["", 'import type { Wave } from "./WavesKernel.ts";\n'])
    expect(told_of({ "Waves.ts": STUB, "cpu/WavesKernel.ts": KERNEL, "cpu/RegisterKernels.ts": text })).toEqual([
      `src/aten/native/cpu/WavesKernel.ts:3: REGISTER_DISPATCH: no file imports this one, so 'wave_stub' has no kernel
  way out: write 'import "./WavesKernel.ts";' in src/aten/native/cpu/RegisterKernels.ts`,
    ]);
});

test("other ways to register that count", () => {
  const over_lines = "REGISTER_DEFAULT_DISPATCH(\n  stubs.wave_stub,\n  wave_kernel,\n);\n";
  const through = 'import { wave } from "./WavesKernel.ts";\n';
  const ways: Record<string, string>[] = [
    { "cpu/WavesKernel.ts": over_lines, "cpu/RegisterKernels.ts": IMPORTED },
    { "cpu/WavesKernel.ts": KERNEL, "cpu/Waves.ts": through, "cpu/RegisterKernels.ts": 'import "./Waves.ts";\n' },
    { "cpu/WavesKernel.ts": KERNEL, "Sea.ts": 'import { wave } from "./cpu/WavesKernel.ts";\n' },
    { "Sea.ts": KERNEL },
  ];
  for (const way of ways) expect(told_of({ "Waves.ts": STUB, ...way })).toEqual([]);
  expect(told_of({ "Waves.ts": STUB }, { "src/aten/generated/UfuncCPUKernel_wave.ts": KERNEL })).toEqual([]);
});
