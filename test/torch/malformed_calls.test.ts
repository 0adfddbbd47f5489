/**
 * Wrong values for every public function, method and constructor: each call ends, refuses in PyTorch's manner or does what it can, and
 * leaves everything as it was. A sample of the catalogue for each function; all of it with `MALFORMED=all` (some 430,000 calls,
 * ten minutes).
 */
import { existsSync, rmSync } from "node:fs";
import torch from "glasstorch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { by_name, callees, malformed_calls, place_names, value_names, values } from "../helpers/malformed.ts";
import type { Any } from "../helpers/recorded.ts";

const all = process.env["MALFORMED"] === "all";
/** How many values each function is called with. */
const SAMPLE = 2;

/** A string is a path to those who save. */
const paths = value_names
  .map((name) => values[name]!())
  .filter((value) => typeof value === "string" && value !== "" && !existsSync(value));

let usual: ReturnType<typeof setWarningHandler>;
beforeAll(() => {
  usual = setWarningHandler(() => {});
});
afterAll(() => {
  setWarningHandler(usual);
  for (const path of paths) rmSync(path, { force: true });
});

describe("every public function", () => {
  const groups = new Map<string, ReturnType<typeof callees>>();
  for (const callee of callees()) {
    const group = callee.name.slice(0, callee.name.lastIndexOf("."));
    groups.set(group, [...(groups.get(group) ?? []), callee]);
  }
  test.each([...groups])("of %s", (_group, functions) => {
    const faults = functions.flatMap((callee, i) => {
      const step = Math.floor(value_names.length / SAMPLE);
      const names = all ? value_names : value_names.filter((_, v) => v % step === (i * 7) % step);
      return malformed_calls(callee, names, place_names);
    });
    expect(faults).toEqual([]);
  });

  test("by the name of each parameter", () => {
    const each = callees().flatMap(({ name, value }) => (value === undefined ? [] : by_name({ name, value })));
    expect(each.length).toBeGreaterThan(1000);
    const faults = each.flatMap((callee, i) => {
      const names = all
        ? value_names
        : value_names.filter((_, v) => v % value_names.length === (i * 7) % value_names.length);
      return malformed_calls(callee, names, ["(value)"]);
    });
    expect(faults).toEqual([]);
  });
});

describe("lists without end", () => {
  const cyclic: Any[] = [];
  cyclic[0] = cyclic;
  const pair: Any[] = [0];
  pair[1] = [1, pair];
  let deep: Any = 1;
  for (let i = 0; i < 20_000; i++) deep = [deep];
  const x = torch.ones(2) as Any;

  test("are no indices", () => {
    const refusals: readonly [() => unknown, string][] = [
      [() => x.at([cyclic]), "new(): self-referential lists are incompatible"],
      [() => x.__getitem__([cyclic]), "new(): self-referential lists are incompatible"],
      [() => x.__setitem__([cyclic], 1), "new(): self-referential lists are incompatible"],
      [() => x.__getitem__([pair]), "too many dimensions 'list'"],
      [() => x.__getitem__([deep]), "too many dimensions 'list'"],
      [() => torch.tensor(cyclic), "too many dimensions 'list'"],
      [() => torch.tensor([0, cyclic]), "new(): self-referential lists are incompatible"],
      [() => torch.tensor(deep), "too many dimensions 'list'"],
    ];
    for (const [run, message] of refusals) expect(run).toThrow(message);
    for (const name of ["at", "__getitem__"]) expect(() => x[name](cyclic)).toThrow();
  });

  test("print", () => {
    expect(() => torch.nn.init.calculate_gain("leaky_relu", cyclic as Any)).toThrow(
      "negative_slope [[...]] not a valid number",
    );
    expect(() => torch.nn.init.calculate_gain(cyclic as Any)).toThrow("Unsupported nonlinearity [[...]]");
    expect(() => torch.nn.init.calculate_gain("leaky_relu", deep)).toThrow("not a valid number");
  });
});

