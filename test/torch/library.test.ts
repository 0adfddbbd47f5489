/**
 * @file `torch.library` and `torch.ops`: operators made from the front end. Messages are PyTorch's, taken from runs of 2.13.0.
 */
import torch from "glasstorch";
import { afterEach, expect, test } from "vitest";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { setWarningHandler } from "#c10/util/Exception";
import type { OpOverload } from "#torch/_ops";

const { Library } = torch.library;
const opened: InstanceType<typeof Library>[] = [];

/** A library that is gone after the test. */
function library(ns: string, kind: string, key = "") {
  const lib = new Library(ns, kind, key);
  opened.push(lib);
  return lib;
}

afterEach(() => {
  while (opened.length > 0) opened.pop()?._destroy();
});

/** A kernel that notes its name and returns its argument. */
function noting(ran: string[], name: string) {
  return (x: unknown) => {
    ran.push(name);
    return x;
  };
}

/** A tensor's values, for comparing. */
const values = (x: unknown) => (x as { tolist(): unknown }).tolist();

test("an operator is defined, given a kernel, called", () => {
  const lib = library("mylib", "DEF");
  expect(lib.define("twice(Tensor x) -> Tensor")).toBe("mylib::twice");
  lib.impl("twice", (x) => x.mul(2), "CPU");
  expect(values(torch.ops.mylib.twice(torch.tensor([1, 2])))).toEqual([2, 4]);
  expect(String(lib)).toBe("Library(kind=DEF, ns=mylib, dispatch_key=)>");
  expect(torch._C._dispatch_dump("mylib::twice")).toMatch(
    /^name: mylib::twice\nschema: mylib::twice\(Tensor x\) -> Tensor\ndebug: registered at \S+\nalias analysis kind: FROM_SCHEMA\nCPU: registered at \S+ :: \(none\) \[ boxed \]\n$/,
  );
});

test("a kernel receives what differs from the defaults, keyword-only arguments in a last object", () => {
  const lib = library("mylib", "DEF");
  const seen: unknown[][] = [];
  lib.define("op(Tensor x, int y=2, *, float z=1.5) -> Tensor");
  const note = (...args: unknown[]) => {
    seen.push(args.slice(1));
    return args[0];
  };
  lib.impl("op", note, "CPU");
  const x = torch.ones([1]);
  torch.ops.mylib.op(x);
  torch.ops.mylib.op(x, 3, { z: 2 });
  torch.ops.mylib.op(x, { z: 1.5, y: 2 });
  torch.ops.mylib.op(x, { y: 7 });
  expect(seen).toEqual([[], [3, { z: 2 }], [], [7]]);
});

test.each<[string, (op: (...args: unknown[]) => unknown, x: unknown) => unknown, string]>([
  [
    "missing",
    (op) => op(),
    "mylib::op() is missing value for argument 'x'. Declaration: mylib::op(Tensor x, int y=2, *, float z=1.5) -> Tensor",
  ],
  [
    "too many",
    (op, x) => op(x, 2, 3),
    "mylib::op() takes 2 positional argument(s) but 3 was/were given.  Declaration: mylib::op(Tensor x, int y=2, *, float z=1.5) -> Tensor",
  ],
  [
    "unknown",
    (op, x) => op(x, { q: 2 }),
    "Unknown keyword argument 'q' for operator 'mylib::op'. Schema: mylib::op(Tensor x, int y=2, *, float z=1.5) -> Tensor",
  ],
  [
    "twice",
    (op, x) => op(x, { x }),
    "Argument 'x' specified both as positional and keyword argument. Schema: mylib::op(Tensor x, int y=2, *, float z=1.5) -> Tensor",
  ],
  [
    "no tensor",
    (op) => op(1),
    "mylib::op() Expected a value of type 'Tensor' for argument 'x' but instead found type 'int'.\nPosition: 0\nValue: 1\n" +
      "Declaration: mylib::op(Tensor x, int y=2, *, float z=1.5) -> Tensor\nCast error details: Unable to cast 1 to Tensor",
  ],
  [
    "no int",
    (op, x) => op(x, "a"),
    "mylib::op() Expected a value of type 'int' for argument 'y' but instead found type 'str'.\nPosition: 1\nValue: 'a'\n" +
      "Declaration: mylib::op(Tensor x, int y=2, *, float z=1.5) -> Tensor\nCast error details: Unable to cast Python instance of type <class 'str'> to C++ type '?' " +
      "(#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)",
  ],
])("a call with the wrong arguments: %s", (_, call, message) => {
  const lib = library("mylib", "DEF");
  lib.define("op(Tensor x, int y=2, *, float z=1.5) -> Tensor");
  lib.impl("op", (x) => x, "CPU");
  let error: Error | null = null;
  try {
    call(torch.ops.mylib.op, torch.ones([1]));
  } catch (e) {
    error = e as Error;
  }
  expect([error?.name, error?.message]).toEqual(["RuntimeError", message]);
});

