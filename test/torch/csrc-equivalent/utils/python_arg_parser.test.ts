/** Which signature takes a call's arguments, where each goes, and what is said when none does. */
import torch from "glasstorch";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { set_warnAlways, setWarningHandler } from "#c10/util/Exception";
import {
  FunctionSignature,
  type KwArgs,
  PythonArgParser,
  take_kwargs,
} from "#torch/csrc-equivalent/utils/python_arg_parser";

const tensor = torch.ones(1);
const other = torch.ones(2);

/** The index of the signature that took the call, and its slots; the two tensors by name, as `toEqual` would walk through them. */
function parsed(
  parser: PythonArgParser,
  args: unknown[],
  kwargs: KwArgs | null = null,
  self: unknown = null,
): unknown[] {
  const r = parser.parse(self, args, kwargs);
  return [r.idx, ...r.signature.params.map((_, i) => named(r.args[i]))];
}
function named(value: unknown): unknown {
  return value === tensor ? "tensor" : value === other ? "other" : value;
}
const one = (fmt: string) => new PythonArgParser([fmt]);
const foo = one("foo(Tensor input, int64_t dim=0, *, bool keepdim=False, ScalarType? dtype=None)");

describe("keyword arguments", () => {
  test("are one plain object at the end", () => {
    const taken = (...args: unknown[]): unknown[] => [take_kwargs(args), args.length];
    const kwargs = { dim: 1 };
    expect(taken(1, kwargs)).toEqual([kwargs, 1]);
    expect(taken({})).toEqual([{}, 0]);
    expect(taken(Object.create(null))).toEqual([{}, 0]);
    expect(taken()).toEqual([null, 0]);
    expect(taken(kwargs, 1)).toEqual([null, 2]);
    expect(taken(null)).toEqual([null, 1]);
    expect(taken(undefined)).toEqual([null, 1]);
    expect(taken("text")).toEqual([null, 1]);
    expect(taken(tensor)).toEqual([null, 1]);
    expect(taken([1])).toEqual([null, 1]);
    expect(taken(new Date())).toEqual([null, 1]);
  });

  test("fill places by name; what is undefined is not given, what is null is None", () => {
    expect(parsed(foo, [tensor], { dim: 2, keepdim: true })).toEqual([0, "tensor", 2, true, null]);
    expect(parsed(foo, [], { input: tensor, dim: undefined })).toEqual([0, "tensor", null, null, null]);
    expect(parsed(foo, [tensor], { dtype: null })).toEqual([0, "tensor", null, null, null]);
    expect(parsed(foo, [tensor, undefined, undefined])).toEqual([0, "tensor", null, null, null]);
    expect(parsed(foo, [undefined, undefined], { input: tensor })).toEqual([0, "tensor", null, null, null]);
    expect(parsed(foo, [tensor, 3])).toEqual([0, "tensor", 3, null, null]);
  });

  test("may have NumPy's names, where ours are not given", () => {
    expect(parsed(foo, [], { x: tensor, axis: 2, keepdims: true })).toEqual([0, "tensor", 2, true, null]);
    expect(parsed(foo, [], { a: tensor })).toEqual([0, "tensor", null, null, null]);
    expect(() => parsed(foo, [], { input: tensor, x: other })).toThrow("got an unexpected keyword argument 'x'");
  });
});