/** The errors are those of the same calls in PyTorch 2.13.0. */
test("calls with objects of another kind", () => {
  const t = torch as Any;
  const x = t.ones(2);
  const types = "incompatible function arguments. The following argument types are supported:\n    1.";
  const refusals: readonly [() => unknown, name: string, message: string][] = [
    [
      () => t.Tensor.prototype.add.call(5, 1),
      "TypeError",
      "descriptor 'add' for 'torch._C.TensorBase' objects doesn't apply to a 'int' object",
    ],
    [
      () => t.Tensor.prototype.tolist.call("a"),
      "TypeError",
      "descriptor 'tolist' for 'torch._C.TensorBase' objects doesn't apply to a 'str' object",
    ],
    [
      () => t.Tensor.prototype.__getitem__.call(5, 1),
      "TypeError",
      "descriptor '__getitem__' requires a 'torch._C.TensorBase' object but received a 'int'",
    ],
    [() => x.__getitem__(), "TypeError", "expected 1 argument, got 0"],
    [() => x.__setitem__(1), "TypeError", " expected 2 arguments, got 1"],
    [
      () => x.at(t.Tensor),
      "IndexError",
      "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got torch._C._TensorMeta)",
    ],
    [
      () => t._C._dispatch_keys(5),
      "TypeError",
      `_dispatch_keys(): ${types} (arg0: torch.Tensor) -> torch._C.DispatchKeySet\n\nInvoked with: 5`,
    ],
    [
      () => t._C._dispatch_keys(x, { x: 1 }),
      "TypeError",
      `_dispatch_keys(): ${types} (arg0: torch.Tensor) -> torch._C.DispatchKeySet\n\nInvoked with: tensor([1., 1.]); kwargs: x=1`,
    ],
    [
      () => t._C._dispatch_dump("a", "b"),
      "TypeError",
      `_dispatch_dump(): ${types} (arg0: str) -> str\n\nInvoked with: 'a', 'b'`,
    ],
    [
      () => t._C._dispatch_num_backends(1),
      "TypeError",
      `_dispatch_num_backends(): ${types} () -> int\n\nInvoked with: 1`,
    ],
    [() => t._C._dispatch_is_alias_key("foo"), "RuntimeError", "could not parse dispatch key: foo"],
    [
      () => t._C.parse_schema(5),
      "TypeError",
      `parse_schema(): ${types} (schema: str, allow_typevars: bool = True) -> c10::FunctionSchema\n\nInvoked with: 5`,
    ],
    [
      () => new t.library.Library("malformed", "FRAGMENT").define(5),
      "AttributeError",
      "'int' object has no attribute 'split'",
    ],
    [() => new t.nn.Parameter(5), "AttributeError", "'int' object has no attribute 'detach'"],
    [() => new t.nn.Buffer("a"), "AttributeError", "'str' object has no attribute 'detach'"],
    [() => new t.nn.Linear(-1, 2), "RuntimeError", "Trying to create tensor with negative dimension -1: [2, -1]"],
    [() => new t.nn.Dropout("a"), "TypeError", "'<' not supported between instances of 'str' and 'int'"],
    [() => t.nn.functional.dropout(x, "a"), "TypeError", "'<' not supported between instances of 'str' and 'float'"],
    [() => t.nn.functional.sigmoid(5), "AttributeError", "'int' object has no attribute 'sigmoid'"],
    [() => t.nn.functional.softmax(5, 0), "AttributeError", "'int' object has no attribute 'softmax'"],
    [() => t.nn.init.ones_(5), "AttributeError", "'int' object has no attribute 'fill_'"],
    [
      () => t.nn.init.kaiming_normal_(t.ones(2, 2), { mode: 5 }),
      "AttributeError",
      "'int' object has no attribute 'lower'",
    ],
    [
      () => t.nn.init.xavier_normal_(t.ones(2, 2), { gain: null }),
      "TypeError",
      "unsupported operand type(s) for *: 'NoneType' and 'float'",
    ],
    [() => new t.optim.SGD(null), "TypeError", "'NoneType' object is not iterable"],
    [() => new t.optim.SGD([x], { lr: "a" }), "TypeError", "'<' not supported between instances of 'str' and 'float'"],
    [() => new t.optim.SGD([{}]), "KeyError", "params"],
    [() => t.autograd.grad(5, x), "TypeError", "'int' object is not iterable"],
    [() => t.autograd.backward([5]), "AssertionError", "Expected output to be a torch.Tensor"],
    [() => x.apply_(5), "TypeError", "'int' object is not callable"],
    [() => x.apply_(), "TypeError", "TensorBase.apply_() takes exactly one argument (0 given)"],
    [() => x.as_subclass(5), "TypeError", "cls must be a type (got int)"],
    [
      () => x.as_subclass(Map),
      "TypeError",
      "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure your class inherits from Tensor.",
    ],
    [
      () => t.Tensor._make_subclass(t.Tensor, 5),
      "TypeError",
      "_make_subclass(): argument 'data' (position 2) must be Tensor, not int",
    ],
    [() => t.broadcast_shapes(["a"]), "TypeError", "'<' not supported between instances of 'str' and 'int'"],
    [() => t.broadcast_shapes([-1]), "ValueError", "Attempting to broadcast a dimension with negative length!"],
    [() => t.broadcast_shapes([2.5]), "TypeError", "torch.Size() takes an iterable of 'int' (item 0 is 'float')"],
    [
      () => t.broadcast_shapes([2], [4, 1], 3),
      "RuntimeError",
      "Attempting to broadcast a dimension of length 3 at -1! Mismatching argument at index 2 had (3,); but expected shape should be broadcastable to [4, 2]",
    ],
    [
      () => new t.UntypedStorage("a"),
      "RuntimeError",
      "torch.UntypedStorage(): tried to construct a storage from a sequence (str), but one of the items was of type str instead of int",
    ],
    [() => new t.UntypedStorage(2).resize_("a"), "RuntimeError", "resize_ expects an int, but got str"],
    [
      () => new t.UntypedStorage(2).copy_(5),
      "TypeError",
      "copy_(): argument 'src' (position 1) must be torch.Storage, not int",
    ],
    [
      () => t.add(Object.create(t.Tensor.prototype), x),
      "RuntimeError",
      "Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #0 'self'",
    ],
    [() => t.Float(Symbol("s")), "TypeError", "float() argument must be a string or a real number, not 'symbol'"],
    [() => t.overrides.has_torch_function(5), "TypeError", "expected a sequence"],
    [() => t.overrides.handle_torch_function(5, 6), "TypeError", "'int' object is not iterable"],
  ];
  for (const [run, name, message] of refusals) {
    try {
      run();
      expect.unreachable(String(run));
    } catch (error) {
      expect([(error as Error).name, (error as Error).message]).toEqual([name, message]);
    }
  }
});
