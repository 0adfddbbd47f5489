/**
 * @file Types of results beside PyTorch's: tuple, list, torch.Size, named tuple. Recorded by tools/oracle/record_result_types.py, whose cases
 * have the same names.
 */
import { readFileSync } from "node:fs";
import torch from "glasstorch";
import { expect, test } from "vitest";
import { PyTuple } from "#python/Objects/tupleobject";
import { argumentsOf, operator, type Recorded } from "../helpers/opinfo.ts";
import { type Any, decode, readFixture } from "../helpers/recorded.ts";

interface Types {
  readonly functions: Readonly<Record<string, unknown>>;
  readonly operators: Readonly<Record<string, string>>;
}

const recorded = JSON.parse(
  readFileSync(new URL("../fixtures/front_end/result_types.json", import.meta.url), "utf8"),
) as Types;

const { nn } = torch;
const F = nn.functional;
const Float = (value: number): Any => new torch.Float(value);

function name_of(value: Any): string {
  if (value === null || value === undefined) return "NoneType";
  if (Array.isArray(value) && value.constructor === Array) return "list";
  if (value instanceof PyTuple && value.constructor === PyTuple) return "tuple";
  switch (typeof value) {
    case "string":
      return "str";
    case "boolean":
      return "bool";
    case "number":
      return Number.isInteger(value) ? "int" : "float";
  }
  return value.constructor.__name__?.split(".").at(-1) ?? value.constructor.name;
}

/** As the script writes it. */
function type_of(value: Any): string {
  if (value instanceof torch.Tensor) return value.constructor.name;
  if (!Array.isArray(value)) return name_of(value);
  return `${name_of(value)}[${[...new Set(value.slice().map(type_of))].join(", ")}]`;
}

const x = (...shape: number[]): Any => torch.arange(Float(shape.reduce((a, b) => a * b, 1))).reshape(shape);
const leaf = (): Any => x(2).requires_grad_();

function stepped(): Any {
  const p = new nn.Parameter(x(1));
  const optimizer = new torch.optim.Adam([p]);
  p.grad = x(1);
  optimizer.step();
  return optimizer;
}
const sgd = (): Any => new torch.optim.SGD([new nn.Parameter(x(1))], 0.1);

