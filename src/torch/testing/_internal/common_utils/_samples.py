"""Tensors that tests are made of: special matrices, strange strides, and walks over indices."""

import inspect
import math
from itertools import product

import torch
from torch.testing import make_tensor

__all__ = ['iter_indices', 'is_iterable', 'is_iterable_of_tensors', 'get_function_arglist', 'noncontiguous_like', 'random_square_matrix_of_rank',
           'random_well_conditioned_matrix', 'random_symmetric_matrix', 'make_symmetric_matrices', 'random_hermitian_matrix',
           'random_symmetric_psd_matrix', 'random_hermitian_psd_matrix', 'random_symmetric_pd_matrix', 'make_symmetric_pd_matrices',
           'random_hermitian_pd_matrix', 'make_fullrank_matrices_with_distinct_singular_values', 'random_matrix', 'random_lowrank_matrix',
           'random_sparse_matrix', 'random_sparse_pd_matrix', 'do_test_dtypes', 'do_test_empty_full', 'bytes_to_scalar', 'clone_input_helper',
           'first_sample', 'to_gpu']


def iter_indices(tensor):
    if tensor.dim() == 0:
        return range(0)
    return range(tensor.size(0)) if tensor.dim() == 1 else product(*(range(s) for s in tensor.size()))


def is_iterable(obj):
    try:
        iter(obj)
        return True
    except TypeError:
        return False


def is_iterable_of_tensors(iterable, include_empty=False):
    if isinstance(iterable, torch.Tensor) or not is_iterable(iterable):
        return False
    items = list(iterable)
    return all(isinstance(it, torch.Tensor) for it in items) if items else include_empty


def get_function_arglist(func):
    return inspect.getfullargspec(func).args


def first_sample(self, samples):
    return next(iter(samples))


def clone_input_helper(input):
    if isinstance(input, torch.Tensor):
        return torch.clone(input)
    return tuple(map(clone_input_helper, input)) if is_iterable(input) and not isinstance(input, str) else input


def to_gpu(obj, type_map=None):
    raise AssertionError('there is no GPU')


def noncontiguous_like(t):
    """The values of `t`, each followed by one that must not be read."""
    if not t.is_contiguous():
        return t
    other = math.nan if t.dtype.is_floating_point or t.dtype.is_complex else True if t.dtype == torch.bool else 12
    result = t.new_empty(t.shape + (2,))
    result[..., 0] = other
    result[..., 1] = t.detach()
    result = result[..., 1]
    result.requires_grad_(t.requires_grad)
    return result


def _randn(shape, kwargs):
    return torch.randn(*shape, dtype=kwargs.get('dtype', torch.double), device=kwargs.get('device', 'cpu'))


def random_square_matrix_of_rank(l, rank, dtype=torch.double, device='cpu'):
    assert rank <= l
    u, s, vh = torch.linalg.svd(torch.randn(l, l, dtype=dtype, device=device), full_matrices=False)
    for i in range(l):
        if i >= rank:
            s[i] = 0
        elif s[i] == 0:
            s[i] = 1
    return (u * s.to(dtype).unsqueeze(-2)) @ vh


def random_well_conditioned_matrix(*shape, dtype, device, mean=1.0, sigma=0.001):
    x = torch.rand(shape, dtype=dtype, device=device)
    k = min(x.size(-2), x.size(-1))
    u, _, vh = torch.linalg.svd(x, full_matrices=False)
    real = {torch.cfloat: torch.float, torch.cdouble: torch.double}.get(dtype, dtype)
    s = torch.randn(*(shape[:-2] + (k,)), dtype=real, device=device) * sigma + mean
    return (u * s.sort(-1, descending=True).values.to(dtype).unsqueeze(-2)) @ vh


def random_symmetric_matrix(l, *batches, **kwargs):
    a = _randn(batches + (l, l), kwargs)
    return (a + a.mT).div_(2)


def make_symmetric_matrices(*shape, device, dtype):
    assert shape[-1] == shape[-2]
    t = make_tensor(shape, device=device, dtype=dtype)
    return (t + t.mT).div_(2)


def random_hermitian_matrix(l, *batches, **kwargs):
    a = _randn(batches + (l, l), kwargs)
    return (a + a.mH).div_(2)


def random_symmetric_psd_matrix(l, *batches, **kwargs):
    a = _randn(batches + (l, l), kwargs)
    return a @ a.mT


def random_hermitian_psd_matrix(matrix_size, *batch_dims, dtype=torch.double, device='cpu'):
    a = torch.randn(*(batch_dims + (matrix_size, matrix_size)), dtype=dtype, device=device)
    return a @ a.mH


def random_symmetric_pd_matrix(matrix_size, *batch_dims, **kwargs):
    a = _randn(batch_dims + (matrix_size, matrix_size), kwargs)
    return torch.matmul(a, a.mT) + torch.eye(matrix_size, dtype=a.dtype, device=a.device) * 1e-5


