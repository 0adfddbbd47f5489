/**
 * @file Shape rules of operators that reduce dimensions.
 * @original
 */
import { type Expr, ONE } from "#torch/utils/_sympy/expr";
import { type RuleArguments, register_shape_rule, type Shape } from "./registry.ts";

function reduced(call: RuleArguments, dims: ReadonlySet<number>): Shape {
  const sizes = call.sizes();
  const keep = call.flag("keepdim");
  return { sizes: sizes.flatMap((size, i): Expr[] => (dims.has(i) ? (keep ? [ONE] : []) : [size])) };
}

register_shape_rule(
  `sum mean prod amax amin all any var var.dim var.correction std std.dim std.correction argmax argmin logsumexp nansum nanmean
  count_nonzero norm linalg_vector_norm max min median nanmedian std_mean var_mean`,
  (call) => {
    const one = reduced(call, call.dims("dim", call.sizes().length));
    return call.func._schema.returns.map(() => one);
  },
);

register_shape_rule("max.dim min.dim median.dim nanmedian.dim mode kthvalue", (call) => {
  const one = reduced(call, call.dims("dim", call.sizes().length));
  return [one, one];
});

register_shape_rule("topk", (call) => {
  const sizes = call.sizes();
  const dim = call.dim("dim", sizes.length, -1);
  const one = { sizes: sizes.map((size, i) => (i === dim ? call.int("k") : size)) };
  return [one, one];
});

/** Mean and deviation of the trailing dimensions. */
register_shape_rule("native_layer_norm", (call) => {
  const sizes = call.sizes();
  const normalized = call.ints("normalized_shape").length;
  const inner = sizes.map((size, i) => (i < sizes.length - normalized ? size : ONE));
  return [{ sizes }, { sizes: inner }, { sizes: inner }];
});

register_shape_rule("native_group_norm", (call) => {
  const sizes = [call.int("N"), call.int("group")];
  return [{ sizes: call.sizes() }, { sizes }, { sizes }];
});

register_shape_rule(
  "native_batch_norm _native_batch_norm_legit _native_batch_norm_legit.no_stats _native_batch_norm_legit_no_training",
  (call) => {
    const sizes = call.sizes();
    const trained = call.get("training") !== false && call.func.name() !== "aten::_native_batch_norm_legit_no_training";
    const channels = trained ? [sizes[1] as Expr] : null;
    return [{ sizes }, ...[0, 1].map(() => (channels === null ? null : { sizes: channels }))];
  },
);

/** A loss is one number unless it is left as it is. */
register_shape_rule("mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy soft_margin_loss", (call) =>
  call.number("reduction", 1) === 0 ? [{ sizes: call.sizes() }] : [{ sizes: [] }],
);
register_shape_rule("nll_loss_forward", (call) => {
  const sizes = call.sizes();
  const rows = call.number("reduction", 1) === 0 && sizes.length === 2 ? [sizes[0] as Expr] : [];
  return [{ sizes: rows }, { sizes: [] }];
});
