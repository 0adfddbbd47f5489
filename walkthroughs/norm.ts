/**
 * @file The four norms: which elements share a mean, the classes of the modules, the difference between training and evaluation, and the tensors
 * that are saved for backward.
 */
import torch from "glasstorch";
import type { Trace } from "glasstorch/trace";
import { check, checkThrows, drawn, finish, recorded } from "./support/walkthrough.ts";

const { nn } = torch;
torch.manual_seed(0);

// ## Step 1. The modules and their classes
// One block of two images with four channels of 2 by 3 points: N, C, H, W.
const x = torch.randn([2, 4, 2, 3], { requires_grad: true });
const batch = new nn.BatchNorm2d(4);
const layer = new nn.LayerNorm([4, 2, 3]);
const instance = new nn.InstanceNorm2d(4);
const group = new nn.GroupNorm(2, 4);

// #region the class tree
/** A class with its chain of prototypes, and which of the methods that matter here it writes itself. */
const methods = ["forward", "_check_input_dim", "_apply_instance_norm", "reset_running_stats", "reset_parameters"];
const ancestors = (of: Function): Function[] =>
  of === nn.Module ? [of] : [...ancestors(Object.getPrototypeOf(of) as Function), of];
const leaves = [
  nn.BatchNorm1d,
  nn.BatchNorm2d,
  nn.BatchNorm3d,
  nn.SyncBatchNorm,
  nn.InstanceNorm1d,
  nn.InstanceNorm2d,
  nn.InstanceNorm3d,
  nn.LayerNorm,
  nn.GroupNorm,
  nn.RMSNorm,
];
const known = [...new Set(leaves.flatMap(ancestors))];
const classes = known.map((of) => ({
  name: of.name,
  base: of === nn.Module ? null : (Object.getPrototypeOf(of) as Function).name,
  depth: ancestors(of).length - 1,
  module: (of as unknown as { __module__?: string }).__module__ ?? "",
  own: methods.filter((method) => Object.hasOwn(of.prototype as object, method)),
}));
drawn(
  "classes",
  "The classes, and the methods that each of them defines",
  classes,
  classes.map(({ name, depth, own }) => ` ${`${"  ".repeat(depth)}${name}`.padEnd(26)} ${own.join(", ")}`),
);
// #endregion
const namesOf = (of: Function): string[] => ancestors(of).map(({ name }) => name);
check(namesOf(nn.BatchNorm2d), ["Module", "_NormBase", "_BatchNorm", "BatchNorm2d"]);
check(namesOf(nn.InstanceNorm2d), ["Module", "_NormBase", "_InstanceNorm", "InstanceNorm2d"]);
check(namesOf(nn.LayerNorm), ["Module", "LayerNorm"]); // it keeps no statistics, so it needs no common base class
check(classes.find((c) => c.name === "BatchNorm2d")?.own, ["_check_input_dim"]); // the only thing that 2d means
checkThrows(() => batch(torch.ones([2, 4])), "expected 4D input (got 2D input)");

// ## Step 2. Who shares a mean
// An output depends on every element of its mean. So the gradient of one output is not zero exactly at these elements.
type Norm = (input: typeof x) => typeof x;

/** The number of its group for each element, found by one gradient for each group. */
function groupsOf(norm: Norm): number[] {
  const groups: number[] = Array(x.numel()).fill(-1);
  for (let n = 0, first = 0; first !== -1; n++, first = groups.indexOf(-1)) {
    const [gradient] = torch.autograd.grad(norm(x).flatten().select(0, first), [x]);
    const reached = gradient.flatten().ne(0).tolist() as boolean[];
    reached.forEach((reaches, i) => {
      if (!reaches) return;
      check(groups[i], -1, "an element has one mean");
      groups[i] = n;
    });
  }
  return groups;
}

const values = x.flatten().tolist() as number[];

/** The mean of each group, by hand. */
const meansOf = (groups: readonly number[]): number[] =>
  Array.from({ length: Math.max(...groups) + 1 }, (_, n) => {
    const own = values.filter((_, i) => groups[i] === n);
    return own.reduce((sum, value) => sum + value, 0) / own.length;
  });