test("values of every schema type go through", () => {
  const lib = library("mylib", "DEF");
  const types = [
    "int",
    "float",
    "bool",
    "str",
    "Scalar",
    "int[]",
    "int[2]",
    "Tensor[]",
    "Tensor?",
    "Tensor?[]",
    "ScalarType",
    "Device",
    "Layout",
    "MemoryFormat",
    "(int, Tensor)",
    "str[]",
    "int[]?",
  ];
  let seen: unknown;
  types.forEach((type, i) => {
    lib.define(`o${i}(Tensor x, ${type} y) -> Tensor`);
    const note = (...args: unknown[]) => {
      seen = args[1];
      return args[0];
    };
    lib.impl(`o${i}`, note, "CPU");
  });
  const x = torch.ones([1]);
  const through = (type: string, value: unknown): unknown => {
    torch.ops.mylib[`o${types.indexOf(type)}`](x, value);
    return seen;
  };
  expect([
    through("int", 3),
    through("int", true),
    through("int", torch.tensor(4)),
    through("float", 1),
    through("bool", 1),
    through("str", "s"),
  ]).toEqual([3, 1, 4, 1, true, "s"]);
  expect([through("Scalar", 1), through("Scalar", 2.5), through("Scalar", true)]).toEqual([1, 2.5, true]);
  expect([through("int[]", [1, 2]), through("int[2]", 3), through("str[]", ["a"]), through("int[]?", null)]).toEqual([
    [1, 2],
    [3, 3],
    ["a"],
    null,
  ]);
  // Tensors come back as the very objects that went in.
  expect((through("Tensor[]", [x]) as unknown[])[0]).toBe(x);
  expect(through("Tensor?", null)).toBe(null);
  expect(through("Tensor?", x)).toBe(x);
  expect((through("Tensor?[]", [null, x]) as unknown[]).map((item) => item === x)).toEqual([false, true]);
  expect(through("ScalarType", torch.float32)).toBe(torch.float32);
  expect(through("ScalarType", 6)).toBe(torch.float32);
  expect(String(through("Device", "cpu"))).toBe("cpu");
  expect(through("Layout", torch.strided)).toBe(torch.strided);
  expect(through("MemoryFormat", torch.channels_last)).toBe(torch.channels_last);
  expect((through("(int, Tensor)", [1, x]) as unknown[]).map((item) => item === x)).toEqual([false, true]);
});