def make_symmetric_pd_matrices(*shape, device, dtype):
    assert shape[-1] == shape[-2]
    t = make_tensor(shape, device=device, dtype=dtype)
    return t @ t.mT + torch.eye(shape[-1], device=device, dtype=dtype) * 1e-5


def random_hermitian_pd_matrix(matrix_size, *batch_dims, dtype, device):
    a = torch.randn(*(batch_dims + (matrix_size, matrix_size)), dtype=dtype, device=device)
    return a @ a.mH + torch.eye(matrix_size, dtype=dtype, device=device)


def make_fullrank_matrices_with_distinct_singular_values(*shape, device, dtype, requires_grad=False):
    """Singular values between 2/3 and 3/2, all different."""
    with torch.no_grad():
        t = make_tensor(shape, device=device, dtype=dtype)
        u, _, vh = torch.linalg.svd(t, full_matrices=False)
        k = min(shape[-1], shape[-2])
        s = torch.arange(2, k + 2, dtype=t.real.dtype if t.dtype.is_complex else t.dtype, device=device)
        s[1::2] *= -1.
        s.reciprocal_().add_(1.)
        x = (u * s.to(u.dtype)) @ vh
    x.requires_grad_(requires_grad)
    return x


def random_matrix(rows, columns, *batch_dims, **kwargs):
    a = _randn(batch_dims + (rows, columns), kwargs)
    if a.numel() == 0:
        return a
    u, _, vh = torch.linalg.svd(a, full_matrices=False)
    k = min(rows, columns)
    s = torch.linspace(1 / (k + 1), 1, k, dtype=a.dtype, device=a.device)
    if kwargs.get('singular', False):
        s[k - 1] = 0
        if k > 2:
            s[0] = 0
    return (u * s.unsqueeze(-2)) @ vh


def random_lowrank_matrix(rank, rows, columns, *batch_dims, **kwargs):
    b = random_matrix(rows, rank, *batch_dims, **kwargs)
    return b.matmul(random_matrix(rank, columns, *batch_dims, **kwargs))


def _no_sparse(*args, **kwargs):
    raise NotImplementedError('sparse tensors are not here')


random_sparse_matrix = random_sparse_pd_matrix = _no_sparse


def do_test_dtypes(self, dtypes, layout, device):
    for dtype in dtypes:
        if dtype != torch.float16:
            out = torch.zeros((2, 3), dtype=dtype, layout=layout, device=device)
            self.assertIs(dtype, out.dtype)
            self.assertIs(layout, out.layout)
            self.assertEqual(device, out.device)


def do_test_empty_full(self, dtypes, layout, device):
    shape = torch.Size([2, 3])

    def check(tensor, dtype, value, requires_grad):
        self.assertEqual(shape, tensor.shape)
        self.assertIs(dtype, tensor.dtype)
        self.assertIs(tensor.layout, layout)
        self.assertEqual(tensor.requires_grad, requires_grad)
        if value is not None:
            self.assertEqual(tensor, tensor.new(shape).fill_(value))

    check(torch.empty(shape), torch.get_default_dtype(), None, False)
    check(torch.full(shape, -5.), torch.get_default_dtype(), None, False)
    for dtype in dtypes:
        for rg in {dtype.is_floating_point, False}:
            at = {'dtype': dtype, 'layout': layout, 'device': device, 'requires_grad': rg}
            as_int = {'dtype': torch.int64, 'device': device, 'requires_grad': False}
            v = torch.empty(shape, **at)
            check(v, dtype, None, rg)
            check(torch.empty(shape, out=v.new(), device=device, layout=layout, requires_grad=rg), dtype, None, rg)
            check(v.new_empty(shape), dtype, None, False)
            check(v.new_empty(shape, **as_int), torch.int64, None, False)
            check(torch.empty_like(v), dtype, None, False)
            check(torch.empty_like(v, layout=layout, **as_int), torch.int64, None, False)
            if dtype is not torch.float16:
                v = torch.full(shape, 3, **at)
                check(v, dtype, 3, rg)
                check(v.new_full(shape, 4), dtype, 4, False)
                check(torch.full(shape, 5, out=v.new(), device=device, layout=layout, requires_grad=rg), dtype, 5, rg)
                check(v.new_full(shape, 6, **as_int), torch.int64, 6, False)
                check(torch.full_like(v, 7), dtype, 7, False)
                check(torch.full_like(v, 8, layout=layout, **as_int), torch.int64, 8, False)


def bytes_to_scalar(byte_list, dtype, device):
    """The number that these bytes are in memory."""
    number = torch.tensor(byte_list, dtype=torch.uint8).view(dtype).item() if dtype != torch.bool else bool(byte_list[0])
    return torch.tensor(number, dtype=dtype, device=device)
