"""Records the types of results in PyTorch 2.13.0: where it gives or passes a tuple, a list, a torch.Size or a named tuple.

    python tools/oracle/record_result_types.py test/fixtures/front_end/result_types.json

A case that gives names is recorded as it is. A type is written as text: `tuple[Tensor, int]`, `list[Tensor]`, `Size[int]`, `max[Tensor, Tensor]` for torch.return_types.max. Functions: the
cases below, which test/torch/result_types.test.ts has by the same names. Operators: the first float32 sample of each OpInfo whose samples are
recorded in test/fixtures/opinfo, if its result is not one tensor.
"""

import json
import sys
import warnings
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.testing._internal.common_methods_invocations import op_db

warnings.simplefilter("ignore")


def type_of(value, depth=0):
    """The type as text, with the types of the elements; equal elements are written once."""
    if isinstance(value, torch.Tensor):
        return type(value).__name__
    if isinstance(value, (tuple, list)):
        parts = list(dict.fromkeys(type_of(v, depth + 1) for v in value))
        return f"{type(value).__name__}[{', '.join(parts)}]"
    return type(value).__name__


def x(*shape):
    return torch.arange(float(torch.Size(shape).numel())).reshape(shape)


CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def simple(**cases):
    CASES.update(cases)


simple(
    shape=lambda: x(2, 3).shape,
    size=lambda: x(2, 3).size(),
    stride=lambda: x(2, 3).stride(),
    dim_order=lambda: x(2, 3).dim_order(),
    tolist=lambda: x(2, 2).tolist(),
    nonzero_as_tuple=lambda: x(2, 2).nonzero(as_tuple=True),
    torch_nonzero_as_tuple=lambda: torch.nonzero(x(2, 2), as_tuple=True),
    where_condition=lambda: torch.where(x(3) > 1),
    unbind=lambda: x(2, 3).unbind(),
    chunk=lambda: x(4).chunk(2),
    tensor_split=lambda: torch.tensor_split(x(4), 2),
    split=lambda: x(4).split(2),
    split_sizes=lambda: torch.split(x(4), [1, 3]),
    torch_split=lambda: torch.split(x(4), 2),
    split_with_sizes=lambda: x(4).split_with_sizes([1, 3]),
    unsafe_split=lambda: torch.unsafe_split(x(4), 2),
    unsafe_chunk=lambda: torch.unsafe_chunk(x(4), 2),
    hsplit=lambda: torch.hsplit(x(4), 2),
    vsplit=lambda: torch.vsplit(x(4, 2), 2),
    dsplit=lambda: torch.dsplit(x(2, 2, 2), 2),
    meshgrid=lambda: torch.meshgrid(x(2), x(3), indexing="ij"),
    meshgrid_list=lambda: torch.meshgrid([x(2), x(3)], indexing="ij"),
    broadcast_tensors=lambda: torch.broadcast_tensors(x(2), x(3, 1)),
    broadcast_shapes=lambda: torch.broadcast_shapes((2,), (3, 1)),
    atleast_1d=lambda: torch.atleast_1d(x(2), x(3)),
    atleast_2d=lambda: torch.atleast_2d((x(2), x(3))),
    atleast_3d=lambda: torch.atleast_3d(x(2), x(3)),
    atleast_1d_one=lambda: torch.atleast_1d(x(2)),
    max_dim=lambda: x(2, 3).max(0),
    min_dim=lambda: torch.min(x(2, 3), 1),
    sort=lambda: x(3).sort(),
    topk=lambda: x(3).topk(2),
    kthvalue=lambda: x(3).kthvalue(2),
    median_dim=lambda: x(3).median(0),
    mode=lambda: x(3).mode(),
    cummax=lambda: torch.cummax(x(3), 0),
    frexp=lambda: torch.frexp(x(3)),
    aminmax=lambda: torch.aminmax(x(3)),
    var_mean=lambda: torch.var_mean(x(3)),
    std_mean=lambda: torch.std_mean(x(3), 0),
    unique=lambda: torch.unique(x(3)),
    unique_inverse=lambda: torch.unique(x(3), return_inverse=True),
    unique_counts=lambda: torch.unique(x(3), return_counts=True),
    unique_method=lambda: x(3).unique(return_inverse=True, return_counts=True),
    unique_consecutive=lambda: torch.unique_consecutive(x(3), return_inverse=True, return_counts=True),
    histogram=lambda: torch.histogram(x(3), 2),
    svd=lambda: torch.svd(x(2, 2)),
    qr=lambda: torch.linalg.qr(x(2, 2)),
    eigh=lambda: torch.linalg.eigh(x(2, 2)),
    slogdet=lambda: torch.linalg.slogdet(torch.eye(2)),
    lu_unpack=lambda: torch.lu_unpack(*torch.linalg.lu_factor(torch.eye(2))),
    cholesky_ex=lambda: torch.linalg.cholesky_ex(torch.eye(2)),
    lstsq=lambda: torch.linalg.lstsq(torch.eye(2), torch.eye(2)),
    cartesian=lambda: torch.cartesian_prod(x(2), x(3)),
    result_type=lambda: torch.result_type(x(2), 1),
    finfo=lambda: torch.finfo(torch.float32).eps,
    native_layer_norm=lambda: torch.native_layer_norm(x(2, 3), [3], None, None, 1e-5),
    native_dropout=lambda: torch.native_dropout(x(3), 0.5, True),
    foreach_add=lambda: torch._foreach_add([x(2), x(2)], 1),
    foreach_add_=lambda: torch._foreach_add_([x(2), x(2)], 1),
    gradient=lambda: torch.gradient(x(4)),
    gradient_dims=lambda: torch.gradient(x(3, 3)),
    ops_split=lambda: torch.ops.aten.split(x(4), 2),
    ops_max=lambda: torch.ops.aten.max.dim(x(2, 3), 0),
    ops_unbind=lambda: torch.ops.aten.unbind(x(2)),
    iter_first=lambda: next(iter(x(2))),
    adaptive_max_pool=lambda: F.adaptive_max_pool1d(x(1, 1, 4), 2, return_indices=True),
    max_pool=lambda: F.max_pool1d(x(1, 1, 4), 2, return_indices=True),
    max_pool_one=lambda: F.max_pool1d(x(1, 1, 4), 2),
    multi_head=lambda: nn.MultiheadAttention(2, 1)(x(3, 1, 2), x(3, 1, 2), x(3, 1, 2)),
    lstm=lambda: nn.LSTM(2, 3)(x(4, 1, 2)),
    gru=lambda: nn.GRU(2, 3)(x(4, 1, 2)),
    rnn=lambda: nn.RNN(2, 3)(x(4, 1, 2)),
    lstm_cell=lambda: nn.LSTMCell(2, 3)(x(1, 2)),
    pad_packed=lambda: nn.utils.rnn.pad_packed_sequence(nn.utils.rnn.pack_sequence([x(2), x(1)])),
    pack_sequence=lambda: nn.utils.rnn.pack_sequence([x(2), x(1)]),
    unpad_sequence=lambda: nn.utils.rnn.unpad_sequence(x(2, 2), torch.tensor([2, 1])),
    embedding_bag=lambda: torch.embedding_bag(x(3, 2), torch.tensor([0, 1]), torch.tensor([0])),
    adaptive_softmax=lambda: nn.AdaptiveLogSoftmaxWithLoss(4, 6, [2])(x(2, 4), torch.tensor([0, 3])),
    named_parameters=lambda: list(nn.Linear(1, 1).named_parameters()),
    named_buffers=lambda: list(nn.BatchNorm1d(1).named_buffers()),
    named_modules=lambda: [(type(p).__name__, len(p)) for p in nn.Linear(1, 1).named_modules()],
    named_children=lambda: [type(p).__name__ for p in nn.Sequential(nn.ReLU()).named_children()],
    kernel_size=lambda: nn.Conv2d(1, 1, 3).kernel_size,
    conv_padding=lambda: nn.Conv2d(1, 1, 3, padding=1).padding,
    conv_pair=lambda: nn.Conv2d(1, 1, (3, 3)).stride,
    output_padding=lambda: nn.ConvTranspose1d(1, 1, 3).output_padding,
    max_pool_kernel=lambda: nn.MaxPool2d(2).kernel_size,
    avg_pool1d_kernel=lambda: nn.AvgPool1d(2).kernel_size,
    layer_norm_shape=lambda: nn.LayerNorm(3).normalized_shape,
    layer_norm_list=lambda: nn.LayerNorm([2, 3]).normalized_shape,
    padding_module=lambda: nn.ZeroPad2d(1).padding,
    fold_size=lambda: nn.Fold(2, 1).output_size,
    sgd_params=lambda: torch.optim.SGD([nn.Parameter(x(1))], 0.1).param_groups[0]["params"],
    param_groups=lambda: [type(g).__name__ for g in torch.optim.SGD([nn.Parameter(x(1))], 0.1).param_groups],
    adam_betas=lambda: torch.optim.Adam([nn.Parameter(x(1))]).param_groups[0]["betas"],
    state_keys=lambda: [type(k).__name__ for k in stepped().state_dict()["state"]],
    state_params=lambda: stepped().state_dict()["param_groups"][0]["params"],
    get_last_lr=lambda: torch.optim.lr_scheduler.StepLR(torch.optim.SGD([nn.Parameter(x(1))], 0.1), 1).get_last_lr(),
    base_lrs=lambda: torch.optim.lr_scheduler.StepLR(torch.optim.SGD([nn.Parameter(x(1))], 0.1), 1).base_lrs,
    grad=lambda: torch.autograd.grad(leaf().sum(), [leaf()], allow_unused=True),
    jacobian=lambda: torch.autograd.functional.jacobian(lambda a, b: a * b, (x(2), x(2))),
    jacobian_one=lambda: torch.autograd.functional.jacobian(lambda a: a * 2, x(2)),
    hessian=lambda: torch.autograd.functional.hessian(lambda a, b: (a * b).sum(), (x(2), x(2))),
    vjp=lambda: torch.autograd.functional.vjp(lambda a: a * 2, x(2), x(2)),
    jvp=lambda: torch.autograd.functional.jvp(lambda a: a * 2, x(2), x(2)),
    next_functions=lambda: leaf().sum().grad_fn.next_functions,
    clip_norm=lambda: nn.utils.clip_grad_norm_([nn.Parameter(x(1))], 1.0),
    clip_fan=lambda: nn.init._calculate_fan_in_and_fan_out(x(2, 3)),
    tensor_dataset=lambda: torch.utils.data.TensorDataset(x(3), x(3))[0],
    stack_dataset=lambda: torch.utils.data.StackDataset(x(3), x(3))[0],
    random_split=lambda: [type(s).__name__ for s in torch.utils.data.random_split([1, 2], [1, 1])],
    collate_tuples=lambda: torch.utils.data.default_collate([(1, 2.5), (3, 4.5)]),
    collate_lists=lambda: torch.utils.data.default_collate([[1, 2], [3, 4]]),
    convert_tuple=lambda: torch.utils.data.default_convert((1, [2])),
    loader_batch=lambda: next(iter(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x(2), x(2)), 2))),
    batch_sampler=lambda: next(iter(torch.utils.data.BatchSampler([0, 1], 2, False))),
    batch_shape=lambda: torch.distributions.Normal(x(2), 1.0 + x(2)).batch_shape,
    event_shape=lambda: torch.distributions.Normal(x(2), 1.0 + x(2)).event_shape,
    checkpoint_tuple=lambda: torch.utils.checkpoint.checkpoint(lambda a: (a, a * 2), leaf(), use_reentrant=False),
    no_grad_tuple=lambda: torch.no_grad()(lambda: (1, 2))(),
)