test("what may be registered where", () => {
  const def = library("ee", "DEF");
  def.define("a(Tensor x) -> Tensor");
  const impl = library("ee", "IMPL", "CPU");
  const refused: [() => unknown, string, string | RegExp][] = [
    [
      () => library("ee", "DEF"),
      "RuntimeError",
      /^Only a single TORCH_LIBRARY can be used to register the namespace ee; .*Previous registration of TORCH_LIBRARY was registered at \S+; latest registration was registered at \S+$/,
    ],
    [
      () => def.define("a(Tensor x) -> Tensor"),
      "RuntimeError",
      /^Tried to register an operator \(ee::a\(Tensor x\) -> Tensor\) with the same name and overload name multiple times\. Each overload's schema should only be registered with a single call to def\(\)\. Duplicate registration: registered at \S+\. Original registration: registered at \S+$/,
    ],
    [
      () => def.define("ff::a(Tensor x) -> Tensor"),
      "RuntimeError",
      /^Explicitly provided namespace \(ff\) in schema string does not match namespace of enclosing TORCH_LIBRARY block \(ee\)\. /,
    ],
    [
      () => impl.define("c(Tensor x) -> Tensor"),
      "RuntimeError",
      /^def\("c"\): Cannot define an operator inside of a TORCH_LIBRARY_IMPL block\. /,
    ],
    [
      () => impl.impl("a", (x) => x, "Meta"),
      "RuntimeError",
      /^impl\("a", \.\.\.\): Explicitly provided dispatch key \(Meta\) is inconsistent with the dispatch key of the enclosing TORCH_LIBRARY_IMPL block \(CPU\)\. /,
    ],
    [() => library("ee", "FOO"), "ValueError", "Unsupported kind: FOO"],
    [
      () => library("prim", "DEF"),
      "ValueError",
      "prim is a reserved namespace. Please try creating a library with another name.",
    ],
    [
      () => def.impl("a", 3 as never, "CPU"),
      "TypeError",
      "Input function is required to be a callable but found type <class 'int'>",
    ],
    [() => def.impl("a", (x) => x, "Foo"), "RuntimeError", "could not parse dispatch key: Foo"],
    [() => def.define("b(Tensor x) -> Tensor", "FOO"), "RuntimeError", "Invalid alias_analysis type FOO"],
    [
      () => def.fallback((x) => x, "CPU"),
      "RuntimeError",
      'Fallback can only be registered using library fragment on the global namespace "_" but it is ee',
    ],
    [() => torch.ops.ee.nope, "AttributeError", "'_OpNamespace' 'ee' object has no attribute 'nope'"],
    [() => torch.ops.ee.a.foo, "AttributeError", "The underlying op of 'ee.a' has no overload name 'foo'"],
    [
      () => torch.library.define("foo", "(Tensor x) -> Tensor"),
      "ValueError",
      /^Expected `qualname` to be of the form "namespace::name", but got foo\./,
    ],
    [
      () => torch.library.define("ee::b", "Tensor x -> Tensor"),
      "ValueError",
      'define(qualname, schema, ...): expected schema to look like e.g. "(Tensor x) -> Tensor" but got "Tensor x -> Tensor"',
    ],
    [() => torch.library.get_kernel("ee::a", "CUDAA"), "ValueError", "Invalid dispatch key: CUDAA"],
    [() => torch.library.get_kernel("ee::zz", "CPU"), "RuntimeError", "operator ee::zz does not exist"],
    [() => torch.library.get_kernel("ee::a", "AutogradHIP"), "RuntimeError", "no kernel for AutogradHIP for ee::a"],
  ];
  for (const [attempt, name, message] of refused) {
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(expect.objectContaining({ name }));
  }
});

test("a kernel may come before its schema, and its library may go first", () => {
  const early = library("late", "IMPL", "CPU");
  early.impl("op", (x) => x.neg());
  expect(
    torch._C
      ._dispatch_find_dangling_impls()
      .filter((text: string) => text.startsWith("name: late::op\nschema: (none)\nCPU: registered at ")),
  ).toHaveLength(1);
  expect(() => torch._C._dispatch_find_schema_or_throw("late::op", "")).toThrow(
    "Could not find schema for late::op. but we found an implementation; did you forget to def() the operator?",
  );
  const def = library("late", "DEF");
  def.define("op(Tensor x) -> Tensor");
  expect(values(torch.ops.late.op(torch.tensor([1])))).toEqual([-1]);
  early._destroy();
  expect(() => torch.ops.late.op(torch.tensor([1]))).toThrow(
    "Could not run 'late::op' with arguments from the 'CPU' backend.",
  );
  def._destroy();
  expect(torch._C._dispatch_dump("late::op")).toBe("");
  expect(() => torch.ops.late.op).toThrow("'_OpNamespace' 'late' object has no attribute 'op'");
});

test("the newest kernel is active, the older comes back", () => {
  const warnings: string[] = [];
  const before = setWarningHandler((warning) => warnings.push(warning.msg));
  try {
    const def = library("over", "DEF");
    def.define("op(Tensor x) -> Tensor");
    def.impl("op", (x) => x.add(1), "CPU");
    const second = library("over", "IMPL", "CPU");
    second.impl("op", (x) => x.add(2));
    expect(torch._C._dispatch_dump("over::op")).toMatch(/CPU: registered.*\nCPU \(inactive\): registered/);
    expect(values(torch.ops.over.op(torch.tensor([0])))).toEqual([2]);
    second._destroy();
    expect(values(torch.ops.over.op(torch.tensor([0])))).toEqual([1]);
    for (const text of warnings)
      expect(text).toContain(
        "Overriding a previously registered kernel for the same operator and the same dispatch key",
      );
  } finally {
    setWarningHandler(before);
  }
});

