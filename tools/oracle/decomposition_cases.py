"""
Graphs of operators decomposed to core ATen, which PyTorch and glasstorch both make. `python tools/oracle/decomposition_cases.py` records PyTorch's in
test/fixtures/decompositions.json.gz; `--json` prints them.
"""
import json
import os
import sys

import torch
import torch.nn.functional as F
from torch._decomp import core_aten_decompositions
from torch.fx.experimental.proxy_tensor import make_fx

aten = torch.ops.aten


def ramp(*size, dtype=torch.float32):
    n = 1
    for k in size:
        n *= k
    return torch.linspace(-1, 1, n).reshape(size).to(dtype)


X, Y, M, V = ramp(2, 3), ramp(2, 3) + 2, ramp(3, 4), ramp(3)
B, C = ramp(2, 3, 4), ramp(2, 4, 3)
I, J = torch.tensor([[1, 2, 0], [2, 0, 1]]), torch.tensor([0, 1])
MASK = torch.tensor([[True, False, True], [False, False, True]])
IMAGE, SIGNAL = ramp(1, 4, 4, 4), ramp(1, 2, 6)
INF = float('inf')

CASES = {
    # Views and joins
    'unbind.int': [(X,), (X, 1), (B, -1)], 'stack': [([X, Y],), ([X, Y], 1), ([X, Y], -1)], 'unsafe_split.Tensor': [(M, 2), (M, 2, 1), (M, 3, -1)],
    'split.Tensor': [(M, 2), (M, 3, 1)], 'unsafe_split_with_sizes': [(M, [1, 2])], 'squeeze.dim': [(X[None], 0), (X, 0), (X[:, None], -2)],
    'roll': [(X, [1]), (X, [1], [1]), (X, [1, 2], [0, 1])], 'rot90': [(X,), (X, 2), (X, 3, [1, 0])], 'diag_embed': [(V,), (X, 1)],
    'pixel_shuffle': [(IMAGE, 2)], 'pixel_unshuffle': [(IMAGE, 2)], 'channel_shuffle': [(IMAGE, 2)], 'trace': [(ramp(3, 3),)],
    'alias_copy': [(X,)], 't_copy': [(X,)], 'unsqueeze_copy': [(X, 0)], 'squeeze_copy': [(X[None],)], 'squeeze_copy.dim': [(X[None], 0)],
    'transpose_copy.int': [(X, 0, 1)], 'expand_copy': [(V, [2, 3])], 'diagonal_copy': [(ramp(3, 3),)],
    # New tensors
    'arange': [(3,), (3.5,)], 'arange.start': [(1, 4), (0.5, 3)], 'eye': [(3,)], 'eye.m': [(2, 3)], 'linspace': [(0, 1, 5), (1.5, -2, 4)],
    'new_empty': [(X, [2])], 'fill.Scalar': [(X, 2)], 'fill.Tensor': [(X, torch.tensor(2.0))], 'zero': [(X,)],
    'tril': [(M,), (M, 1), (M > 0,)], 'triu': [(M,), (M, -1), (B, 1)], 'logspace': [(0, 1, 3)],
    # Selection
    'masked_fill.Scalar': [(X, MASK, -INF), (X, MASK, 2), (I, MASK, 3)], 'masked_fill.Tensor': [(X, MASK, torch.tensor(2.0))],
    'index_fill.int_Scalar': [(X, 1, J, 3)], 'index_fill.int_Tensor': [(X, 1, J, torch.tensor(3.0))], 'index_copy': [(X, 1, J, ramp(2, 2))],
    'index_add': [(X, 1, J, ramp(2, 2)), (X, 0, J, Y, )], 'take': [(X, I)], 'select_backward': [(V, [2, 3], 0, 1)],
    'slice_backward': [(X, [4, 3], 0, 1, 3, 1)], 'diagonal_backward': [(V, [3, 3], 0, 0, 1)], 'embedding_dense_backward': [(B, I, 5, -1, False)],
    'select_scatter': [(X, V, 0, 1), (X, ramp(2), -1, -1)],
    # Tests and sums
    'all': [(MASK,), (X,)], 'all.dim': [(MASK, 1), (X, -1, True)], 'all.dims': [(MASK, [0, 1])], 'aminmax': [(X,)],
    'count_nonzero': [(X,)], 'nansum': [(X,)], 'sum': [(X,)], 'logsumexp': [], 'isneginf': [(X,)], 'isposinf': [(X,)], 'isin.Tensor_Tensor': [],
    'std.correction': [(X, [1])], 'norm.ScalarOpt_dim': [(X, 2, [1])], 'norm.Scalar': [(X, 2)],
    # Pointwise
    'frac': [(X,)], 'deg2rad': [(X,)], 'rad2deg': [(X,)], 'lerp.Scalar': [(X, Y, 0.25), (X, Y, 0.75)], 'lerp.Tensor': [(X, Y, X)],
    'logaddexp': [(X, Y)], 'logaddexp2': [], 'logit': [(X,), (X, 0.1)], 'nan_to_num': [(X,), (X, 1.0)], 'sgn': [(X,)], 'sinc': [(X,)],
    'xlogy.Tensor': [(X, Y)], 'clamp_min': [(X, 0)], 'clamp_max': [(X, 0.5)], 'clamp_min.Tensor': [(X, Y)], 'clamp_max.Tensor': [(X, Y)],
    'floor_divide': [(X, Y)], 'floor_divide.Scalar': [(X, 2)], 'celu': [(X,), (X, 2.0)], '_prelu_kernel': [(X, V)], 'glu': [(ramp(2, 4),)],
    'log_sigmoid_forward': [(X,)], 'addcmul': [(X, Y, X)], 'addr': [(M, V, ramp(4)), ],
    'baddbmm': [(ramp(2, 3, 3), B, C)], 'dot': [(V, V)], 'vdot': [(V, V)], 'mv': [(M, ramp(4))], 'linalg_cross': [(X, Y)],
    # Networks
    'upsample_nearest1d.vec': [(SIGNAL, None, [2.0])], 'upsample_nearest2d.vec': [(IMAGE, None, [2.0, 2.0]), (IMAGE, [3, 3], None)],
    'upsample_bilinear2d.vec': [(IMAGE, [3, 3], False, None), (IMAGE, None, True, [2.0, 2.0])], '_safe_softmax': [(X, -1)], 'im2col': [],
    'reflection_pad1d': [(SIGNAL, [1, 2])], 'replication_pad1d': [(SIGNAL, [1, 2])], 'reflection_pad2d': [(IMAGE, [1, 1, 0, 2])],
    'replication_pad2d': [(IMAGE, [1, 1, 0, 2])], 'binary_cross_entropy': [(MASK.float(), X.abs())], 'soft_margin_loss': [(X, Y)],
    'binary_cross_entropy_with_logits': [(X, Y)], 'rrelu_with_noise': [], 'unfold_backward': [],
    # Gradients
    'elu_backward': [(X, 1.0, 1, 1, False, Y), (X, 1.0, 1, 1, True, Y)], 'gelu_backward': [(X, Y)], 'hardsigmoid_backward': [(X, Y)],
    'hardswish_backward': [(X, Y)], 'hardtanh_backward': [(X, Y, -1, 1)], 'leaky_relu_backward': [(X, Y, 0.1, False)], 'logit_backward': [(X, Y)],
    'log_sigmoid_backward': [(X, Y, ramp(0))], 'mish_backward': [(X, Y)], 'softplus_backward': [(X, Y, 1, 20)], 'glu_backward': [(X, ramp(2, 6), 1)],
    '_softmax_backward_data': [(X, Y, 1, torch.float32)], '_log_softmax_backward_data': [(X, Y, 1, torch.float32)],
    'huber_loss_backward': [(torch.tensor(1.0), X, Y, 1, 1.0)], 'smooth_l1_loss_backward': [(torch.tensor(1.0), X, Y, 1, 1.0)],
    'nll_loss_backward': [(torch.tensor(1.0), X, J, None, 1, -100, torch.tensor(2.0))], 'binary_cross_entropy_backward': [(X, X.abs(), Y)],
}


def graph_of(name, args):
    packet, _, overload = name.partition('.')
    tensors = [a for a in args if isinstance(a, torch.Tensor)] if not isinstance(args[0], list) else args[0]

    def program(*given):
        op = getattr(getattr(aten, packet), overload or 'default')
        left = iter(given)
        if isinstance(args[0], list):
            return op(list(given), *args[1:])
        return op(*[next(left) if isinstance(a, torch.Tensor) else a for a in args])

    try:
        return make_fx(program, decomposition_table=core_aten_decompositions())(*tensors).code.strip()
    except Exception as error:
        return f'{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ""}'


def graphs():
    return {f'{name} {i}': graph_of(name, args) for name, cases in CASES.items() for i, args in enumerate(cases)}


if __name__ == '__main__':
    if '--json' in sys.argv:
        print(json.dumps(graphs()))
    else:
        import gzip

        path = os.path.join(os.path.dirname(__file__), '../../test/fixtures/decompositions.json.gz')
        with gzip.GzipFile(path, 'wb', mtime=0) as out:
            facts = {'torch': torch.__version__.split('+')[0], 'table': sorted(map(str, core_aten_decompositions())), 'graphs': graphs()}
            out.write(json.dumps(facts).encode())