def leaf():
    return x(2).requires_grad_()


def stepped():
    p = nn.Parameter(x(1))
    optimizer = torch.optim.Adam([p])
    p.grad = x(1)
    optimizer.step()
    return optimizer


@case
def passed_to_forward_hook():
    seen = []
    net = nn.Linear(2, 2)
    net.register_forward_hook(lambda module, inputs, output: seen.append(type_of(inputs)))
    net(x(1, 2))
    return seen


@case
def passed_to_forward_pre_hook():
    seen = []
    net = nn.Linear(2, 2)
    net.register_forward_pre_hook(lambda module, inputs: seen.append(type_of(inputs)))
    net.register_forward_pre_hook(lambda module, args, kwargs: seen.append(type_of(args)), with_kwargs=True)
    net(x(1, 2))
    return seen


@case
def passed_to_backward_hooks():
    seen = []
    net = nn.Linear(2, 2)
    net.register_full_backward_hook(lambda module, gi, go: seen.extend([type_of(gi), type_of(go)]))
    net.register_full_backward_pre_hook(lambda module, go: seen.append(type_of(go)))
    net(x(1, 2).requires_grad_()).sum().backward()
    return seen


@case
def passed_to_node_hooks():
    seen = []
    y = leaf() * 2
    y.grad_fn.register_hook(lambda gi, go: seen.extend([type_of(gi), type_of(go)]))
    y.grad_fn.register_prehook(lambda go: seen.append(type_of(go)))
    y.sum().backward()
    return seen