test("a kernel hands a call down with the key set it received", () => {
  const lib = library("down", "DEF");
  const ran: string[] = [];
  lib.define("op(Tensor x) -> Tensor");
  lib.impl("op", noting(ran, "CPU"), "CPU");
  lib.impl(
    "op",
    (keyset, x) => {
      ran.push(String(keyset.highestPriorityTypeId() === torch._C._dispatch_key_parse("AutogradCPU")));
      return torch.ops.down.op.default.redispatch(keyset.and(torch._C._after_autograd_keyset), x);
    },
    "Autograd",
    { with_keyset: true },
  );
  torch.ops.down.op(torch.ones([1]));
  expect(ran).toEqual(["true", "CPU"]);
});

test("fallthrough_kernel takes the key out of the call", () => {
  const lib = library("fall", "DEF");
  const ran: string[] = [];
  lib.define("op(Tensor x) -> Tensor");
  lib.impl("op", noting(ran, "CPU"), "CPU");
  lib.impl("op", noting(ran, "Autograd"), "Autograd");
  const skip = library("fall", "IMPL", "AutogradCPU");
  skip.impl("op", torch.library.fallthrough_kernel);
  torch.ops.fall.op(torch.ones([1]));
  expect(ran).toEqual(["CPU"]);
  expect(torch._C._dispatch_dump_table("fall::op")).toMatch(/AutogradCPU: fallthrough registered at \S+ \[kernel\]/);
  expect(torch._C._dispatch_kernel_for_dispatch_key_is_fallthrough("fall::op", "AutogradCPU")).toBe(true);
  skip._destroy();
  torch.ops.fall.op(torch.ones([1]));
  expect(ran).toEqual(["CPU", "Autograd"]);
});

test("a fallback for every operator is told which one was called", () => {
  const global = library("_", "IMPL", "AutogradNestedTensor");
  const calls: string[] = [];
  const key = torch._C._dispatch_key_parse("AutogradNestedTensor");
  const note = (keyset: DispatchKeySet, op: OpOverload, ...args: unknown[]) => {
    calls.push(String(op));
    return op.redispatch(keyset.remove(key), ...args);
  };
  global.fallback(note, "", { with_keyset: true });
  expect(torch._C._dispatch_has_backend_fallback("AutogradNestedTensor")).toBe(true);
  expect(torch._C._dispatch_dump_table("aten::mul.Tensor")).toContain("AutogradNestedTensor: registered");
  const guard = new torch._C._IncludeDispatchKeyGuard(key);
  const lib = library("fbk", "DEF");
  lib.define("op(Tensor x) -> Tensor");
  lib.impl("op", (x) => x, "CPU");
  try {
    torch.ops.fbk.op(torch.ones([1]));
  } finally {
    guard.restore();
  }
  expect(calls).toContain("fbk.op.default");
});

test("custom_op: kernel, fake implementation, derivative", () => {
  const scale = torch.library.custom_op("mine::scale", (x, s) => x.mul(s), {
    mutates_args: [],
    schema: "(Tensor x, float s) -> Tensor",
  });
  scale.register_fake((x) => torch.empty_like(x));
  scale.register_autograd((ctx, grad) => [grad.mul(ctx.s), null], {
    setup_context: ({ ctx, inputs }) => {
      ctx.s = inputs[1];
    },
  });
  const x = torch.ones([2], { requires_grad: true });
  const y = scale(x, 3);
  expect(String(y)).toBe("tensor([3., 3.], grad_fn=<GeneratedBackwardFor_mine_scale_defaultBackward>)");
  y.sum().backward();
  expect(values(x.grad)).toEqual([3, 3]);
  expect(scale(torch.ones([2, 3], { device: "meta" }), 2).shape).toEqual([2, 3]);
  expect(torch.library.opcheck(scale, [torch.ones([2], { requires_grad: true }), 2.5])).toEqual({
    test_schema: "SUCCESS",
    test_autograd_registration: "SUCCESS",
    test_faketensor: "SUCCESS",
  });
  expect(String(scale)).toBe("<CustomOpDef(mine::scale)>");
});