const CASES: Record<string, () => Any> = {
  shape: () => x(2, 3).shape,
  size: () => x(2, 3).size(),
  stride: () => x(2, 3).stride(),
  dim_order: () => x(2, 3).dim_order(),
  tolist: () => x(2, 2).add(0.5).tolist(),
  nonzero_as_tuple: () => x(2, 2).nonzero({ as_tuple: true }),
  torch_nonzero_as_tuple: () => torch.nonzero(x(2, 2), { as_tuple: true }),
  where_condition: () => torch.where(x(3).gt(1)),
  unbind: () => x(2, 3).unbind(),
  chunk: () => x(4).chunk(2),
  tensor_split: () => torch.tensor_split(x(4), 2),
  split: () => x(4).split(2),
  split_sizes: () => torch.split(x(4), [1, 3]),
  torch_split: () => torch.split(x(4), 2),
  split_with_sizes: () => x(4).split_with_sizes([1, 3]),
  unsafe_split: () => torch.unsafe_split(x(4), 2),
  unsafe_chunk: () => torch.unsafe_chunk(x(4), 2),
  hsplit: () => torch.hsplit(x(4), 2),
  vsplit: () => torch.vsplit(x(4, 2), 2),
  dsplit: () => torch.dsplit(x(2, 2, 2), 2),
  meshgrid: () => (torch as Any).meshgrid(x(2), x(3), { indexing: "ij" }),
  meshgrid_list: () => (torch as Any).meshgrid([x(2), x(3)], { indexing: "ij" }),
  broadcast_tensors: () => torch.broadcast_tensors(x(2), x(3, 1)),
  broadcast_shapes: () => torch.broadcast_shapes([2], [3, 1]),
  atleast_1d: () => torch.atleast_1d(x(2), x(3)),
  atleast_2d: () => (torch as Any).atleast_2d([x(2), x(3)]),
  atleast_3d: () => torch.atleast_3d(x(2), x(3)),
  atleast_1d_one: () => torch.atleast_1d(x(2)),
  max_dim: () => x(2, 3).max(0),
  min_dim: () => torch.min(x(2, 3), 1),
  sort: () => x(3).sort(),
  topk: () => x(3).topk(2),
  kthvalue: () => x(3).kthvalue(2),
  median_dim: () => x(3).median(0),
  mode: () => x(3).mode(),
  cummax: () => torch.cummax(x(3), 0),
  frexp: () => torch.frexp(x(3)),
  aminmax: () => torch.aminmax(x(3)),
  var_mean: () => torch.var_mean(x(3)),
  std_mean: () => torch.std_mean(x(3), 0),
  unique: () => torch.unique(x(3)),
  unique_inverse: () => torch.unique(x(3), { return_inverse: true }),
  unique_counts: () => torch.unique(x(3), { return_counts: true }),
  unique_method: () => x(3).unique({ return_inverse: true, return_counts: true }),
  unique_consecutive: () => torch.unique_consecutive(x(3), { return_inverse: true, return_counts: true }),
  histogram: () => torch.histogram(x(3), 2),
  svd: () => (torch as Any).svd(x(2, 2)),
  qr: () => torch.linalg.qr(x(2, 2)),
  eigh: () => torch.linalg.eigh(x(2, 2)),
  slogdet: () => torch.linalg.slogdet(torch.eye(2)),
  lu_unpack: () => (torch as Any).lu_unpack(...torch.linalg.lu_factor(torch.eye(2))),
  cholesky_ex: () => torch.linalg.cholesky_ex(torch.eye(2)),
  lstsq: () => torch.linalg.lstsq(torch.eye(2), torch.eye(2)),
  cartesian: () => (torch as Any).cartesian_prod(x(2), x(3)),
  result_type: () => torch.result_type(x(2), 1),
  finfo: () => torch.finfo(torch.float32).eps,
  native_layer_norm: () => (torch as Any).native_layer_norm(x(2, 3), [3], null, null, 1e-5),
  native_dropout: () => (torch as Any).native_dropout(x(3), 0.5, true),
  foreach_add: () => (torch as Any)._foreach_add([x(2), x(2)], 1),
  foreach_add_: () => (torch as Any)._foreach_add_([x(2), x(2)], 1),
  gradient: () => (torch as Any).gradient(x(4)),
  gradient_dims: () => (torch as Any).gradient(x(3, 3)),
  ops_split: () => (torch.ops as Any).aten.split(x(4), 2),
  ops_max: () => (torch.ops as Any).aten.max.dim(x(2, 3), 0),
  ops_unbind: () => (torch.ops as Any).aten.unbind(x(2)),
  iter_first: () => x(2)[Symbol.iterator]().next().value,
  adaptive_max_pool: () => F.adaptive_max_pool1d(x(1, 1, 4), 2, { return_indices: true }),
  max_pool: () => F.max_pool1d(x(1, 1, 4), 2, { return_indices: true }),
  max_pool_one: () => F.max_pool1d(x(1, 1, 4), 2),
  multi_head: () => new nn.MultiheadAttention(2, 1)(x(3, 1, 2), x(3, 1, 2), x(3, 1, 2)),
  lstm: () => new nn.LSTM(2, 3)(x(4, 1, 2)),
  gru: () => new nn.GRU(2, 3)(x(4, 1, 2)),
  rnn: () => new nn.RNN(2, 3)(x(4, 1, 2)),
  lstm_cell: () => new nn.LSTMCell(2, 3)(x(1, 2)),
  pad_packed: () => nn.utils.rnn.pad_packed_sequence(nn.utils.rnn.pack_sequence([x(2), x(1)])),
  pack_sequence: () => nn.utils.rnn.pack_sequence([x(2), x(1)]),
  unpad_sequence: () => nn.utils.rnn.unpad_sequence(x(2, 2), torch.tensor([2, 1])),
  embedding_bag: () => (torch as Any).embedding_bag(x(3, 2), torch.tensor([0, 1]), torch.tensor([0])),
  adaptive_softmax: () => (new nn.AdaptiveLogSoftmaxWithLoss(4, 6, [2]) as Any)(x(2, 4), torch.tensor([0, 3])),
  named_parameters: () => [...new nn.Linear(1, 1).named_parameters()],
  named_buffers: () => [...new nn.BatchNorm1d(1).named_buffers()],
  named_modules: () => [...new nn.Linear(1, 1).named_modules()].map((p) => new PyTuple<unknown>(name_of(p), p.length)),
  named_children: () => [...new nn.Sequential(new nn.ReLU()).named_children()].map(name_of),
  kernel_size: () => new nn.Conv2d(1, 1, 3).kernel_size,
  conv_padding: () => new nn.Conv2d(1, 1, 3, { padding: 1 }).padding,
  conv_pair: () => new nn.Conv2d(1, 1, [3, 3]).stride,
  output_padding: () => new nn.ConvTranspose1d(1, 1, 3).output_padding,
  max_pool_kernel: () => new nn.MaxPool2d(2).kernel_size,
  avg_pool1d_kernel: () => new nn.AvgPool1d(2).kernel_size,
  layer_norm_shape: () => new nn.LayerNorm(3).normalized_shape,
  layer_norm_list: () => new nn.LayerNorm([2, 3]).normalized_shape,
  padding_module: () => new nn.ZeroPad2d(1).padding,
  fold_size: () => new nn.Fold(2, 1).output_size,
  sgd_params: () => sgd().param_groups[0].params,
  param_groups: () => sgd().param_groups.map((g: Any) => (g.constructor === Object ? "dict" : name_of(g))),
  adam_betas: () => (new torch.optim.Adam([new nn.Parameter(x(1))]).param_groups[0] as Any).betas,
  state_keys: () => [...stepped().state_dict().state.keys()].map(name_of),
  state_params: () => stepped().state_dict().param_groups[0].params,
  get_last_lr: () => new torch.optim.lr_scheduler.StepLR(sgd(), 1).get_last_lr(),
  base_lrs: () => new torch.optim.lr_scheduler.StepLR(sgd(), 1).base_lrs,
  grad: () => torch.autograd.grad(leaf().sum(), [leaf()], { allow_unused: true }),
  jacobian: () => (torch.autograd.functional as Any).jacobian((a: Any, b: Any) => a.mul(b), [x(2), x(2)]),
  jacobian_one: () => (torch.autograd.functional as Any).jacobian((a: Any) => a.mul(2), x(2)),
  hessian: () => (torch.autograd.functional as Any).hessian((a: Any, b: Any) => a.mul(b).sum(), [x(2), x(2)]),
  vjp: () => (torch.autograd.functional as Any).vjp((a: Any) => a.mul(2), x(2), x(2)),
  jvp: () => (torch.autograd.functional as Any).jvp((a: Any) => a.mul(2), x(2), x(2)),
  next_functions: () => leaf().sum().grad_fn.next_functions,
  clip_norm: () => nn.utils.clip_grad_norm_([new nn.Parameter(x(1))], 1.5),
  clip_fan: () => nn.init._calculate_fan_in_and_fan_out(x(2, 3)),
  tensor_dataset: () => new torch.utils.data.TensorDataset(x(3), x(3)).__getitem__(0),
  stack_dataset: () => new torch.utils.data.StackDataset(x(3), x(3)).__getitem__(0),
  random_split: () => torch.utils.data.random_split([1, 2], [1, 1]).map(name_of),
  collate_tuples: () => torch.utils.data.default_collate([new PyTuple(1, 2.5), new PyTuple(3, 4.5)]),
  collate_lists: () =>
    torch.utils.data.default_collate([
      [1, 2],
      [3, 4],
    ]),
  convert_tuple: () => torch.utils.data.default_convert(new PyTuple<unknown>(1, [2])),
  loader_batch: () => [...new torch.utils.data.DataLoader(new torch.utils.data.TensorDataset(x(2), x(2)), 2)][0],
  batch_sampler: () => [...new torch.utils.data.BatchSampler([0, 1] as Any, 2, false)][0],
  batch_shape: () => new torch.distributions.Normal(x(2), x(2).add(1)).batch_shape,
  event_shape: () => new torch.distributions.Normal(x(2), x(2).add(1)).event_shape,
  checkpoint_tuple: () =>
    torch.utils.checkpoint.checkpoint((a: Any) => new PyTuple(a, a.mul(2)), leaf(), { use_reentrant: false } as Any),
  no_grad_tuple: () => torch.no_grad(() => new PyTuple(1, 2)),
  passed_to_forward_hook: () => {
    const seen: string[] = [];
    const net = new nn.Linear(2, 2);
    net.register_forward_hook((_: Any, inputs: Any) => void seen.push(type_of(inputs)));
    net(x(1, 2));
    return seen;
  },
  passed_to_forward_pre_hook: () => {
    const seen: string[] = [];
    const net = new nn.Linear(2, 2);
    net.register_forward_pre_hook((_: Any, inputs: Any) => void seen.push(type_of(inputs)));
    net.register_forward_pre_hook((_: Any, args: Any) => void seen.push(type_of(args)), { with_kwargs: true });
    net(x(1, 2));
    return seen;
  },
  passed_to_backward_hooks: () => {
    const seen: string[] = [];
    const net = new nn.Linear(2, 2);
    net.register_full_backward_hook((_: Any, gi: Any, go: Any) => void seen.push(type_of(gi), type_of(go)));
    net.register_full_backward_pre_hook((_: Any, go: Any) => void seen.push(type_of(go)));
    net(x(1, 2).requires_grad_()).sum().backward();
    return seen;
  },
  passed_to_node_hooks: () => {
    const seen: string[] = [];
    const y = leaf().mul(2);
    y.grad_fn.register_hook((gi: Any, go: Any) => void seen.push(type_of(gi), type_of(go)));
    y.grad_fn.register_prehook((go: Any) => void seen.push(type_of(go)));
    y.sum().backward();
    return seen;
  },
  passed_to_multi_grad_hook: () => {
    const seen: string[] = [];
    const [a, b] = [leaf(), leaf()];
    torch.autograd.graph.register_multi_grad_hook([a, b], (grads: Any) => void seen.push(name_of(grads)));
    a.mul(b).sum().backward();
    return seen;
  },
  passed_to_function: () => {
    const seen: string[] = [];
    class Double extends torch.autograd.Function {
      static override forward(ctx: Any, a: Any, b: Any): Any {
        ctx.save_for_backward(a, b);
        seen.push(type_of(ctx.needs_input_grad));
        return new PyTuple(a.mul(b), a.add(b));
      }
      static override backward(ctx: Any, ...grads: Any[]): Any {
        seen.push(type_of(ctx.saved_tensors));
        seen.push("tuple[Tensor]"); // a rest parameter is JavaScript's own array
        return [grads[0], null];
      }
    }
    const out = Double.apply(leaf(), x(2));
    seen.push(type_of(out));
    out[0].sum().backward();
    return [seen[0], seen[1], seen[2], seen[3]];
  },
  passed_to_setup_context: () => {
    const seen: string[] = [];
    class Double extends torch.autograd.Function {
      static override forward(a: Any, b: Any): Any {
        return new PyTuple(a.mul(b), a.add(b));
      }
      static override setup_context(_: Any, inputs: Any, output: Any): void {
        seen.push(type_of(inputs), type_of(output));
      }
      static override backward(_: Any, g: Any, h: Any): Any {
        return [g, h];
      }
    }
    Double.apply(leaf(), x(2));
    return seen;
  },
  passed_to_torch_function: () => {
    const seen: Any[] = [];
    class Sub extends torch.Tensor {
      static override __torch_function__(func: Any, types: Any, args: Any = new PyTuple(), kwargs: Any = {}): Any {
        seen.push([name_of(types), name_of(args)]);
        return super.__torch_function__(func, types, args, kwargs);
      }
    }
    torch.add(x(2).as_subclass(Sub), 1);
    seen.push(name_of(x(4).as_subclass(Sub).split(2)));
    seen.push(name_of(x(4).as_subclass(Sub).max(0)));
    seen.push(name_of(x(4).as_subclass(Sub).shape));
    return seen;
  },
  passed_to_function_mode: () => {
    const seen: Any[] = [];
    class Mode extends torch.overrides.TorchFunctionMode {
      override __torch_function__(func: Any, types: Any, args: Any, kwargs?: Any): Any {
        seen.push([name_of(types), name_of(args)]);
        return kwargs === undefined ? func(...args) : func(...args, kwargs);
      }
    }
    const two = x(2);
    new Mode().with(() => torch.add(two, 1));
    return seen.at(-1);
  },
  passed_to_dispatch_mode: () => {
    const seen: Any[] = [];
    class Mode extends torch.utils._python_dispatch.TorchDispatchMode {
      override __torch_dispatch__(func: Any, types: Any, args: Any, kwargs: Any): Any {
        const out = func(...args, kwargs);
        seen.push([String(func), name_of(types), type_of(args), type_of(out)]);
        return out;
      }
    }
    const a = x(4);
    return new Mode().with(() => {
      const results = [torch.split(a, 2), torch.max(a, 0), torch.stack([a, a])].map(type_of);
      return [...seen, ...results];
    });
  },
};

test("every recorded case is here", () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(recorded.functions).sort());
});

test.each(Object.keys(CASES))("%s", (name) => {
  const value = (CASES[name] as () => Any)();
  const expected = recorded.functions[name];
  expect(Array.isArray(expected) ? value : type_of(value)).toEqual(expected);
});

test.each(Object.entries(recorded.operators))("operator %s", (name, expected) => {
  const url = new URL(`../fixtures/opinfo/${name}.json.gz`, import.meta.url);
  const { name: op, dtypes } = readFixture<Recorded>(url);
  const sample = (dtypes["float32"] ?? []).find(({ result }) => "value" in result);
  if (sample === undefined) throw new Error("no sample");
  const kwargs = decode(sample.kwargs) as object;
  const args = argumentsOf(op, sample);
  const result = Object.keys(kwargs).length === 0 ? operator(op)(...args) : operator(op)(...args, kwargs);
  expect(type_of(result)).toBe(expected);
});
