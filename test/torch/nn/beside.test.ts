/** Old modules, and functions beside them, as PyTorch's: tools/oracle/user_programs/nn_beside.py in TypeScript, line for line. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const nn = torch.nn as Any;
const G = nn.grad;
const F = nn.functional;
const floats = (data: Any) => torch.tensor(data, { dtype: torch.float32 });

user_programs("nn_beside", {
  "modules that are deprecated"({ say, fails }) {
    const log_p = floats([
      [[[-0.5]], [[-1.5]]],
      [[[-0.25]], [[-2.0]]],
    ]);
    const target = torch.tensor([[[1]], [[0]]]);
    let m = new nn.NLLLoss2d();
    say(m, m(log_p, target), m instanceof nn.NLLLoss, m.constructor.name);
    m = new nn.NLLLoss2d(floats([1, 3]), { ignore_index: 0, reduction: "sum" });
    say(m(log_p, target), m.ignore_index, m.weight);
    say(new nn.NLLLoss2d({ size_average: false })(log_p, target));
    fails(() => new nn.NLLLoss2d({ reduction: "nope" })(log_p, target));
    const c = new nn.Container({ first: new nn.Linear(2, 1), second: new nn.ReLU() });
    say(c, [...new Map(c.named_children()).keys()], [...c.state_dict().keys()]);
    fails(() => new nn.Container({ first: 3 }));
    fails(() => new nn.Container(3));
    fails(() => c(torch.ones(2)));
    say(new nn.Container());
  },

  CrossMapLRN2d({ say, fails }) {
    torch.manual_seed(0);
    const x = torch.randn([2, 7, 2, 2], { requires_grad: true });
    const g = torch.randn(2, 7, 2, 2);
    for (const args of [[5], [3, 0.1, 0.5, 2], [2, 0.5]]) {
      const m = new nn.CrossMapLRN2d(...args);
      const out = m(x);
      x.grad = null;
      out.backward(g);
      say(out, x.grad);
    }
    fails(() => new nn.CrossMapLRN2d(1)(x).backward(g));
    say(new nn.CrossMapLRN2d(5), new nn.CrossMapLRN2d(3, { alpha: 0.5, beta: 1.5, k: 2.5 }));
    fails(() => new nn.CrossMapLRN2d(5)(torch.ones(3)));
    fails(() => new nn.CrossMapLRN2d());
  },

  "gradients of convolutions"({ say, fails }) {
    torch.manual_seed(0);
    let x = torch.randn(2, 4, 6);
    let w = torch.randn(6, 2, 3);
    let go = torch.randn(2, 6, 3);
    say(G.conv1d_input(x.shape, w, go, { stride: 2, padding: 1, groups: 2 }));
    say(G.conv1d_weight(x, w.shape, go, 2, 1, 1, 2));
    x = torch.randn(1, 2, 4, 5);
    w = torch.randn(3, 2, 2, 2);
    const how = { padding: [1, 0], dilation: [1, 2] };
    go = torch.randn(F.conv2d(x, w, how).shape);
    say([...go.shape], G.conv2d_input([1, 2, 4, 5], w, go, how));
    say(G.conv2d_weight(x, [3, 2, 2, 2], go, how));
    x = torch.randn(1, 1, 3, 3, 3);
    w = torch.randn(2, 1, 2, 2, 2);
    go = torch.randn(1, 2, 2, 2, 2);
    say(G.conv3d_input(x.shape, w, go), G.conv3d_weight(x, w.shape, go));
    fails(() => G.conv2d_input([1, 2, 4, 5], torch.ones(3, 2, 2, 2), torch.ones(1, 3, 9, 9)));
    fails(() => G.conv1d_weight(torch.ones(2, 3), [3, 2, 2], torch.ones(1, 3, 3)));
    fails(() => G.conv1d_weight(torch.ones(2, 3), [3, 2, 2], 5));
    fails(() => G.conv3d_input([1, 1, 3, 3, 3], w));
  },

  "formats of weights"({ say, fails }) {
    const { convert_conv2d_weight_memory_format: convert2d, convert_conv3d_weight_memory_format: convert3d } = nn.utils;
    const inner = new nn.Sequential(new nn.ConvTranspose2d(2, 3, 2), new nn.Conv3d(2, 3, 2));
    const outer = new nn.Conv2d(2, 3, 2);
    const m = new nn.Sequential(outer, inner, new nn.Linear(2, 2));
    const weights = [outer.weight, ...[...inner.children()].map((child: Any) => child.weight)];
    const before = weights.map((w) => w.clone());
    // Strides are tuples in Python.
    const strides = () => `[${weights.map((w) => `(${w.stride().join(", ")})`).join(", ")}]`;
    say(convert2d(m, torch.channels_last) === m, strides());
    say(convert3d(m, torch.channels_last_3d) === m, strides());
    say(
      weights.every((w, i) => torch.equal(before[i], w)),
      outer.weight === weights[0],
      outer.weight.requires_grad,
    );
    convert2d(m, torch.contiguous_format);
    say(strides());
    fails(() => convert2d(m, torch.channels_last_3d));
    fails(() => convert2d(5, torch.channels_last));
    fails(() => convert2d(m, 5));
  },

  "batch normalizations without statistics"({ say, fails }) {
    const { replace_all_batch_norm_modules_ } = torch.func as Any;
    const first = new nn.BatchNorm1d(2);
    const inner = new nn.Sequential(new nn.BatchNorm2d(3), new nn.Linear(2, 2));
    const m = new nn.Sequential(first, inner, new nn.BatchNorm1d(2, { track_running_stats: false }));
    say(replace_all_batch_norm_modules_(m) === m, m, [...m.state_dict().keys()]);
    say(first.running_mean, first.running_var, first.num_batches_tracked, first.training);
    say(
      first(
        floats([
          [1, 2],
          [3, 6],
        ]),
      ),
    );
    say(replace_all_batch_norm_modules_(new nn.BatchNorm1d(2)).track_running_stats);
    fails(() => replace_all_batch_norm_modules_(5));
  },
});