describe("one signature: the error says what is wrong", () => {
  const none = one("none()");
  const only = one("only(Tensor input)");
  const two = one("two(Tensor input, int64_t n)");
  test.each<[PythonArgParser, unknown[], KwArgs | null, string]>([
    [foo, [tensor, 1, 2], null, "foo() takes from 1 to 2 positional arguments but 3 were given"],
    [only, [tensor, 1], null, "only() takes 1 positional argument but 2 were given"],
    [two, [tensor, 1, 2], null, "two() takes 2 positional arguments but 3 were given"],
    [none, [1], null, "none() takes 0 positional arguments but 1 was given"],
    [foo, [], null, 'foo() missing 1 required positional arguments: "input"'],
    [two, [], null, 'two() missing 2 required positional argument: "input", "n"'],
    [two, [tensor], {}, 'two() missing 1 required positional arguments: "n"'],
    [foo, [1], null, "foo(): argument 'input' (position 1) must be Tensor, not int"],
    [foo, [tensor, "a"], null, "foo(): argument 'dim' (position 2) must be int, not str"],
    [foo, [tensor, null], null, "foo(): argument 'dim' (position 2) must be int, not NoneType"],
    [foo, [tensor], { keepdim: 1 }, "foo(): argument 'keepdim' must be bool, not int"],
    [foo, [tensor], { size: 1 }, "foo() got an unexpected keyword argument 'size'"],
    [foo, [tensor, 1], { dim: 1 }, "foo() got multiple values for argument 'dim'"],
    [foo, [tensor, 1], { axis: 1 }, "foo() got an unexpected keyword argument 'axis'"],
  ])("%#", (parser, args, kwargs, message) => {
    expect(() => parser.parse(null, args, kwargs)).toThrow(expect.objectContaining({ name: "TypeError", message }));
  });

  test("of a list, which element", () => {
    const list = one("list(IntArrayRef size, *, TensorList more=None)");
    expect(() => parsed(list, [["a", 1]])).toThrow(
      "list(): argument 'size' (position 1) must be tuple of ints, but found element of type str at pos 0",
    );
    expect(() => parsed(list, [], { size: ["a", 1] })).toThrow(
      "list(): argument 'size' must be tuple of ints, not list",
    );
    expect(() => parsed(list, ["a"])).toThrow("list(): argument 'size' (position 1) must be tuple of ints, not str");
    const tensors = one("tensors(TensorList all, int64_t n=0)");
    expect(() => parsed(tensors, [[tensor, 3]])).toThrow("expected Tensor as element 1 in argument 0, but got int");
    expect(() => parsed(tensors, [[tensor], "a"])).toThrow("tensors(): argument 'n' (position 2) must be int, not str");
  });
});

describe("a list of ints that is the only place", () => {
  const view = one("view(SymIntArrayRef size)");
  const plain = one("view(IntArrayRef size, *, bool copy=False)");

  test("may be written without its brackets", () => {
    for (const parser of [view, plain]) {
      expect(parsed(parser, [2, 3]).slice(0, 2)).toEqual([0, [2, 3]]);
      expect(parsed(parser, [2]).slice(0, 2)).toEqual([0, [2]]);
      expect(parsed(parser, [[2, 3]]).slice(0, 2)).toEqual([0, [2, 3]]);
    }
    expect(parsed(plain, [2, 3], { copy: true })).toEqual([0, [2, 3], true]);
  });

  test("but not half of it", () => {
    expect(() => parsed(view, [[2], 3])).toThrow("view() takes 1 positional argument but 2 were given");
    expect(() => parsed(view, ["a", 2])).toThrow("view() takes 1 positional argument but 2 were given");
    expect(() => parsed(view, [], { size: 2 })).toThrow("view(): argument 'size' must be tuple of ints, not int");
    expect(() => parsed(plain, [[2], true])).toThrow("view() takes 1 positional argument but 2 were given");
    const more = one("more(IntArrayRef size, int64_t n=0)");
    expect(() => parsed(more, [2, 3])).toThrow("more(): argument 'size' (position 1) must be tuple of ints, not int");
    const no_list = one("no(int64_t n)");
    expect(() => parsed(no_list, [2, 3])).toThrow("no() takes 1 positional argument but 2 were given");
  });
});

