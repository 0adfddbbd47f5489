import { beforeAll, describe, expect, test } from "vitest";
import { decode } from "#trace/symbol_entry";
import { symbol_index } from "#trace/symbol_index";
import { CodegenError } from "../../../tools/codegen/errors.ts";
import { ROOT, read_tree } from "../../../tools/codegen/file_system.ts";
import { generate } from "../../../tools/codegen/generate.ts";
import { shard_with, text_of } from "../../helpers/sharded.ts";

const YAML = "src/aten/native/native_functions.yaml";
const GENERATED = "src/aten/generated";
const repository = read_tree(ROOT);

/** The repository with more operators and the kernels they name. */
function tree_with(yaml: string, kernels: string): Map<string, string> {
  const files = new Map(repository);
  files.set(YAML, `${files.get(YAML)}\n${yaml}`);
  files.set("src/aten/native/NewOps.ts", kernels);
  return files;
}

test("a second run changes nothing", () => {
  const first = generate(repository).outputs;
  const after = new Map([...repository, ...first]);
  const second = generate(after).outputs;
  expect([...second.keys()]).toEqual([...first.keys()]);
  for (const [path, text] of second) expect(text === first.get(path), path).toBe(true);
}, 120_000);

describe("one new operator of each kind, the generator untouched", () => {
  const yaml = `
- func: _hypot2(Tensor self, Tensor other, *, Scalar scale=2) -> Tensor
  structured_delegate: _hypot2.out
  variants: function, method
  tags: pointwise

- func: _hypot2_(Tensor(a!) self, Tensor other, *, Scalar scale=2) -> Tensor(a!)
  structured_delegate: _hypot2.out
  variants: method

- func: _hypot2.out(Tensor self, Tensor other, *, Scalar scale=2, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU: _hypot2_out

- func: _middle(Tensor(a) self, int dim=-1) -> Tensor(a)
  variants: function, method
  dispatch:
    CompositeExplicitAutograd: _middle

- func: _twice(Tensor self) -> Tensor
  variants: function, method

- func: _noise(SymInt[] size, float std=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
  dispatch:
    CompositeExplicitAutograd: _noise

- func: _minmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor min, Tensor max)
  structured_delegate: _minmax.dim_out
  variants: function, method

- func: _minmax.dim_out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) max) -> (Tensor(a!) min, Tensor(b!) max)
  structured: True
  precomputed:
  - dim -> int dim, int extent
  dispatch:
    CPU: _minmax_out

- func: _scramble_(Tensor(a!) self, int seed=0) -> Tensor(a!)
  variants: method
  dispatch:
    CPU: _scramble_
  autogen: _scramble, _scramble.out
`;
  const kernels = `
export class structured__hypot2 extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor, scale: Scalar): void {}
}
export class structured__hypot2_out extends structured__hypot2 {
  impl(self: Tensor, other: Tensor, scale: Scalar, out: Tensor): void {}
}
export function _middle(self: Tensor, dim: number): Tensor { return self; }
export function _twice(self: Tensor): Tensor { return self; }
export function _noise(size: number[], std: number, dtype: ScalarType | null, layout: Layout | null, device: Device | null, pin_memory: boolean | null): Tensor { return at.empty(size); }
export class structured__minmax_dim extends MetaBase { meta(self: Tensor, dim: number, keepdim: boolean) { return { dim, extent: 1 }; } }
export class structured__minmax_out extends structured__minmax_dim { impl(self: Tensor, dim: number, extent: number, keepdim: boolean, min: Tensor, max: Tensor): void {} }
export function _scramble_(self: Tensor, seed: number): Tensor { return self; }
`;
  let out: ReadonlyMap<string, string>;
  const file = (name: string) => text_of(`${GENERATED}/${name}`, (path) => out.get(path));
  beforeAll(() => {
    out = generate(tree_with(yaml, kernels)).outputs;
  }, 120_000);

  test("every one has its schema, its object in at::_ops and its function", () => {
    for (const op of [
      "_hypot2(",
      "_hypot2_(",
      "_hypot2.out(",
      "_middle(",
      "_twice(",
      "_noise(",
      "_minmax.dim(",
      "_scramble_(",
      "_scramble(",
      "_scramble.out(",
    ])
      expect(file("RegisterSchema.ts")).toContain(`m.def_checked("${op}`);
    expect(file("Operators.ts")).toContain("export const _hypot2_out = {");
    expect(file("Operators.ts")).toContain("op.extractor.getDispatchKeySet3(self, other, out)");
    expect(file("Functions.ts")).toContain(
      "export function _hypot2(self: Tensor, other: Tensor, scale: Scalar = Scalar.fromInt(2)): Tensor {",
    );
    expect(file("core/TensorBody.ts")).toContain(
      "  _hypot2_(other: Tensor, scale: Scalar = Scalar.fromInt(2)): Tensor {",
    );
    expect(file("Functions.ts")).toContain(
      "export function _noise(size: number[], std: number = 1, options: TensorOptions = TensorOptions.EMPTY): Tensor {",
    );
  });

  test("structured: a kernel and three wrappers on CPU and Meta, two on the default backend", () => {
    const cpu = file("RegisterCPU.ts");
    expect(cpu).toContain('m.impl("_hypot2", wrapper_CPU__hypot2, "wrapper_CPU__hypot2");');
    expect(cpu).toContain('m.impl("_hypot2_", wrapper_CPU__hypot2_, "wrapper_CPU__hypot2_");');
    expect(cpu).toContain('m.impl("_hypot2.out", wrapper_CPU__hypot2_out_out, "wrapper_CPU__hypot2_out_out");');
    expect(cpu).toContain(
      'const structured__hypot2_out = new StructuredKernel(native.structured__hypot2_out, 1, create_out_CPU, "structured__hypot2", "structured__hypot2_out");',
    );
    expect(cpu).toContain(
      [
        "  const op = structured__hypot2_out.functional();",
        "  op.meta(self, other, scale);",
        "  const result = op.outputs.outputs_[0];",
        "  op.impl(self, other, scale, result);",
        "  op.outputs.finish();",
        "  return result;",
      ].join("\n"),
    );
    expect(cpu).toContain(
      [
        "  const op = structured__hypot2_out.out(out);",
        "  op.meta(self, other, scale);",
        "  op.impl(self, other, scale, op.outputs.at(0));",
        "  op.outputs.finish();",
        "  return out;",
      ].join("\n"),
    );
    expect(file("RegisterMeta.ts")).toContain(
      'const structured__hypot2_meta = new StructuredKernel(native.structured__hypot2, 1, create_out_Meta, "structured__hypot2", null);',
    );
    for (const variant of ["functional()", "inplace(self)", "out(out)"])
      expect(file("RegisterMeta.ts")).toContain(`const op = structured__hypot2_meta.${variant};`);
    const default_backend = file("RegisterCompositeExplicitAutogradNonFunctional.ts");
    expect(default_backend).toContain(
      "    const result = op.outputs.outputs_[0];\n    at._hypot2_out(self, other, scale, result);",
    );
    expect(default_backend.match(/const op = structured__hypot2_default_backend\./g)?.length).toBe(2);
    expect(default_backend).not.toContain('m.impl("_hypot2.out"');
  });

  test("several outputs and precomputed values", () => {
    const cpu = file("RegisterCPU.ts");
    expect(cpu).toContain("  const precompute = op.meta(self, dim, keepdim);");
    expect(cpu).toContain("  op.impl(self, precompute.dim, precompute.extent, keepdim, result0, result1);");
    expect(cpu).toContain("  return [result0, result1];");
    expect(cpu).toContain("  const op = structured__minmax_out.outs(min, max);");
    expect(cpu).toContain(
      "function wrapper_CPU__minmax_dim(_ks: DispatchKeySet, self: Tensor, dim: number, keepdim: boolean): [Tensor, Tensor] {",
    );
  });

  test("view, composite and factory", () => {
    expect(file("RegisterCompositeExplicitAutograd.ts")).toContain(
      'm.impl("_middle", wrapper_CompositeExplicitAutograd___middle',
    );
    expect(file("RegisterCompositeImplicitAutograd.ts")).toContain("return native._twice(self);");
    expect(file("RegisterBackendSelect.ts")).toContain(
      "const ks = setOfKey(computeDispatchKey(dtype, layout, device));",
    );
    expect(file("RegisterBackendSelect.ts")).toContain('m.impl("_noise", _noise, "_noise");');
    expect(file("NativeFunctions.ts")).toMatch(/_middle,[\s\S]*from "#aten\/native\/NewOps"/);
  });

  test("autogen: in-place gives a functional kernel that clones and an out kernel that copies", () => {
    const composite = file("CompositeViewCopyKernels.ts");
    expect(composite).toContain(
      "  const self_clone = clone_arg(self);\n  _ops._scramble_.call(self_clone, seed);\n  return self_clone;",
    );
    expect(composite).toContain(
      "  const tmp_output = _ops._scramble.call(self, seed);\n  resize_out_helper(out, tmp_output);\n  copy_arg(out, tmp_output);\n  return out;",
    );
    expect(file("RegisterMeta.ts")).toContain("Cannot inplace into non-meta tensor with meta tensor argument");
    expect(file("RegisterCompositeExplicitAutograd.ts")).toContain('m.impl("_scramble.out"');
  });

  test("the symbol index knows their lines and where they come from", () => {
    const symbols = decode(symbol_index([...tree_with(yaml, kernels), ...out]));
    const wrapper = symbols.find((s) => s.symbol === "at::(anonymous namespace)::wrapper_CPU__hypot2");
    expect(wrapper?.from).toBe("native_functions.yaml#_hypot2");
    expect(wrapper?.file).toBe(shard_with(`${GENERATED}/RegisterCPU.ts`, "_hypot2"));
    expect(out.get(wrapper?.file ?? "")?.split("\n")[(wrapper?.line ?? 0) - 1]).toContain(
      "function wrapper_CPU__hypot2(",
    );
    expect(symbols.find((s) => s.symbol === "at::native::_scramble")?.from).toBe("native_functions.yaml#_scramble_");
    expect(symbols.some((s) => s.symbol === "at::meta::structured__hypot2::meta" && s.file.endsWith("NewOps.ts"))).toBe(
      true,
    );
    expect(symbols.some((s) => s.symbol === "at::native::structured__hypot2_out::impl")).toBe(true);
  });
});

