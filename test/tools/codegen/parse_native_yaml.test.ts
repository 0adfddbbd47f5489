import { expect, test } from "vitest";
import { parse_native_yaml } from "../../../tools/codegen/parse_native_yaml.ts";

const TAGS = ["core", "pointwise", "inplace_view", "nondeterministic_seeded"]
  .map((t) => `- tag: ${t}\n  desc: x\n`)
  .join("");

function parse(text: string) {
  return parse_native_yaml({ native_functions: { path: "n.yaml", text }, tags: { path: "tags.yaml", text: TAGS } });
}

const STRUCTURED = `
- func: foo(Tensor self) -> Tensor
  structured_delegate: foo.out
- func: foo_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: foo.out
- func: foo.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU: foo_out
`;

test("variants of a structured operator form one group", () => {
  const { grouped, backend_indices } = parse(STRUCTURED);
  expect(grouped).toHaveLength(1);
  expect(grouped[0]).toMatchObject({ structured: true });
  const out = parse(STRUCTURED).native_functions.find((f) => f.structured);
  expect(out && backend_indices.get("CPU")?.get_kernel(out)).toMatchObject({ kernel: "foo_out", structured: true });
});

test("no dispatch table means CompositeImplicitAutograd, under the operator's own name", () => {
  const { native_functions, backend_indices } = parse("- func: bar(Tensor self) -> Tensor\n");
  const [bar] = native_functions;
  expect(bar?.is_abstract).toBe(false);
  expect(bar && backend_indices.get("CompositeImplicitAutograd")?.get_kernel(bar)?.kernel).toBe("bar");
});

test("a backend that is not built here is dropped, but tells that the operator is no composite", () => {
  const [f] = parse("- func: baz(Tensor self) -> Tensor\n  dispatch:\n    CUDA: baz_cuda\n").native_functions;
  expect(f).toMatchObject({ is_abstract: true, has_composite_implicit_autograd_kernel: false });
});

test("autogen completes a group: in-place gives out and functional", () => {
  const { native_functions } = parse(
    "- func: zap_(Tensor(a!) self, int n=3) -> Tensor(a!)\n  dispatch:\n    CPU: zap_\n  autogen: zap, zap.out\n",
  );
  expect(native_functions.filter((f) => f.generated).map(String)).toEqual([
    "zap.out(Tensor self, int n=3, *, Tensor(a!) out) -> Tensor(a!)",
    "zap(Tensor self, int n=3) -> Tensor",
  ]);
});

test("a functional operator with several results gets one out argument for each", () => {
  const { native_functions } = parse(
    "- func: two(Tensor self) -> (Tensor, Tensor)\n  dispatch:\n    CPU: two_cpu\n  autogen: two.out\n",
  );
  expect(String(native_functions[1])).toBe(
    "two.out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
  );
});

test("a factory's generated out variant has no tensor options", () => {
  const { native_functions } = parse(
    "- func: filled_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor\n  dispatch:\n    CompositeExplicitAutograd: filled_like\n  autogen: filled_like.out\n",
  );
  expect(String(native_functions[1])).toBe(
    "filled_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
  );
});

const ok = "- func: ok(Tensor self) -> Tensor\n";
test.each<[string, string, string[]]>([
  [
    "unknown dispatch key",
    `${ok}- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPUU: f_cpu\n`,
    ["n.yaml:4: dispatch:", "unknown dispatch key 'CPUU'", "way out: use one of CPU, Meta"],
  ],
  ["bad schema", `${ok}- func: f(Tensor self -> Tensor\n`, ["n.yaml:2: func:", "bad schema"]],
  [
    "unknown field",
    "- func: f(Tensor self) -> Tensor\n  dipsatch:\n    CPU: f\n",
    ["n.yaml:2: dipsatch: unknown field"],
  ],
  [
    "unknown tag",
    "- func: f(Tensor self) -> Tensor\n  tags: [core, sticky]\n",
    ["n.yaml:2: tags: unknown tag 'sticky'", "add it to tags.yaml"],
  ],
  ["duplicate operator", `${ok}${ok}`, ["n.yaml:2: func: 'ok' occurs twice"]],
  [
    "two operators with one signature",
    "- func: f(Tensor self) -> Tensor\n- func: f.b(Tensor self) -> Tensor\n",
    ["has the same signature as 'f' (line 1)"],
  ],
  [
    "structured without out",
    "- func: f(Tensor self) -> Tensor\n  structured: True\n",
    ["n.yaml:2: structured: 'f' has no out argument", "put structured: True on the out= entry"],
  ],
  [
    "a delegate that does not exist",
    "- func: f(Tensor self) -> Tensor\n  structured_delegate: f.out\n",
    ["structured_delegate: 'f.out' does not exist"],
  ],
  [
    "a delegate that is not structured",
    "- func: f(Tensor self) -> Tensor\n  structured_delegate: f.out\n- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  dispatch:\n    CPU: f_out\n",
    ["'f.out' is not structured"],
  ],
  [
    "a functional operator that does not delegate",
    "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n  dispatch:\n    CPU: f_out\n",
    ["n.yaml:1: structured_delegate: 'f' lacks it", "add structured_delegate: f.out"],
  ],
  [
    "an out= operator alone",
    "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  dispatch:\n    CPU: f_out\n",
    ["no other variant of 'f.out' found"],
  ],
  [
    "autogen that lists something else",
    "- func: f_(Tensor(a!) self) -> Tensor(a!)\n  dispatch:\n    CPU: f_\n  autogen: f.out\n",
    ["autogen: lists 'f.out'", "write autogen: f, f.out"],
  ],
  [
    "a factory without dispatch table",
    "- func: f(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor\n",
    ["the factory 'f' has no dispatch table"],
  ],
  [
    "random without its tag",
    "- func: f(Tensor self, *, Generator? generator=None) -> Tensor\n  dispatch:\n    CPU: f\n",
    ["lacks the tag nondeterministic_seeded"],
  ],
  [
    "a dispatch table that says nothing",
    "- func: foo(Tensor self) -> Tensor\n  dispatch:\n    CompositeImplicitAutograd: foo\n",
    ["dispatch: is unnecessary", "delete the dispatch table"],
  ],
  [
    "a dispatch table that only renames",
    "- func: foo(Tensor self) -> Tensor\n  dispatch:\n    CompositeImplicitAutograd: bar\n",
    ["has the name 'bar', not 'foo'", "delete the dispatch table"],
  ],
  [
    "two composite keys",
    "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CompositeImplicitAutograd: f\n    CompositeExplicitAutograd: g\n",
    ["exclude each other"],
  ],
  [
    "a method that belongs to a module",
    "- func: f(Tensor self) -> Tensor\n  python_module: nn\n  variants: function, method\n",
    ["python_module: a function of a module cannot be a method"],
  ],
  ["malformed YAML", `${ok}- func: f(Tensor self) -> Tensor\n  dispatch: [\n`, ["n.yaml:", "yaml:"]],
  ["no list", "func: f\n", ["not a list"]],
  ["no func", "- dispatch:\n    CPU: f\n", ["n.yaml:1: func: missing"]],
])("%s is refused with place and way out", (_, text, parts) => {
  let message = "";
  try {
    parse(text);
  } catch (error) {
    message = (error as Error).message;
  }
  for (const part of parts) expect(message).toContain(part);
  expect(message).toContain("way out: ");
});
