/**
 * @file Shape rules of convolutions and pooling: windows that move over the last dimensions.
 * @original
 */
import { add, type Expr, integer, mul, ONE, sub } from "#torch/utils/_sympy/expr";
import { FloorDiv } from "#torch/utils/_sympy/functions";
import { type RuleArguments, register_shape_rule, type Shape } from "./registry.ts";

/** One number for each dimension. */
function per_dimension(call: RuleArguments, name: string, count: number, otherwise: number): number[] {
  const given = call.get(name);
  const list = (given === null ? [] : [given].flat()).map(Number);
  return list.length === 0 ? Array(count).fill(otherwise) : list.length === 1 ? Array(count).fill(list[0]) : list;
}

/** How many places a window has. */
function windows(size: Expr, kernel: Expr, stride: number, padding: number, dilation: number, ceil = false): Expr {
  const span = add(mul(integer(dilation), sub(kernel, ONE)), ONE);
  const room = add(sub(add(size, integer(2 * padding)), span), integer(ceil ? stride - 1 : 0));
  return add(FloorDiv(room, integer(stride)), ONE);
}

function convolved(call: RuleArguments, transposed: boolean): Shape[] | null {
  const input = call.sizes();
  const weight = call.tensor("weight");
  if (weight === null || typeof call.get("padding") === "string") return null;
  const kernel = call.sizes(weight);
  const spatial = kernel.length - 2;
  const [stride, padding, dilation, output_padding] = [
    per_dimension(call, "stride", spatial, 1),
    per_dimension(call, "padding", spatial, 0),
    per_dimension(call, "dilation", spatial, 1),
    per_dimension(call, "output_padding", spatial, 0),
  ] as [number[], number[], number[], number[]];
  const first = input.length - spatial;
  const places = Array.from({ length: spatial }, (_, i) => {
    const [size, k] = [input[first + i] as Expr, kernel[2 + i] as Expr];
    const [s, p, d, o] = [stride[i], padding[i], dilation[i], output_padding[i]] as [number, number, number, number];
    if (!transposed) return windows(size, k, s, p, d);
    const grown = mul(sub(size, ONE), integer(s));
    return add(sub(grown, integer(2 * p)), add(mul(integer(d), sub(k, ONE)), integer(o + 1)));
  });
  const channels = transposed ? mul(kernel[1] as Expr, call.int("groups", 1)) : (kernel[0] as Expr);
  return [{ sizes: [...input.slice(0, first - 1), channels, ...places] }];
}

register_shape_rule("conv1d conv2d conv3d", (call) => convolved(call, false));
register_shape_rule("conv_transpose1d conv_transpose2d.input conv_transpose3d.input", (call) => convolved(call, true));
register_shape_rule("convolution _convolution", (call) => convolved(call, call.flag("transposed")));

function pooled(spatial: number): (call: RuleArguments) => Shape[] {
  return (call) => {
    const input = call.sizes();
    const kernel = per_dimension(call, "kernel_size", spatial, 1);
    const given = [call.get("stride")].flat().filter((item) => item !== null);
    const stride = given.length === 0 ? kernel : per_dimension(call, "stride", spatial, 1);
    const padding = per_dimension(call, "padding", spatial, 0);
    const dilation = per_dimension(call, "dilation", spatial, 1);
    const ceil = call.flag("ceil_mode");
    const first = input.length - spatial;
    const places = Array.from({ length: spatial }, (_, i) =>
      windows(
        input[first + i] as Expr,
        integer(kernel[i] as number),
        stride[i] as number,
        padding[i] as number,
        dilation[i] as number,
        ceil,
      ),
    );
    const one = { sizes: [...input.slice(0, first), ...places] };
    return call.func._schema.returns.map(() => one);
  };
}
register_shape_rule("max_pool1d avg_pool1d max_pool1d_with_indices", pooled(1));
register_shape_rule("max_pool2d avg_pool2d max_pool2d_with_indices", pooled(2));
register_shape_rule("max_pool3d avg_pool3d max_pool3d_with_indices", pooled(3));

/** The output's sizes are given. */
const adaptive = (call: RuleArguments): Shape[] => {
  const input = call.sizes();
  const output = call.ints("output_size");
  const one = { sizes: [...input.slice(0, input.length - output.length), ...output] };
  return call.func._schema.returns.map(() => one);
};
register_shape_rule(
  `adaptive_avg_pool1d adaptive_avg_pool2d _adaptive_avg_pool2d adaptive_avg_pool3d _adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
  adaptive_max_pool3d`,
  adaptive,
);