test("custom_op: setup_context may take its arguments one by one", () => {
  const seen: unknown[] = [];
  const plain = torch.library.custom_op("mine::one_by_one", (x, s) => x.mul(s), {
    mutates_args: [],
    schema: "(Tensor x, float s) -> Tensor",
  });
  plain.register_autograd((ctx, grad) => [grad.mul(ctx.s), null], {
    setup_context: (ctx, inputs, output) => {
      ctx.s = inputs[1];
      seen.push(output.shape);
    },
  });
  const x = torch.ones([2], { requires_grad: true });
  plain(x, 4).sum().backward();
  expect(values(x.grad)).toEqual([4, 4]);
  const keyword = torch.library.custom_op("mine::one_by_one_kw", (x, { s }) => x.mul(s), {
    mutates_args: [],
    schema: "(Tensor x, *, float s) -> Tensor",
  });
  keyword.register_autograd((ctx, grad) => [grad.mul(ctx.s)], {
    setup_context: (ctx, _inputs, keyword_only_inputs, output) => {
      ctx.s = keyword_only_inputs.s;
      seen.push(output.shape);
    },
  });
  x.grad = null;
  keyword(x, { s: 5 }).sum().backward();
  expect(values(x.grad)).toEqual([5, 5]);
  expect(seen).toEqual([[2], [2]]);
});

test("a tag is a member of torch.Tag, an enum of pybind11", () => {
  const { core, pointwise, pt2_compliant_tag } = torch.Tag;
  expect(torch.ops.aten.add.Tensor.tags).toEqual([core, pointwise, pt2_compliant_tag]);
  expect(Object.keys(torch.Tag)).toEqual([...Object.keys(torch.Tag)].sort());
  expect([String(core), pointwise.__repr__(), core.name, pointwise.value, pointwise.__index__()]).toEqual([
    "Tag.core",
    "<Tag.pointwise: 16>",
    "core",
    16,
    16,
  ]);
  expect(new torch.Tag(16)).toBe(pointwise);
  expect(new torch.Tag(99).__repr__()).toBe("<Tag.???: 99>");
  expect(() => new torch.Tag("core" as never)).toThrow(
    "__init__(): incompatible constructor arguments. The following argument types are supported:\n" +
      "    1. torch._C.Tag(value: typing.SupportsInt | typing.SupportsIndex)\n\nInvoked with: 'core'",
  );
});

test("define and custom_op take one tag or several, and no names", () => {
  const lib = new torch.library.Library("tagged", "DEF");
  const tags_of = (name: string) => torch.ops.tagged[name].default.tags.map(String);
  lib.define("one(Tensor x) -> Tensor", { tags: torch.Tag.core });
  lib.define("two(Tensor x) -> Tensor", { tags: [torch.Tag.pointwise, torch.Tag.core] });
  expect([tags_of("one"), tags_of("two")]).toEqual([["Tag.core"], ["Tag.pointwise", "Tag.core"]]);
  torch.library.custom_op("tagged::made", (x) => x.clone(), {
    mutates_args: [],
    schema: "(Tensor x) -> Tensor",
    tags: [torch.Tag.core, torch.Tag.core],
  });
  expect(tags_of("made")).toEqual(["Tag.pt2_compliant_tag", "Tag.core"]);
  expect(() => lib.define("named(Tensor x) -> Tensor", { tags: ["core"] as never })).toThrow(
    /^define\(\): incompatible function arguments\.[\s\S]*Sequence\[torch\._C\.Tag\] = \[\]\) -> str\n\nInvoked with: .*'named\(Tensor x\) -> Tensor', '', \('core',\)$/,
  );
});

