/**
 * Operators nobody has seen, one or more of each kind, added by the steps a contributor takes; and entries with a mistake in them. The
 * generator, the bindings, autograd and the trace know kinds of operators, never a particular one.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Files } from "../../../tools/codegen/context.ts";
import { CodegenError, errors_of } from "../../../tools/codegen/errors.ts";
import { read_tree } from "../../../tools/codegen/file_system.ts";
import { generate } from "../../../tools/codegen/generate.ts";
import { shard_with } from "../../helpers/sharded.ts";
import { Tree } from "../../helpers/tree.ts";
import { add_unseen_operators } from "./unseen/add.ts";

const YAML = "src/aten/native/native_functions.yaml";
const DERIVATIVES = "tools/codegen/autograd/derivatives.yaml";

/** 1-based line of the entry that begins with `text`. */
function line_of(tree: Tree, path: string, text: string): number {
  return (
    tree
      .read(path)
      .split("\n")
      .findIndex((l) => l.startsWith(text)) + 1
  );
}

describe("new operators", () => {
  let tree: Tree;
  let made: { status: number; output: string };
  // biome-ignore lint/suspicious/noExplicitAny: named answers of the program, of every type
  let got: Record<string, any>;
  beforeAll(() => {
    tree = new Tree();
    add_unseen_operators(tree);
    made = tree.codegen();
    got =
      made.status === 0
        ? (tree.run(readFileSync(new URL("unseen/program.ts.txt", import.meta.url), "utf8")) as typeof got)
        : {};
  }, 240_000);
  afterAll(() => tree.remove());

  test("are generated, and a second run changes nothing", () => {
    expect(made.status, made.output).toBe(0);
    expect(tree.codegen().output).toContain(" 0 written, 0 removed");
  }, 240_000);

  test("structured pointwise: function, method, in place, out=, torch.ops, promotion, broadcasting", () => {
    expect(got["hypot"]).toEqual([5, Math.hypot(6.5, 2.5)]);
    for (const form of ["hypot kw", "hypot method", "hypot ops"])
      expect(got[form]).toEqual([10, 2 * Math.hypot(6.5, 2.5)]);
    expect(got["hypot inplace"]).toEqual([true, got["hypot"], 1]);
    expect(got["hypot out"]).toEqual([true, got["hypot"]]);
    expect(got["hypot ops out"]).toEqual(got["hypot"]);
    expect(got["hypot int"]).toEqual(["torch.float32", [1], [1], "cpu"]);
    expect(got["hypot promote"]).toEqual(["torch.float32", [2, 3], [3, 1], "cpu"]);
    // A hint about whole numbers follows.
    expect(got["hypot out wrong dtype"]).toMatch(
      /^RuntimeError: result type Double can't be cast to the desired output type Long\b/,
    );
    expect(got["hypot mismatch"]).toBe(
      "RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0",
    );
  });

  test("structured reduction with a precomputed argument", () => {
    expect(got["energy"]).toEqual([
      [17, 29, 45],
      [[14], [77]],
      [14, 77],
      [14, 77],
    ]);
    expect(got["energy int"]).toEqual([10, 20]);
    expect(got["energy out"]).toEqual([true, [17, 29, 45]]);
    expect(got["energy out strided"]).toEqual([true, [17, 29, 45], [2]]); // through a proxy, since the kernel wants a contiguous output
    expect(got["energy bad dim"]).toBe(
      "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 5)",
    );
  });

  test("autogen: functional and out from the in-place operator, out from the functional one; no Python binding for these", () => {
    expect(got["scramble_"]).toEqual([true, [9, 19.5], 1]);
    expect(got["scramble"]).toEqual([[9, 19.5], [3, 6.5], 0]);
    expect(got["scramble out"]).toEqual([
      [9, 19.5],
      [3, 6.5],
    ]);
    expect(got["torch.scramble"]).toBe("undefined");
    expect(got["scramble grad"]).toEqual([true, "ScrambleBackward0"]);
    expect(got["doubled"]).toEqual([
      [6, 13],
      [12, 26],
    ]);
    expect(got["doubled out"]).toEqual([12, 26]);
    expect(got["doubled torch out"]).toBe("TypeError: doubled() got an unexpected keyword argument 'out'");
    expect(got["everything out"]).toEqual([24, 32.5]);
  });

  test("views: one and several, in place on them", () => {
    expect(got["middle"]).toEqual([[2, 5], true, true, ["torch.float64", [2], [3], "cpu"], [4, 5, 6]]);
    expect(got["middle inplace"]).toEqual(["torch::autograd::CopySlices", "AsStridedBackward0"]);
    expect(got["halves"]).toEqual([
      [
        [
          [1, 2],
          [4, 5],
        ],
        [[3], [6]],
      ],
      [true, true],
      true,
    ]);
    expect(got["halves inplace"]).toMatch(
      /^RuntimeError: Output 0 of Halves is a view and is being modified inplace\./,
    );
  });

  test("composites, factory, several outputs, arguments of every type, nn, an overload more", () => {
    expect(got["centered"]).toEqual([
      [
        [-1, 0, 1],
        [-1, 0, 1],
      ],
      [
        [-1.5, -1.5, -1.5],
        [1.5, 1.5, 1.5],
      ],
    ]);
    expect(got["squared_sum"]).toEqual([91, 441, 91]);
    expect(got["ramp"]).toEqual([
      [
        [0, 1],
        [2, 3],
      ],
      [0, 2.5, 5],
      [0, 2, 4],
      ["torch.float16", [3], [1], "meta"],
      [2],
      true,
    ]);
    expect(got["sad"]).toEqual([
      [7, 9],
      [-1, 4],
      true,
      "torch.return_types.sum_and_difference(\nsum=tensor([7., 9.], dtype=torch.float64)",
    ]);
    expect(got["sad out"]).toEqual([true, true, [7, 9], [-1, 4]]);
    expect(got["everything"]).toEqual([
      [6, 13],
      [36.5, 45],
      [63, 73.625],
    ]);
    expect(got["everything noisy"][0]).toEqual(got["everything noisy"][1]);
    expect(got["everything bad"]).toBe("RuntimeError: everything: no mode x");
    expect(got["everything bad type"]).toBe(
      "TypeError: everything(): argument 'scale' (position 3) must be Number, not str",
    );
    const seen = {
      maybe: [true, true],
      factors: [2, 0.5],
      dims: [1, 2],
      count: 3,
      limit: 2.5,
      scalars: [1, 2.5, 1],
      to: 6,
      on: "cpu",
      format: 2,
      kind: 0,
      flag: true,
      text: "tell",
      more: [1],
    };
    expect(got["all_types"]).toBe(`RuntimeError: ${JSON.stringify(seen)}`);
    expect(got["all_types ops"]).toBe(`RuntimeError: ${JSON.stringify({ ...seen, maybe: [null, true] })}`);
    expect(got["all_types few"]).toEqual([9, 19.5]);
    expect(got["all_types float list"]).toBe(
      "TypeError: all_types(): argument 'factors' must be tuple of floats, but found element of type str at pos 2",
    );
    expect(got["all_types missing"]).toBe(
      'TypeError: all_types() missing 2 required positional argument: "scalars", "to"',
    );
    expect(got["smooth"].slice(2)).toEqual(["undefined", "undefined", ["torch.float32", [2], [1], "meta"]]);
    expect(got["relu.limit"]).toEqual([[0, 2, 4], [0, 4.5], [0, 2, 9], [4], ["default", "limit", "out"]]);
    expect(got["hidden"]).toEqual([
      [-3, -6.5],
      [
        [4, 2.5],
        [4, 2.5],
      ],
      "undefined",
      "undefined",
    ]);
  });

  test("meta: shapes and strides without data, and the refusal where there is only a CPU kernel", () => {
    expect(got["hypot meta"]).toEqual(["torch.float32", [2, 3], [3, 1], "meta"]);
    expect(got["energy meta"]).toEqual(["torch.float32", [1, 3], [3, 1], "meta"]);
    expect(got["scramble_ meta"]).toEqual(["torch.float32", [2], [1], "meta"]);
    expect(got["middle meta"]).toEqual(["torch.float32", [2], [3], "meta"]);
    expect(got["halves meta"]).toEqual([
      ["torch.float32", [2], [1], "meta"],
      ["torch.float32", [1], [1], "meta"],
    ]);
    expect(got["everything meta"]).toEqual(["torch.float32", [2], [1], "meta"]);
    expect(got["doubled meta"]).toMatch(
      /^NotImplementedError: aten::doubled: attempted to run this operator with Meta tensors/,
    );
  });

  test("gradients agree with finite differences; without a derivative backward says so", () => {
    const checks = Object.entries(got).filter(([name]) => /^grad(grad)? /.test(name));
    expect(checks.length).toBeGreaterThan(20);
    expect(checks.filter(([, value]) => value !== true)).toEqual([]);
    expect(got["opaque"]).toEqual([9, 19.5]);
    expect(got["opaque grad"]).toBe("RuntimeError: derivative for aten::opaque is not implemented");
  });

  test("paths", () => {
    const path = (...rows: string[]) => rows;
    expect(got["trace hypot"]).toEqual(
      path(
        "0 scaled_hypot call AutogradCPU VariableType::scaled_hypot",
        "1 scaled_hypot redispatch CPU wrapper_CPU_scaled_hypot",
      ),
    );
    expect(got["trace hypot_"]).toEqual(
      path(
        "0 scaled_hypot_ call AutogradCPU VariableType::scaled_hypot_",
        "1 scaled_hypot_ redispatch ADInplaceOrView ADInplaceOrView::scaled_hypot_",
        "2 scaled_hypot_ redispatch CPU wrapper_CPU_scaled_hypot_",
      ),
    );
    expect(got["trace hypot out"][2]).toBe("2 scaled_hypot_out redispatch CPU wrapper_CPU_scaled_hypot_out_out");
    expect(got["trace hypot backward"]).toEqual([
      "SumBackward0::apply",
      "ScaledHypotBackward0::apply",
      "AccumulateGrad::apply",
    ]);
    expect(got["trace scramble"].slice(0, 2)).toEqual(
      path(
        "0 scramble redispatch CPU wrapper_CompositeExplicitAutograd__scramble",
        "1 clone call CPU wrapper_CompositeExplicitAutograd__clone",
      ),
    );
    // torch.ops goes in boxed, and so do the keys above the backend's; the rows are the calls that are not.
    const unboxed = got["trace scramble out"]
      .map((r: string) => r.replace(/^\d+ /, ""))
      .filter((r: string) => !r.includes("ADInplaceOrView"));
    expect(unboxed.slice(0, 2)).toEqual(
      path(
        "scramble_out redispatch CPU wrapper_CompositeExplicitAutograd_out_scramble_out",
        "scramble call CPU wrapper_CompositeExplicitAutograd__scramble",
      ),
    );
    expect(got["middle trace"]).toEqual(
      path(
        "0 middle call AutogradCPU VariableType::middle",
        "1 middle redispatch ADInplaceOrView ADInplaceOrView::middle",
        "2 middle redispatch CPU wrapper_CompositeExplicitAutograd__middle",
        "3 select_int call CPU wrapper_CompositeExplicitAutograd_int_select",
        "4 as_strided call CPU wrapper_CPU__as_strided",
      ),
    );
    expect(got["centered trace"].slice(0, 3)).toEqual(
      path(
        "0 centered call AutogradCPU wrapper_CompositeImplicitAutograd__centered",
        "1 mean_dim call AutogradCPU VariableType::mean_dim",
        "2 mean_dim redispatch CPU wrapper_CPU_mean_dim",
      ),
    );
    expect(got["squared_sum trace"].slice(0, 2)).toEqual(
      path(
        "0 squared_sum call AutogradCPU VariableType::squared_sum",
        "1 squared_sum redispatch CPU wrapper_CompositeExplicitAutograd__squared_sum",
      ),
    );
    expect(got["ramp trace"].slice(0, 2)).toEqual(
      path("0 ramp call BackendSelect ramp", "1 ramp redispatch CPU wrapper_CPU__ramp"),
    );
    expect(got["ramp trace meta"].slice(0, 2)).toEqual(
      path("0 ramp call BackendSelect ramp", "1 ramp redispatch Meta wrapper_Meta__ramp"),
    );
    expect(got["trace sad out"].slice(0, 3).map((r: string) => r.split(" ").at(-1))).toEqual([
      "VariableType::sum_and_difference_out_out",
      "ADInplaceOrView::sum_and_difference_out_out",
      "wrapper_CPU_out_sum_and_difference_out",
    ]);
    expect(got["trace smooth"]).toEqual(
      path(
        "0 smooth_gate call AutogradCPU VariableType::smooth_gate",
        "1 smooth_gate redispatch CPU wrapper_CPU_smooth_gate",
      ),
    );
    expect(got["trace relu"].slice(0, 2)).toEqual(
      path(
        "0 relu_limit call AutogradCPU wrapper_CompositeImplicitAutograd_limit_relu",
        "1 relu call AutogradCPU VariableType::relu",
      ),
    );
  });

  test("positions: every event of the new operator has its file and line, the loop its scalar function", () => {
    expect(got["events hypot"].map((e: unknown[]) => e[0])).toEqual([
      "binding",
      "op",
      "kernel",
      "op",
      "kernel",
      "native",
      "native",
      "stub",
      "loop",
    ]);
    for (const [, name, file, line] of got["events hypot"])
      expect([name, typeof file, line]).toEqual([name, "string", "number"]);
    for (const [file, line] of got["lines hypot"])
      expect(tree.read(file).split("\n")[line - 1]).toMatch(/scaled_hypot|meta\(|impl\(/);
    expect(got["lines hypot"].some(([file]: [string]) => file.endsWith("UnseenKernel.ts"))).toBe(true);
  });

  test("schemas and dispatch tables", () => {
    for (const [name, schema] of Object.entries(got).filter(([n]) => n.startsWith("schema "))) {
      const line = tree
        .read(YAML)
        .split("\n")
        .find((l) => l.startsWith(`- func: ${name.slice(7)}(`)) as string;
      expect(schema).toBe(`schema: aten::${line.slice("- func: ".length).replace("=1.0)", "=1.)")}`);
    }
    const rows = (name: string) =>
      ["CPU", "Meta", "AutogradCPU", "ADInplaceOrView"].map((k) => got[`table ${name}`][k]);
    const own = (name: string) => [
      `${shard_with("RegisterCPU.ts", name)} [kernel]`,
      `${shard_with("RegisterMeta.ts", name)} [kernel]`,
      `${shard_with("VariableType.ts", name)} [autograd kernel]`,
    ];
    const explicit = (name: string) =>
      `${shard_with("RegisterCompositeExplicitAutograd.ts", name)} [default backend kernel]`;
    const math = (name: string) => `${shard_with("RegisterCompositeImplicitAutograd.ts", name)} [math kernel]`;
    const passes = "VariableFallbackKernel.ts [backend fallback]";
    const records = (name: string) => `${shard_with("ADInplaceOrViewType.ts", name)} [kernel]`;
    for (const name of ["scaled_hypot", "energy.dim"]) expect(rows(name)).toEqual([...own(name), passes]);
    // scramble_ has a Meta kernel of its own: in-place operators get one
    for (const name of ["scaled_hypot_", "scaled_hypot.out", "scramble_"])
      expect(rows(name)).toEqual([...own(name), records(name)]);
    for (const name of ["scramble", "squared_sum", "everything", "_hidden_backward"])
      expect(rows(name)).toEqual([explicit(name), explicit(name), own(name)[2], passes]);
    for (const name of ["scramble.out", "doubled.out", "everything.out", "middle", "halves"])
      expect(rows(name)).toEqual([explicit(name), explicit(name), own(name)[2], records(name)]);
    for (const name of ["centered", "relu.limit"])
      expect(rows(name)).toEqual([math(name), math(name), math(name), passes]);
    for (const name of ["doubled", "sum_and_difference", "opaque"])
      expect(rows(name)).toEqual([own(name)[0], "MetaFallbackKernel.ts [backend fallback]", own(name)[2], passes]);
    expect(got["table ramp"]["BackendSelect"]).toBe("RegisterBackendSelect.ts [kernel]");
    expect(got["table scaled_hypot"]["Undefined"]).toBe(
      `${shard_with("RegisterCompositeExplicitAutogradNonFunctional.ts", "scaled_hypot")} [default backend kernel]`,
    );
  });

  test("explain prints schema, kernel and derivative", () => {
    const { status, output } = tree.explain("scaled_hypot");
    expect(status, output).toBe(0);
    expect(output).toContain(`${YAML}:${line_of(tree, YAML, "- func: scaled_hypot(")}`);
    expect(output).toContain("scaled_hypot(Tensor self, Tensor other, *, Scalar scale=1) -> Tensor");
    expect(output).toMatch(/at::native::structured_scaled_hypot_out\S*\s+src\/aten\/native\/Unseen\.ts:\d+/);
    expect(output).toContain(`${DERIVATIVES}:${line_of(tree, DERIVATIVES, "- name: scaled_hypot(")}`);
    expect(output).toContain("scaled_hypot_backward(grad, other, result, scale)");
    const view = tree.explain("middle").output;
    expect(view).toMatch(/at::native::middle\s+src\/aten\/native\/Unseen\.ts:\d+/);
    expect(view).toContain("select_backward_symint(grad");
    const composite = tree.explain("torch.centered(x)").output;
    expect(composite).toMatch(/at::native::centered\s+src\/aten\/native\/Unseen\.ts:\d+/);
    expect(composite).toContain("none: it follows from the operators it calls");
  }, 240_000);
});

describe("a mistake is an error that names file, line, field and the way out", () => {
  let files: Map<string, string>;
  beforeAll(() => {
    const tree = new Tree();
    add_unseen_operators(tree);
    files = read_tree(tree.root);
    tree.remove();
  });

  interface Mistake {
    readonly what: string;
    /** The operator that it is about; none if nothing behind it is read. */
    readonly of?: string;
    readonly file: string;
    readonly from: string;
    readonly to: string;
    /** Text that begins the line the error names, after the edit; the edited text itself if not given. */
    readonly at?: string;
    readonly says: RegExp;
  }
  const unseen = "src/aten/native/Unseen.ts";
  const kernel = "src/aten/native/cpu/UnseenKernel.ts";
  const mistakes: Mistake[] = [
    {
      what: "bad YAML",
      file: YAML,
      from: "- func: centered(Tensor self, int dim=-1) -> Tensor",
      to: "- func: centered(Tensor self, int dim=-1) -> Tensor: yes",
      says: /yaml/,
    },
    {
      what: "an unknown field",
      of: "doubled",
      file: YAML,
      from: "  autogen: doubled.out",
      to: "  autogenerate: doubled.out",
      says: /autogenerate: unknown field/,
    },
    {
      what: "an unknown variant",
      of: "centered",
      file: YAML,
      from: "- func: centered(Tensor self, int dim=-1) -> Tensor\n  variants: function, method",
      to: "- func: centered(Tensor self, int dim=-1) -> Tensor\n  variants: function, property",
      at: "  variants: function, property",
      says: /variants: unknown variant 'property'/,
    },
    {
      what: "an unknown tag",
      of: "everything",
      file: YAML,
      from: "  tags: nondeterministic_seeded\n\n- func: all_types",
      to: "  tags: [nondeterministic_seeded, random]\n\n- func: all_types",
      at: "  tags: [nondeterministic_seeded, random]",
      says: /tags: /,
    },
    {
      what: "an unknown dispatch key",
      of: "opaque",
      file: YAML,
      from: "    CPU: opaque",
      to: "    CPUs: opaque",
      says: /dispatch: /,
    },
    {
      what: "a bad schema",
      of: "centered",
      file: YAML,
      from: "- func: centered(Tensor self, int dim=-1)",
      to: "- func: centered(Tensor self int dim=-1)",
      says: /func: /,
    },
    {
      what: "an unknown type",
      of: "centered",
      file: YAML,
      from: "- func: centered(Tensor self, int dim=-1)",
      to: "- func: centered(Tensor self, integer dim=-1)",
      says: /func: .*integer/,
    },
    {
      what: "a default of another type",
      of: "centered",
      file: YAML,
      from: "- func: centered(Tensor self, int dim=-1)",
      to: "- func: centered(Tensor self, int dim=last)",
      says: /func: .*last/,
    },
    {
      what: "an in-place operator that writes nothing",
      of: "scramble_",
      file: YAML,
      from: "- func: scramble_(Tensor(a!) self, int seed=1) -> Tensor(a!)",
      to: "- func: scramble_(Tensor self, int seed=1) -> Tensor",
      says: /func: /,
    },
    {
      what: "a type that no Python parameter takes",
      of: "opaque",
      file: YAML,
      from: "- func: opaque(Tensor self)",
      to: "- func: opaque(bool[2] self)",
      at: `${YAML}|- func: opaque(bool[2] self)`,
      says: /func: no Python parameter type for 'bool\[2\]'/,
    },
    {
      what: "an operator twice",
      of: "relu",
      file: YAML,
      from: "- func: relu.limit(Tensor self, Scalar limit)",
      to: "- func: relu(Tensor self)",
      at: `${YAML}|- func: relu(Tensor self)`,
      says: /func: .*relu/,
    },
    {
      what: "two operators with one Python signature",
      of: "relu",
      file: YAML,
      from: "- func: relu.limit(Tensor self, Scalar limit) -> Tensor",
      to: "- func: relu.limit(Tensor self) -> Tensor",
      says: /func: |dispatch: /,
    },
    {
      what: "a delegate that is not there",
      of: "energy",
      file: YAML,
      from: "  structured_delegate: energy.dim_out",
      to: "  structured_delegate: energy.out",
      at: "- func: energy.dim(",
      says: /structured_delegate: /,
    },
    {
      what: "a missing kernel",
      of: "opaque",
      file: unseen,
      from: "export function opaque(",
      to: "export function opaque_kernel(",
      at: `${YAML}|    CPU: opaque`,
      says: /dispatch: no function 'opaque' for 'opaque'[\s\S]*way out: write 'export function opaque\(self\)'/,
    },
    {
      what: "a kernel with another number of parameters",
      of: "opaque",
      file: unseen,
      from: "export function opaque(self: Tensor)",
      to: "export function opaque(self: Tensor, more: Tensor)",
      at: `${YAML}|    CPU: opaque`,
      says: /dispatch: 'opaque' \(src\/aten\/native\/Unseen\.ts:\d+\) takes 2 arguments, 'opaque' has 1/,
    },
    {
      what: "a missing structured class",
      of: "energy",
      file: unseen,
      from: "export abstract class structured_energy_out extends",
      to: "export abstract class structured_energy_cpu extends",
      at: `${YAML}|- func: energy.dim_out`,
      says: /dispatch: no class 'structured_energy_out'/,
    },
    {
      what: "a derivative of an operator that is not there",
      of: "doubled",
      file: DERIVATIVES,
      from: "- name: doubled(",
      to: "- name: tripled(",
      says: /name: no operator/,
    },
    {
      what: "a derivative whose schema differs",
      of: "middle",
      file: DERIVATIVES,
      from: "- name: middle(Tensor(a) self, int dim=-1)",
      to: "- name: middle(Tensor(a) self, int dim=0)",
      says: /name: [\s\S]*int dim=-1/,
    },
    {
      what: "a derivative of an unknown input",
      of: "smooth_gate",
      file: DERIVATIVES,
      from: "  self: smooth_gate_backward(grad, self, beta)",
      to: "  gate: smooth_gate_backward(grad, self, beta)",
      says: /gate: .*no argument 'gate'/,
    },
    {
      what: "a derivative with an unknown name",
      of: "smooth_gate",
      file: DERIVATIVES,
      from: "  self: smooth_gate_backward(grad, self, beta)",
      to: "  self: smooth_gate_backward(grad, self, alpha)",
      says: /self: .*unknown name 'alpha'/,
    },
    {
      what: "a derivative with an unknown function",
      of: "smooth_gate",
      file: DERIVATIVES,
      from: "  self: smooth_gate_backward(grad, self, beta)",
      to: "  self: smooth_backward(grad, self, beta)",
      says: /self: .*no function 'smooth_backward'/,
    },
    {
      what: "a derivative with an unknown method",
      of: "everything",
      file: DERIVATIVES,
      from: "  weight: grad * self * scale",
      to: "  weight: grad.times(self) * scale",
      says: /weight: .*Tensor has no method 'times'/,
    },
    {
      what: "a derivative that names an overload",
      of: "everything",
      file: DERIVATIVES,
      from: "  weight: grad * self * scale",
      to: "  weight: grad.mul_Tensor(self) * scale",
      says: /weight: .*Tensor has no method 'mul_Tensor'[\s\S]*way out: write \.mul\(\.\.\.\)/,
    },
    {
      what: "a derivative with too few arguments for its helper",
      of: "smooth_gate",
      file: DERIVATIVES,
      from: "  self: smooth_gate_backward(grad, self, beta)",
      to: "  self: smooth_gate_backward(grad, self)",
      says: /self: .*'smooth_gate_backward' takes 3 arguments, not 2[\s\S]*way out: there is smooth_gate_backward\(Tensor grad, Tensor self, number beta\)/,
    },
    {
      what: "a derivative that gives a number",
      of: "everything",
      file: DERIVATIVES,
      from: "  weight: grad * self * scale",
      to: "  weight: 2 / sqrt(M_PI)",
      says: /weight: .*this is double, but the gradient of 'weight' is Tensor/,
    },
    {
      what: "a derivative in TypeScript",
      of: "everything",
      file: DERIVATIVES,
      from: "  weight: grad * self * scale",
      to: "  weight: grad.mul(new Scalar(2 / Math.sqrt(Math.PI)))",
      says: /weight: .*'new' cannot be used here[\s\S]*way out: .*a number is converted to a Scalar/,
    },
    {
      what: "a derivative that takes an absent tensor for an optional",
      of: "everything",
      file: DERIVATIVES,
      from: '  self: "weight.defined() ? grad *',
      to: '  self: "weight.has_value() ? grad *',
      at: '  self: "weight.has_value() ? grad * weight * scale',
      says: /self: .*no method 'has_value'[\s\S]*way out: .*\.defined\(\)/,
    },
    {
      what: "a derivative of a composite",
      of: "centered",
      file: DERIVATIVES,
      from: "- name: doubled(Tensor self, *, bool twice=False) -> Tensor\n",
      to: "- name: centered(Tensor self, int dim=-1) -> Tensor\n  self: grad\n\n- name: doubled(Tensor self, *, bool twice=False) -> Tensor\n",
      at: "- name: centered(",
      says: /name: 'centered' has a formula but no kernel of its own/,
    },
    {
      what: "a loop in a scalar function",
      of: "scaled_hypot",
      file: kernel,
      from: "  const squares = x * x + y * y;",
      to: "  const squares = x * x + y * y;\n  for (;;) break;",
      at: "  for (;;) break;",
      says: /scaled_hypot|for/i,
    },
    {
      what: "an unknown helper in a scalar function",
      of: "scaled_hypot",
      file: kernel,
      from: "scale * Math.sqrt(squares)",
      to: "scale * root(squares)",
      at: "  return scale * root",
      says: /root/,
    },
    {
      what: "a dtype that is none",
      of: "smooth_gate",
      file: kernel,
      from: "smooth_gate_cpu: floating types and halves",
      to: "smooth_gate_cpu: floating types, Float8",
      at: "export function smooth_gate(",
      says: /Float8/,
    },
    {
      what: "a public operator without a docstring",
      of: "opaque",
      file: "src/torch/_torch_docs.ts",
      from: "  opaque: Documented;\n",
      to: "",
      at: `${YAML}|- func: opaque(`,
      says: /docstring/,
    },
  ];

  // A run tells what is wrong with each operator as if it were alone, Note [All errors of a run]; so mistakes of different ones share a run.
  const runs: { readonly mistakes: Mistake[]; edited?: Files; errors?: readonly CodegenError[] }[] = [];
  for (const mistake of mistakes) {
    const shared = (of: string) => runs.find((run) => run.mistakes.every((m) => m.of !== undefined && m.of !== of));
    const run = mistake.of === undefined ? undefined : shared(mistake.of);
    if (run === undefined) runs.push({ mistakes: [mistake] });
    else run.mistakes.push(mistake);
  }

  test.each(runs.flatMap((run) => run.mistakes.map((m) => [m.what, m, run] as const)))(
    "%s",
    (_, { file, to, at, says }, run) => {
      run.edited ??= edited_by(run.mistakes);
      run.errors ??= told_of(run.edited);
      const [in_file, begins] =
        at === undefined
          ? [file, to.split("\n")[0]]
          : at.includes("|")
            ? (at.split("|") as [string, string])
            : [file, at];
      const line = (run.edited.get(in_file) as string).split("\n").findLastIndex((l) => l.includes(begins)) + 1;
      const told = run.errors.filter((e) => e.message.split("\n")[0].includes(`${in_file}:${line}: `));
      expect(told.map((e) => e.message)).toEqual([expect.stringMatching(says)]);
      expect(told[0].message).toContain("way out: ");
      // Nothing else is told: what follows from a mistake is not another one.
      expect(run.errors.map((e) => e.message)).toHaveLength(run.mistakes.length);
    },
    240_000,
  );

  /** The tree with these mistakes in it. */
  function edited_by(made: readonly Pick<Mistake, "file" | "from" | "to">[]): Files {
    const edited = new Map(files);
    for (const { file, from, to } of made) {
      const text = edited.get(file) as string;
      expect(text.split(from).length, from).toBe(2);
      edited.set(
        file,
        text.replace(from, () => to),
      );
    }
    return edited;
  }

  function told_of(edited: Files): readonly CodegenError[] {
    try {
      generate(edited);
    } catch (error) {
      expect(error).toBeInstanceOf(CodegenError);
      return errors_of(error as CodegenError);
    }
    throw new Error("nothing is wrong");
  }

  test("a run tells every mistake, each once, in the order of files and lines", () => {
    const together: Pick<Mistake, "what" | "file" | "from" | "to">[] = [
      ...mistakes.filter((m) =>
        [
          "an unknown field",
          "an unknown dispatch key",
          "a missing structured class",
          "a derivative with too few arguments for its helper",
          "a derivative that names an overload",
          "an unknown helper in a scalar function",
        ].includes(m.what),
      ),
      { what: "a missing kernel", file: unseen, from: "export function middle(", to: "export function center(" },
      {
        what: "no docstring",
        file: "src/torch/_torch_docs.ts",
        from: "  squared_sum: Documented;\n",
        to: "",
      },
    ];
    const edited = edited_by(together);
    const errors = told_of(edited);
    const line_of = (file: string, text: string): string =>
      `${file}:${(edited.get(file) as string).split("\n").findLastIndex((l) => l.includes(text)) + 1}`;
    expect(errors.map((e) => `${e.place.file}:${e.place.line}: ${e.field}`)).toEqual([
      `${line_of(kernel, "  return scale * root(")}: kernel text`,
      `${line_of(YAML, "- func: energy.dim_out(")}: dispatch`,
      `${line_of(YAML, "  autogenerate: doubled.out")}: autogenerate`,
      `${line_of(YAML, "    CompositeExplicitAutograd: middle")}: dispatch`,
      `${line_of(YAML, "- func: squared_sum(")}: func`,
      `${line_of(YAML, "    CPUs: opaque")}: dispatch`,
      `${line_of(DERIVATIVES, "  weight: grad.mul_Tensor")}: weight`,
      `${line_of(DERIVATIVES, "  self: smooth_gate_backward")}: self`,
    ]);
  }, 240_000);
});