const norms = (
  [
    ["BatchNorm2d(4)", batch, "aten::native_batch_norm"],
    ["LayerNorm([4, 2, 3])", layer, "aten::native_layer_norm"],
    ["InstanceNorm2d(4)", instance, "aten::native_batch_norm"],
    ["GroupNorm(2, 4)", group, "aten::native_group_norm"],
  ] as const
).map(([code, norm, op]) => {
  const groups = groupsOf(norm as Norm);
  return { code, op, groups, means: meansOf(groups) };
});
const [ofBatch, ofLayer, ofInstance, ofGroup] = norms;
check(
  norms.map(({ means }) => means.length),
  [4, 2, 8, 4], // C, N, N * C, N * groups
);

const letters = "abcdefgh";
/** Two images beside each other, their channels as columns. */
const pictured = (groups: readonly number[]): string[] =>
  [0, 1].map((row) =>
    [0, 1]
      .map((n) =>
        [0, 1, 2, 3]
          .map((c) => [0, 1, 2].map((w) => letters[groups[n * 24 + c * 6 + row * 3 + w] as number]).join(""))
          .join(" "),
      )
      .join("    "),
  );
drawn(
  "elements",
  "Elements with one letter share one mean    x: float32 [2, 4, 2, 3], two images of four channels",
  { sizes: x.shape, norms, values },
  norms.flatMap(({ code, op, groups, means }) => {
    const [first = "", second = ""] = pictured(groups);
    return [` ${code.padEnd(21)} ${first}    ${op}`, ` ${"".padEnd(21)} ${second}    ${means.length} means`, ""];
  }),
);

// ## Step 3. The same means, saved
// Each kernel also returns the values that backward needs: the means and the inverse standard deviations. They are the means of these groups.
const near = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((each, i) => Math.abs(each - (b[i] as number)) < 1e-6);
const saved = (tensor: { flatten(): { tolist(): unknown } }) => tensor.flatten().tolist() as number[];
check(near(saved(torch.native_batch_norm(x, null, null, null, null, true, 0.1, 1e-5)[1]), ofBatch?.means ?? []), true);
check(near(saved(torch.native_layer_norm(x, [4, 2, 3], null, null, 1e-5)[1]), ofLayer?.means ?? []), true);
check(near(saved(torch.native_group_norm(x, null, null, 2, 4, 6, 2, 1e-5)[1]), ofGroup?.means ?? []), true);

// ## Step 4. Training and evaluation
// `train()` and `eval()` set one field, `training`. In training the statistics of the batch are used, and the running statistics change.
const copy = (): (number | number[])[] =>
  [batch.running_mean, batch.running_var, batch.num_batches_tracked].map((buffer) => buffer?.tolist() as number[]);
batch.reset_running_stats();
const before = copy();
batch.train();
batch(x);
const after = copy();
batch.eval();
batch(x);
check(copy(), after); // evaluation reads them and does not change them
check([before[2], after[2]], [0, 1]);

// The new mean is 0.9 times the old one plus 0.1 times the batch's. The running variance divides by n - 1, the variance of the batch by n.
const [mean, variance] = [x.mean([0, 2, 3]), x.var([0, 2, 3], { correction: 1 })];
check(near(after[0] as number[], mean.mul(0.1).tolist() as number[]), true);
check(near(after[1] as number[], variance.mul(0.1).add(0.9).tolist() as number[]), true);
const rounded = (value: unknown): string =>
  Array.isArray(value) ? value.map((each) => (each as number).toFixed(4).padStart(8)).join("") : `${value}`.padStart(4);
const statistics = ["running_mean", "running_var", "num_batches_tracked"].map((name, i) => ({
  name,
  before: before[i] as number | number[],
  after: after[i] as number | number[],
}));
drawn(
  "statistics",
  "The buffers of BatchNorm2d(4), before and after one batch in training",
  statistics,
  statistics.flatMap(({ name, before, after }) => [
    ` ${name.padEnd(20)} before ${rounded(before)}`,
    ` ${"".padEnd(20)} after  ${rounded(after)}`,
  ]),
);

// ## Step 5. The first difference
const train = recorded("train", "The path of BatchNorm2d(4)(x) in training", () => batch.train()(x), {
  note: "x: float32 [2, 4, 2, 3]",
  quiet: true,
});
const evaluated = recorded("eval", "BatchNorm2d(4)(x) in evaluation", () => batch.eval()(x), { quiet: true });

/** Depth and name of each step, memory aside. */
const tree = (trace: Trace): string[] =>
  trace.events
    .filter((e) => e.kind !== "memory")
    .map((e) => {
      let depth = 0;
      for (let up = trace.parent(e); up !== null; up = trace.parent(up)) depth++;
      return `${"  ".repeat(depth)}${e.name}`;
    });
