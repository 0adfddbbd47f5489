/**
 * @file Shape rules of tensors that are made from sizes, and of tensors that are joined, repeated or padded.
 * @original
 */
import { add, type Expr, integer, mul, ONE, sub, ZERO } from "#torch/utils/_sympy/expr";
import { FloorDiv } from "#torch/utils/_sympy/functions";
import {
  contiguous_strides,
  promise,
  promise_sizes,
  type RuleArguments,
  register_shape_rule,
  type Shape,
} from "./registry.ts";

register_shape_rule(
  `empty.memory_format zeros ones full rand randn randint randint.low rand.generator randn.generator new_empty new_zeros new_ones new_full`,
  (call) => {
    const sizes = call.ints("size");
    promise_sizes(call.env, sizes);
    return [{ sizes }];
  },
);
register_shape_rule("scalar_tensor", () => [{ sizes: [] }]);
register_shape_rule("empty_strided new_empty_strided", (call) => [
  { sizes: call.ints("size"), strides: call.ints("stride") },
]);

/** How many numbers lie from `start` to below `end`. */
function steps(start: Expr, end: Expr, step: number): Expr {
  const by = integer(step);
  return FloorDiv(add(sub(end, start), sub(by, integer(Math.sign(step)))), by);
}
const whole = (call: RuleArguments, ...names: string[]): boolean =>
  names.every((name) => Number.isInteger(call.expr(call.get(name) ?? 0).constant ?? 0));
register_shape_rule("arange", (call) => (whole(call, "end") ? [{ sizes: [call.int("end")] }] : null));
register_shape_rule("arange.start", (call) =>
  whole(call, "start", "end") ? [{ sizes: [steps(call.int("start"), call.int("end"), 1)] }] : null,
);
register_shape_rule("arange.start_step", (call) =>
  whole(call, "start", "end", "step")
    ? [{ sizes: [steps(call.int("start"), call.int("end"), call.number("step", 1))] }]
    : null,
);
register_shape_rule("eye", (call) => [{ sizes: [call.int("n"), call.int("n")] }]);
register_shape_rule("eye.m", (call) => [{ sizes: [call.int("n"), call.int("m")] }]);
register_shape_rule("linspace", (call) => [{ sizes: [call.int("steps")] }]);

// The Meta kernels refuse sizes that are known to differ, in their own words.
register_shape_rule("cat concat concatenate", (call) => {
  const { env } = call;
  const shapes = call.tensors().map((t) => call.sizes(t));
  // An empty list of one dimension joins with anything.
  const joined = shapes.filter((shape) => !(shape.length === 1 && shape[0]?.constant === 0));
  const [first] = joined;
  if (first === undefined) return null;
  const dim = call.dim("dim", first.length);
  let sum: Expr = ZERO;
  for (const shape of joined) {
    sum = add(sum, shape[dim] as Expr);
    for (const [i, size] of shape.entries()) if (i !== dim) promise(env, "Eq", size, first[i] as Expr);
  }
  return [{ sizes: first.map((size, i) => env.replace(i === dim ? sum : size)) }];
});

register_shape_rule("stack", (call) => {
  const shapes = call.tensors().map((t) => call.sizes(t));
  const [first] = shapes;
  if (first === undefined) return null;
  for (const shape of shapes) for (const [i, size] of shape.entries()) promise(call.env, "Eq", size, first[i] as Expr);
  const dim = call.dim("dim", first.length + 1);
  const sizes = [...first.slice(0, dim), integer(shapes.length), ...first.slice(dim)];
  return [{ sizes, strides: contiguous_strides(sizes, call.env) }];
});

register_shape_rule("repeat tile", (call): Shape[] => {
  const repeats = call.get("repeats") === null ? call.ints("dims") : call.ints("repeats");
  const sizes = call.sizes();
  const rank = Math.max(sizes.length, repeats.length);
  const padded = (list: readonly Expr[]): Expr[] => [...Array<Expr>(rank - list.length).fill(ONE), ...list];
  const times = padded(repeats);
  return [{ sizes: padded(sizes).map((size, i) => mul(size, times[i] as Expr)) }];
});

/** Pairs of paddings, the last dimension first. */
const padded = (call: RuleArguments): Shape[] => {
  const sizes = call.sizes();
  const pad = call.ints(call.get("pad") === null ? "padding" : "pad");
  return [
    {
      sizes: sizes.map((size, i) => {
        const at = 2 * (sizes.length - 1 - i);
        return add(size, add(pad[at] ?? ZERO, pad[at + 1] ?? ZERO));
      }),
    },
  ];
};
register_shape_rule(
  `constant_pad_nd pad reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d replication_pad3d`,
  padded,
);

register_shape_rule("upsample_nearest2d upsample_bilinear2d upsample_nearest1d upsample_linear1d", (call) => {
  const sizes = call.sizes();
  const output = call.ints("output_size");
  return [{ sizes: [...sizes.slice(0, sizes.length - output.length), ...output] }];
});

register_shape_rule("one_hot", (call) => {
  const classes = call.number("num_classes", -1);
  return classes < 0 ? null : [{ sizes: [...call.sizes(), integer(classes)] }];
});