@case
def passed_to_multi_grad_hook():
    seen = []
    a, b = leaf(), leaf()
    torch.autograd.graph.register_multi_grad_hook((a, b), lambda grads: seen.append(type(grads).__name__))
    (a * b).sum().backward()
    return seen


@case
def passed_to_function():
    seen = []

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            seen.append(type_of(ctx.needs_input_grad))
            return a * b, a + b

        @staticmethod
        def backward(ctx, *grads):
            seen.append(type_of(ctx.saved_tensors))
            seen.append(type_of(grads))
            return grads[0], None

    out = Double.apply(leaf(), x(2))
    seen.append(type_of(out))
    out[0].sum().backward()
    return seen


@case
def passed_to_setup_context():
    seen = []

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(a, b):
            return a * b, a + b

        @staticmethod
        def setup_context(ctx, inputs, output):
            seen.extend([type_of(inputs), type_of(output)])

        @staticmethod
        def backward(ctx, g, h):
            return g, h

    Double.apply(leaf(), x(2))
    return seen


@case
def passed_to_torch_function():
    seen = []

    class Sub(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            seen.append([type(types).__name__, type(args).__name__])
            return super().__torch_function__(func, types, args, kwargs or {})

    torch.add(x(2).as_subclass(Sub), 1)
    seen.append(type(x(4).as_subclass(Sub).split(2)).__name__)
    seen.append(type(x(4).as_subclass(Sub).max(0)).__name__)
    seen.append(type(x(4).as_subclass(Sub).shape).__name__)
    return seen


@case
def passed_to_function_mode():
    seen = []

    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append([type(types).__name__, type(args).__name__])
            return func(*args, **(kwargs or {}))

    with Mode():
        torch.add(x(2), 1)
    return seen[-1]


@case
def passed_to_dispatch_mode():
    seen = []

    class Mode(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append([str(func), type(types).__name__, type_of(args), type_of(out := func(*args, **(kwargs or {})))])
            return out

    a = x(4)
    with Mode():
        results = [type_of(torch.split(a, 2)), type_of(torch.max(a, 0)), type_of(torch.stack([a, a]))]
    return seen + results


def operators():
    recorded = {path.name.removesuffix(".json.gz") for path in Path("test/fixtures/opinfo").glob("*.json.gz")}
    found = {}
    for op in op_db:
        name = op.name if not op.variant_test_name else f"{op.name}.{op.variant_test_name}"
        if name not in recorded or torch.float32 not in op.supported_dtypes("cpu"):
            continue
        for sample in op.sample_inputs("cpu", torch.float32):
            try:
                result = op.op(sample.input, *sample.args, **sample.kwargs)
            except Exception:
                continue
            if isinstance(result, (tuple, list)):
                found[name] = type_of(result)
            break
    return found


if __name__ == "__main__":
    result = {"torch": torch.__version__, "functions": {}, "operators": operators()}
    for name, function in CASES.items():
        try:
            value = function()
        except Exception as error:
            sys.exit(f"{name}: {error!r}")
        names = isinstance(value, list) and all(isinstance(v, (str, list)) and v and isinstance(v[0], str) for v in value)
        result["functions"][name] = value if names else type_of(value)
    Path(sys.argv[1]).write_text(json.dumps(result, indent=1) + "\n")