const [there, here] = [tree(train), tree(evaluated)];
const parting = there.findIndex((step, i) => step !== here[i]);
check(
  [there[parting]?.trim(), here[parting]?.trim()],
  ["torch::autograd::THPVariable_add_", "torch.nn.functional.batch_norm"], // num_batches_tracked.add_(1): only Python counts, C++ does not
);
// From F.batch_norm on, both call the same operators down to the same kernel; inside it only training collects statistics.
const path = (trace: Trace): string[] => trace.ops().flatMap((e) => (/batch_norm/.test(e.op ?? "") ? [e.name] : []));
check(path(train), path(evaluated));
const collects = "at::native::batch_norm_cpu_collect_stats_stub";
check([train.named(collects).length, evaluated.named(collects).length], [1, 0]);
drawn(
  "parting",
  "The first steps of the two paths, up to the first difference",
  { at: parting, train: there.slice(0, parting + 2), eval: here.slice(0, parting + 2) },
  [
    ...there.slice(0, parting).map((step) => `   ${step}`),
    ` < ${there[parting]?.trimEnd()}     training`,
    ` > ${here[parting]?.trimEnd()}     evaluation`,
  ],
);
// A layer norm keeps no statistics, so training and evaluation are the same for it.
const same = (made: typeof layer): string[] =>
  tree(
    recorded(made.training ? "layer" : "layer_eval", "The path of LayerNorm([4, 2, 3])(x)", () => made(x), {
      quiet: true,
    }),
  );
check(same(layer.train()), same(layer.eval()));
layer.train();

// ## Step 6. An instance norm is a batch norm
// A batch norm of one image with N * C channels has a mean for each of them. So instance norm is a view, that kernel, and a view back.
const asBatch = recorded("instance", "The path of InstanceNorm2d(4)(x)", () => instance(x), {
  note: "x: float32 [2, 4, 2, 3]",
  quiet: true,
});
const called = asBatch.ops("aten::native_batch_norm")[0];
check((called?.inputs as { shape: number[] }[] | undefined)?.[0]?.shape, [1, 8, 2, 3]);
check(
  asBatch
    .ops()
    .filter((e) => e.how === "call" && /view|batch_norm$|instance_norm/.test(e.op ?? ""))
    .map((e) => e.op),
  ["aten::instance_norm", "aten::view", "aten::batch_norm", "aten::native_batch_norm", "aten::view"],
);
const [, means] = torch.native_batch_norm(x.view(1, 8, 2, 3), null, null, null, null, true, 0.1, 1e-5);
check(near(saved(means), ofInstance?.means ?? []), true);

// ## Step 7. Backward uses the saved mean
// The node of native_batch_norm keeps its second and third result. Backward does not compute them again.
batch.train();
const y = batch(x);
const node = y.grad_fn as unknown as Record<"_saved_result1" | "_saved_result2", typeof x> & { name(): string };
check(node.name(), "NativeBatchNormBackward0");
check(near(saved(node._saved_result1), ofBatch?.means ?? []), true);
const invstd = x.var([0, 2, 3], { correction: 0 }).add(batch.eps).rsqrt();
check(near(saved(node._saved_result2), saved(invstd)), true);
const ones = torch.ones_like(y);
const backward = recorded("backward", "Backward: y.backward(ones)", (made) => made.backward(ones), {
  note: "y = BatchNorm2d(4)(x)",
  quiet: true,
  setup: () => batch(x),
});
check(backward.nodes()[0], "NativeBatchNormBackward0::apply");
check(backward.named(collects).length, 0);
check(backward.named("at::native::batch_norm_cpu_backward_stub").length, 1);

finish({
  next: "npx tsx walkthroughs/save-load.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch
x, net = torch.randn(2, 4, 2, 3, requires_grad=True), torch.nn.BatchNorm2d(4)
print(torch.nn.BatchNorm2d.__mro__)
g, = torch.autograd.grad(net(x).flatten()[0], [x]); print(g != 0)   # who shares its mean
print(net.running_mean, net.running_var, net.num_batches_tracked)
y = net(x); print(y.grad_fn, y.grad_fn._saved_result1, y.grad_fn._saved_result2)
with torch.profiler.profile() as prof: torch.nn.InstanceNorm2d(4)(x)
print([e.name for e in prof.events()])`,
});