test("custom_op: what it refuses", () => {
  const same = torch.library.custom_op("mine::same", (x) => x, { mutates_args: [], schema: "(Tensor x) -> Tensor" });
  expect(() => same(torch.ones([1]))).toThrow(
    "The output of this custom operator (1) must not also be an input to this custom operator",
  );
  function original(x: ReturnType<typeof torch.ones>) {
    return x.clone();
  }
  const bare = torch.library.custom_op("mine::bare", original, { mutates_args: [], schema: "(Tensor x) -> Tensor" });
  expect(() => bare(torch.ones([1], { device: "meta" }))).toThrow(
    "There was no fake impl registered for <CustomOpDef(mine::bare)>. This is necessary for torch.compile/export/fx tracing to work. Please use `original.register_fake` to add an fake impl.",
  );
  expect(() => bare(torch.ones([1], { requires_grad: true })).backward()).toThrow(
    "Trying to backward through mine.bare.default but no autograd formula was registered. Please use register_autograd to add one.",
  );
  expect(() =>
    torch.library.custom_op("mine::wrong", (x) => x, { mutates_args: ["x"], schema: "(Tensor x) -> Tensor" }),
  ).toThrow(
    "Attempted to create a custom op with `mutates_args=['x']` and `schema=(Tensor x) -> Tensor. The schema suggests that the op mutates set()which is different",
  );
});

test("custom_op: an argument written to gets a new version", () => {
  const inc = torch.library.custom_op("mine::inc_", (x) => void x.add_(1), {
    mutates_args: ["x"],
    schema: "(Tensor(a!) x) -> ()",
  });
  const x = torch.zeros([2]);
  expect(inc(x)).toBe(null);
  expect(values(x)).toEqual([1, 1]);
  expect(x._version).toBe(2);
});

test("an operator without a derivative warns in backward", () => {
  const warnings: string[] = [];
  const before = setWarningHandler((warning) => warnings.push(warning.msg));
  try {
    const lib = library("nograd", "DEF");
    lib.define("op(Tensor x) -> Tensor");
    lib.impl("op", (x) => x.detach().clone(), "CPU");
    const x = torch.ones([2], { requires_grad: true });
    const y = torch.ops.nograd.op(x);
    expect(y.grad_fn.name()).toBe("torch::autograd::WarnNotImplemented");
    expect(warnings).toEqual([]);
    y.sum().backward();
    expect(warnings[0]).toMatch(
      /^nograd::op: an autograd kernel was not registered to the Autograd key\(s\) but we are trying to backprop through it\./,
    );
    expect(x.grad).toBe(null);
  } finally {
    setWarningHandler(before);
  }
});

test("torch.ops names packets and overloads as PyTorch does", () => {
  const { add } = torch.ops.aten;
  expect([String(add), add.__repr__(), String(add.Tensor), add.Tensor.__repr__()]).toEqual([
    "aten.add",
    "<OpOverloadPacket(op='aten.add')>",
    "aten.add.Tensor",
    "<OpOverload(op='aten.add', overload='Tensor')>",
  ]);
  expect(String(add.Tensor._schema)).toBe("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  expect([add.Tensor.name(), add.Tensor.namespace, add.Tensor._opname, add.Tensor._overloadname]).toEqual([
    "aten::add.Tensor",
    "aten",
    "add",
    "Tensor",
  ]);
  expect(add.Tensor).toBe(torch.ops.aten.add.Tensor);
  expect([torch.ops.aten.view.default.is_view, torch.ops.aten.add_.Tensor.is_view, add.Tensor.is_view]).toEqual([
    true,
    false,
    false,
  ]);
  expect(add.Tensor.tags.map(String)).toEqual(["Tag.core", "Tag.pointwise", "Tag.pt2_compliant_tag"]);
  expect(values(add(torch.tensor([1]), torch.tensor([2]), { alpha: 3 }))).toEqual([7]);
  expect(values(add(torch.tensor([1]), 2))).toEqual([3]);
  expect(() => add("a")).toThrow(
    /^Overloaded torch operator invoked from Python failed to match any schema:\naten::add\(\) Expected a value of type 'Tensor' for argument 'self'/,
  );
});

test("decompose runs the composite kernel", () => {
  const { prelu, relu } = torch.ops.aten;
  expect(prelu.default._can_decompose()).toBe(true);
  expect(values(prelu.default.decompose(torch.tensor([-2.5, 3]), torch.tensor([0.25])))).toEqual([-0.625, 3]);
  expect(relu.default._can_decompose()).toBe(false);
});

test("get_kernel calls one kernel past the dispatcher", () => {
  const kernel = torch.library.get_kernel("aten::mul.Tensor", "CPU");
  const x = torch.tensor([2.5]);
  expect(values(kernel.call_boxed(torch._C._dispatch_keys(x), x, x))).toEqual([6.25]);
  expect(String(kernel)).toMatch(/^SafeKernelFunction\(debug='registered at \S+'\)$/);
});
