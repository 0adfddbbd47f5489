/** @file All shape rules: loading this folder registers them. @original */
import "./pointwise.ts";
import "./views.ts";
import "./reductions.ts";
import "./matmul.ts";
import "./convolution.ts";
import "./factories.ts";
import "./backward.ts";

export { contiguous_strides, numel, RuleArguments, type Shape, shape_rule_of } from "./registry.ts";
