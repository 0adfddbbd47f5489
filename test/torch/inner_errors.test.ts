/**
 * Errors of JavaScript that an argument caused come out in Python's words; those that no argument caused stay as they are. And lists of
 * which most elements are missing are refused, not walked over.
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { AcceleratorError, OutOfMemoryError } from "#c10/util/Exception";
import { def } from "#torch/_signature";
import type { Any } from "../helpers/recorded.ts";

const t = torch as Any;
const F = t.nn.functional;

function thrown(run: () => unknown): Any {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test.each<[() => unknown, string, string]>([
  [() => F.adaptive_max_pool2d(0, 2), "AttributeError", "'int' object has no attribute 'size'"],
  [() => F.lp_pool2d("a", 2, 2), "AttributeError", "'str' object has no attribute 'pow'"],
  [() => t.nn.utils.weight_norm(5), "AttributeError", "'int' object has no attribute '_forward_pre_hooks'"],
  [() => t.nn.utils.clip_grad_norm_(5, 1), "TypeError", "'int' object is not iterable"],
  [() => t.nn.utils.parameters_to_vector(5), "TypeError", "'int' object is not iterable"],
  [() => new t.distributions.Categorical(5), "AttributeError", "'int' object has no attribute 'dim'"],
  [() => new t.distributions.MultivariateNormal(5, t.eye(2)), "AttributeError", "'int' object has no attribute 'dim'"],
  [() => new t.distributions.CatTransform(5), "TypeError", "'int' object is not iterable"],
  [() => t.serialization.location_tag(5), "AttributeError", "'int' object has no attribute 'device'"],
  [
    () => t.serialization.default_restore_location(t.ones([1]).untyped_storage(), 5),
    "AttributeError",
    "'int' object has no attribute 'startswith'",
  ],
  [() => new t.optim.lr_scheduler.LambdaLR(5, 5), "AttributeError", "'int' object has no attribute 'param_groups'"],
  [() => new t.optim.lr_scheduler.ChainedScheduler(5), "TypeError", "'int' object is not iterable"],
  [() => new t.optim.swa_utils.AveragedModel(5, "cpu"), "AttributeError", "'int' object has no attribute 'to'"],
  [() => t.linalg.eig(5), "TypeError", "linalg_eig(): argument 'input' (position 1) must be Tensor, not int"],
  [() => t.utils.checkpoint.checkpoint(5, t.ones([1])), "TypeError", "'int' object is not callable"],
  [() => new t.nn.Embedding(3, 2, { _weight: 5 }), "AttributeError", "'int' object has no attribute 'shape'"],
  [() => new t.nn.GroupNorm([1], [2]), "TypeError", "unsupported operand type(s) for %: 'list' and 'list'"],
  [() => new t.nn.GroupNorm(0, 2), "ZeroDivisionError", "integer modulo by zero"],
  [() => new t.nn.Conv2d([2], 2, 2), "TypeError", "unsupported operand type(s) for %: 'list' and 'int'"],
  [
    () => new t.nn.AdaptiveLogSoftmaxWithLoss(2, 2, [[1], [2]]),
    "TypeError",
    "'<=' not supported between instances of 'list' and 'int'",
  ],
  [
    () => new t.nn.FractionalMaxPool2d(2, { output_ratio: [null, null] }),
    "TypeError",
    "'<' not supported between instances of 'int' and 'NoneType'",
  ],
  [() => new t.distributions.LKJCholesky([3]), "TypeError", "'<' not supported between instances of 'list' and 'int'"],
  [() => new t.distributions.ComposeTransform(5, 1), "TypeError", "'int' object is not iterable"],
  [() => new t.distributions.ComposeTransform([5], 1), "AttributeError", "'int' object has no attribute 'with_cache'"],
  [
    () => new t.distributions.TransformedDistribution(t.ones(2), []),
    "AttributeError",
    "'Tensor' object has no attribute 'batch_shape'",
  ],
  [() => new t.distributions.Categorical({ probs: { dim: 0 } }), "TypeError", "'int' object is not callable"],
  [() => new t.optim.Optimizer([t.ones(2)], null), "AttributeError", "'NoneType' object has no attribute 'get'"],
  [() => new t.optim.lr_scheduler.SequentialLR(5, null, null), "TypeError", "object of type 'NoneType' has no len()"],
  [
    () => new t.optim.lr_scheduler.CyclicLR(new t.optim.SGD([t.ones(2)]), 1, 2, { step_size_up: [1] }),
    "TypeError",
    "float() argument must be a string or a real number, not 'list'",
  ],
  [() => t.device(Object.create(null)), "TypeError", "expected a torch.device, not NoneType"],
])("%s", (call, name, message) => {
  expect(thrown(call)).toMatchObject({ name, message });
});

describe("the helper", () => {
  test("keeps JavaScript's error as the cause", () => {
    const error = thrown(() => F.adaptive_max_pool2d(0, 2));
    expect(error.cause === undefined || error.cause instanceof TypeError).toBe(true);
  });

  test("does not blame an argument for an error of ours", () => {
    const wrong = def("wrong(input, n=2)", (_input: unknown, _n: number) => (undefined as Any).inside.dim());
    for (const args of [[t.ones([2])], [5], ["a", 3]]) {
      const error = thrown(() => (wrong as Any)(...args));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.stack).toContain("inner_errors.test");
    }
  });

  test("leaves alone what a function of the caller throws", () => {
    const bad = (): unknown => (null as Any).dim();
    expect(thrown(() => t.utils.checkpoint.checkpoint(bad, t.ones([1]), { use_reentrant: false }))).toBeInstanceOf(
      TypeError,
    );
    expect(thrown(() => t.ones([2]).apply_(bad))).toBeInstanceOf(TypeError);
    const hooked = t.ones([2], { requires_grad: true });
    hooked.register_hook(bad);
    expect(thrown(() => hooked.sum().backward())).toBeInstanceOf(TypeError);
  });

  test("calls a list without end what Python calls it", () => {
    const cyclic: Any[] = [];
    cyclic[0] = cyclic;
    expect(thrown(() => t.utils.data.default_convert(cyclic))).toMatchObject({
      name: "RecursionError",
      message: "maximum recursion depth exceeded",
    });
  });
});

describe("a sparse list", () => {
  const sparse: Any[] = [];
  sparse[4e9] = 1;
  const smaller: Any[] = [];
  smaller[3e7] = 1;
  const x = t.ones([2]);
  test.each<[string, (a: Any) => unknown]>([
    ["clamp_max", (a) => t.clamp_max(x, a)],
    ["ByteTensor", (a) => t.ByteTensor(a)],
    ["clamp_", (a) => x.clone().clamp_(a)],
    ["clamp_min_", (a) => x.clone().clamp_min_(a)],
    ["std_mean", (a) => t.std_mean(x, a)],
    ["bitwise_left_shift", (a) => t.bitwise_left_shift(x, a)],
    ["_foreach_add", (a) => t._foreach_add(a, a)],
    ["view", (a) => x.view(a)],
    ["UntypedStorage", (a) => new t.UntypedStorage(a)],
    ["broadcast_shapes", (a) => t.broadcast_shapes(a)],
    ["SGD", (a) => new t.optim.SGD(a)],
    ["tensor", (a) => t.tensor([a])],
    ["__getitem__", (a) => x.__getitem__(a)],
    ["__setitem__", (a) => x.__setitem__(a, 0)],
    ["at", (a) => x.at([a])],
    ["where", (a) => t.where(x.gt(0), a, x)],
    ["einsum", (a) => t.einsum("ij", a)],
    ["torch.ops.aten.cat", (a) => t.ops.aten.cat(a)],
    ["torch.ops.aten.sum", (a) => t.ops.aten.sum(x, { dim: a })],
    ["save", (a) => t.save({ a: [a] })],
    ["from_numpy", (a) => t.from_numpy(a)],
    ["deepcopy", (a) => t.deepcopy({ a })],
    ["ModuleList", (a) => new t.nn.ModuleList(a)],
    ["Conv2d", (a) => new t.nn.Conv2d(1, 1, a)],
    ["interpolate", (a) => F.interpolate(x, { size: a })],
    ["pad_sequence", (a) => t.nn.utils.rnn.pad_sequence(a)],
    ["checkpoint", (a) => t.utils.checkpoint.checkpoint(() => x, a, { use_reentrant: false })],
    ["default_collate", (a) => t.utils.data.default_collate([a])],
    ["ConcatDataset", (a) => new t.utils.data.ConcatDataset(a)],
    ["has_torch_function", (a) => t.overrides.has_torch_function(a)],
  ])("%s refuses it at once", (_, call) => {
    for (const a of [sparse, smaller]) {
      const started = performance.now();
      const error = thrown(() => call(a));
      expect(error.name).toMatch(/^(Type|Runtime|Value|Index)Error$/);
      expect(performance.now() - started).toBeLessThan(3000);
    }
  });
});

test("the error classes of torch._C are those that are thrown; a sampler draws", () => {
  expect(t._C.AcceleratorError).toBe(AcceleratorError);
  expect(t._C.OutOfMemoryError).toBe(OutOfMemoryError);
  expect([...new t.utils.data.WeightedRandomSampler([0, 1, 0], 3)]).toEqual([1, 1, 1]);
});