describe("nothing but tensors", () => {
  const pow = new PythonArgParser([
    "pow(Tensor input, Tensor other, Tensor? out=None)",
    "pow(Tensor input, Scalar other)",
  ]);
  const is_plain = (parser: PythonArgParser, args: unknown[], kwargs: KwArgs | null = null, self: unknown = null) =>
    parser.parse(self, args, kwargs).only_tensors;

  test("are not looked at further", () => {
    expect([is_plain(pow, [tensor, other]), parsed(pow, [tensor, other])]).toEqual([
      true,
      [0, "tensor", "other", null],
    ]);
    expect([is_plain(pow, [tensor, other, tensor]), parsed(pow, [tensor, other, tensor])[3]]).toEqual([true, "tensor"]);
    expect(is_plain(one("f(Tensor input)"), [tensor], null, tensor)).toBe(true);
  });

  test("unless there is more to it", () => {
    class Sub extends torch.Tensor {}
    const sub = tensor.as_subclass(Sub);
    expect(is_plain(pow, [tensor, sub])).toBe(false);
    expect(is_plain(pow, [tensor, other], {})).toBe(false);
    expect(is_plain(one("f(Tensor input)"), [tensor], null, sub)).toBe(false);
    expect([is_plain(pow, [tensor, 2]), parsed(pow, [tensor, 2])]).toEqual([false, [1, "tensor", 2]]);
    expect(is_plain(one("f(Tensor input, int64_t n=0)"), [tensor])).toBe(true);
    expect(is_plain(one("f(Tensor input, *, Tensor out=None)"), [tensor])).toBe(true);
    expect(() => is_plain(one("f(Tensor input, *, Tensor out)"), [tensor])).toThrow(
      'missing 1 required positional arguments: "out"',
    );
    expect(() => is_plain(one("f(Tensor input, *, Tensor out=None)"), [tensor, other])).toThrow(
      "takes 1 positional argument",
    );
    expect(() => is_plain(one("f(Tensor input, int64_t n)"), [tensor])).toThrow(
      'missing 1 required positional arguments: "n"',
    );
    expect(
      is_plain(new PythonArgParser(["f(Tensor input)|deprecated", "f(Tensor input, Tensor other)"]), [tensor, other]),
    ).toBe(true);
  });
});

describe("several signatures", () => {
  const sum = new PythonArgParser(
    [
      "sum(Tensor input)",
      "sum(Tensor input, IntArrayRef[1] dim, bool keepdim=False)",
      "sum(Tensor input, Storage s)|hidden",
    ],
    true,
  );

  test("the first that takes everything", () => {
    expect(parsed(sum, [tensor])).toEqual([0, "tensor"]);
    expect(parsed(sum, [tensor, 1, true])).toEqual([1, "tensor", 1, true]);
    expect(parsed(sum, [], { input: tensor, dim: [0] })).toEqual([1, "tensor", [0], null]);
  });

  test("where the number of arguments leaves one, its error; else all that are not hidden", () => {
    expect(() => parsed(sum, ["a"])).toThrow("sum(): argument 'input' (position 1) must be Tensor, not str");
    expect(() => parsed(sum, [tensor, 1], { keepdim: 3 })).toThrow("sum(): argument 'keepdim' must be bool, not int");
    expect(() =>
      parsed(sum, [1, 2, 3, 4]),
    ).toThrow(`sum() received an invalid combination of arguments - got (int, int, int, int), but expected one of:
 * (Tensor input)
 * (Tensor input, tuple of ints dim, bool keepdim = False)
`);
    expect(() => parsed(sum, [])).toThrow(
      "sum() received an invalid combination of arguments - got (), but expected one of:",
    );
    expect(() => parsed(sum, [1, 2, 3], { d: 4 })).toThrow("got (int, int, int, d=int), but expected one of:");
  });

  test("can be asked for", () => {
    expect(sum.get_signatures()).toEqual([
      "sum(Tensor input)",
      "sum(Tensor input, tuple of ints dim, bool keepdim = False)",
    ]);
    expect(new PythonArgParser(["f(Tensor a, *, Scalar b=1, Tensor? c=None)"]).get_signatures()).toEqual([
      "f(Tensor a, *, Number b = 1, Tensor c = None)",
    ]);
    expect([sum.isTraceable(), one("f(Tensor a)").isTraceable()]).toEqual([true, false]);
    const { name, hidden, deprecated, min_args, max_args, max_pos_args, index } = new FunctionSignature(
      "f(Tensor a, Tensor b=None, *, Scalar c, Scalar d=1)|hidden",
      3,
    );
    expect({ name, hidden, deprecated, min_args, max_args, max_pos_args, index }).toEqual({
      name: "f",
      hidden: true,
      deprecated: false,
      min_args: 2,
      max_args: 4,
      max_pos_args: 2,
      index: 3,
    });
    expect(String(new FunctionSignature("f()|deprecated", 0))).toBe("()");
  });
});