describe("kernels that cannot be found", () => {
  const small = (yaml: string, kernels: string): (() => unknown) => {
    const files = new Map([...repository].filter(([path]) => path.endsWith(".tmpl") || path.endsWith("tags.yaml")));
    files.set(YAML, yaml);
    files.set("src/aten/native/NewOps.ts", kernels);
    return () => generate(files);
  };
  const error_of = (run: () => unknown): CodegenError => {
    try {
      run();
    } catch (error) {
      if (error instanceof CodegenError) return error;
      throw error;
    }
    throw new Error("no error");
  };

  test("no function of that name", () => {
    const error = error_of(small("- func: _f(Tensor self, int n) -> Tensor\n  dispatch:\n    CPU: _f_cpu\n", ""));
    expect(error.place).toEqual({ file: YAML, line: 3 });
    expect(error.message).toContain("no function '_f_cpu' for '_f'");
    expect(error.way_out).toContain("export function _f_cpu(self, n)");
  });

  test("a function with other parameters", () => {
    const error = error_of(
      small(
        "- func: _f(Tensor self, int n) -> Tensor\n  dispatch:\n    CPU: _f_cpu\n",
        "export function _f_cpu(self: Tensor): Tensor {\n  return self;\n}\n",
      ),
    );
    expect(error.message).toContain("takes 1 arguments, '_f' has 2");
  });

  test("two functions of one name", () => {
    const twice = "export function _f_cpu(self: Tensor): Tensor {\n  return self;\n}\n";
    const files = new Map([...repository].filter(([path]) => path.endsWith(".tmpl") || path.endsWith("tags.yaml")));
    files.set(YAML, "- func: _f(Tensor self) -> Tensor\n  dispatch:\n    CPU: _f_cpu\n");
    files.set("src/aten/native/A.ts", twice);
    files.set("src/aten/native/B.ts", twice);
    expect(error_of(() => generate(files)).message).toContain(
      "exported twice: src/aten/native/A.ts:1 and src/aten/native/B.ts:1",
    );
  });

  test("a stub without a kernel", () => {
    const error = error_of(small("", 'export const _f_stub = DEFINE_DISPATCH<unary_fn>("_f_stub");\n'));
    expect(error.place).toEqual({ file: "src/aten/native/NewOps.ts", line: 1 });
    expect(error.message).toContain("nothing registers a kernel for '_f_stub'");
  });

  test("a structured operator without its classes", () => {
    const yaml =
      "- func: _f(Tensor self) -> Tensor\n  structured_delegate: _f.out\n- func: _f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n  dispatch:\n    CPU: _f_out\n";
    expect(error_of(small(yaml, "")).message).toContain("no class 'structured__f' for '_f.out'");
    const meta = "export class structured__f extends MetaBase {\n  meta(self: Tensor): void {}\n}\n";
    expect(error_of(small(yaml, meta)).way_out).toContain(
      "export class structured__f_out extends structured__f { impl(...) }",
    );
  });
});