describe("deprecated signatures", () => {
  const warnings: string[] = [];
  let previous: ReturnType<typeof setWarningHandler>;
  beforeEach(() => {
    previous = setWarningHandler(({ type, msg }) => {
      expect(type).toBe("UserWarning");
      warnings.push(msg);
    });
  });
  afterEach(() => {
    setWarningHandler(previous);
    set_warnAlways(false);
    warnings.length = 0;
  });
  const make = () =>
    new PythonArgParser([
      "add(Tensor input, Scalar alpha, Tensor other)|deprecated",
      "add(Tensor input, Tensor other, *, Scalar alpha=1)",
    ]);
  const warning = `This overload of add is deprecated:
	add(Tensor input, Number alpha, Tensor other)
Consider using one of the following signatures instead:
	add(Tensor input, Tensor other, *, Number alpha = 1)`;

  test("are tried last, and warn once, or whenever that is asked for", () => {
    const add = make();
    expect(parsed(add, [tensor, other])).toEqual([1, "tensor", "other", null]);
    expect(warnings).toEqual([]);
    expect(parsed(add, [tensor, 2, other])).toEqual([0, "tensor", 2, "other"]);
    parsed(add, [tensor, 2, other]);
    expect(warnings).toEqual([warning]);
    set_warnAlways(true);
    parsed(add, [tensor, 2, other]);
    expect(warnings).toEqual([warning, warning]);
  });

  test("do not win where another takes the call too, which warns of nothing", () => {
    const both = new PythonArgParser(["f(Tensor a, int64_t n)|deprecated", "f(Tensor a, int64_t k=0)"]);
    expect(parsed(both, [tensor, 1])).toEqual([1, "tensor", 1]);
    expect(warnings).toEqual([]);
  });

  test("warn where they take nothing but tensors too", () => {
    expect(parsed(new PythonArgParser(["f(Tensor a)|deprecated", "f(Tensor a, Tensor b)"]), [tensor])[0]).toBe(0);
    expect(warnings.length).toBe(1);
  });

  test("suggest nothing where nothing else has the name, or what has it is hidden", () => {
    parsed(new PythonArgParser(["old(Tensor a, int64_t n)|deprecated", "old(Tensor a)|hidden"]), [tensor, 1]);
    expect(warnings).toEqual(["This overload of old is deprecated:\n\told(Tensor a, int n)"]);
    warnings.length = 0;
    parsed(new PythonArgParser(["old(Tensor a, int64_t n)|deprecated", "renamed(Tensor a)"]), [tensor, 1]);
    expect(warnings).toEqual(["This overload of old is deprecated:\n\told(Tensor a, int n)"]);
  });
});

test("whoever overrides functions is noted for this call, the tensor of a method too", () => {
  class Sub extends torch.Tensor {}
  const sub = tensor.as_subclass(Sub);
  const stranger = { __torch_function__: () => 1 };
  const noted = (self: unknown, args: unknown[]) => [...foo.parse(self, args, null).overloaded_args];
  const is = (found: unknown[], ...expected: unknown[]) =>
    expect(found.length === expected.length && found.every((one, i) => one === expected[i])).toBe(true);
  is(noted(null, [stranger]), stranger);
  is(noted(null, [tensor, 1]));
  is(noted(sub, [tensor, 1]), sub);
  is(noted(sub, [stranger, 1]), sub, stranger);
  is(noted(tensor, [tensor, 1]));
});
