"""What tests of modules share: Jacobians of a module, checks on empty and on short floats, a small net."""

import tempfile

import torch
from torch import nn

from .common_utils import TestCase, freeze_rng_state

__all__ = ['NNTestCase', 'get_reduction', 'get_weight', 'freeze_rng_state']

# The table of modules from which PyTorch makes some hundred methods is not here; its loops then make none.
module_tests, new_module_tests, criterion_tests, loss_reference_fns = [], [], [], {}


def get_new_module_tests():
    return []


TemporaryFile = tempfile.TemporaryFile
PRECISION = 1e-5


def get_reduction(m):
    result = getattr(m, 'reduction', None)
    if result is None:
        result = nn.functional._Reduction.legacy_get_string(getattr(m, 'sizeAverage', None), True, emit_warning=False)
    assert result is not None
    return result


def get_weight(m):
    return getattr(m, 'weight', None) if getattr(m, 'weight', None) is not None else getattr(m, 'weights', None)


def _tensors(value):
    # The tensors in nested tuples and lists, in order.
    if isinstance(value, torch.Tensor):
        yield value
    else:
        for it in value:
            yield from _tensors(it)


def _map(function, value):
    return function(value) if isinstance(value, torch.Tensor) else type(value)(_map(function, it) for it in value)


class NNTestCase(TestCase):
    """A subclass says how to run a module: `_forward`, `_backward`, `_get_parameters`, `_zero_grad_parameters`."""

    def _forward(self, *args, **kwargs):
        raise NotImplementedError

    def _get_parameters(self, module):
        raise NotImplementedError

    def _zero_grad_parameters(self, module):
        raise NotImplementedError

    def _backward(self, module, input, output, grad_output, create_graph=False):
        raise NotImplementedError

    def _flatten_tensors(self, x):
        return x.view(-1) if isinstance(x, torch.Tensor) else tuple(self._flatten_tensors(it) for it in x)

    def _zero_grad_input(self, input):
        for it in _tensors(input):
            if it.requires_grad and it.grad is not None:
                it.grad.zero_()
                it.grad.detach_()

    def _analytical_jacobian(self, module, input, jacobian_input=True, jacobian_parameters=True):
        """Column i is the gradient of output i, by the backward pass."""
        output = self._forward(module, input)
        n = output.nelement()
        of_input = _map(lambda it: torch.zeros(it.nelement(), n), input) if jacobian_input else None
        of_parameters = torch.zeros(sum(p.numel() for p in self._get_parameters(module)[0]), n) if jacobian_parameters else None
        for i in range(n):
            parameters, grads = self._get_parameters(module)
            grads = [torch.zeros_like(p) if d is None else d for p, d in zip(parameters, grads)]
            one = torch.zeros_like(output)
            one.view(-1)[i] = 1
            if jacobian_parameters:
                self._zero_grad_parameters(module)
            if jacobian_input:
                self._zero_grad_input(input)
            d_input = self._backward(module, input, output, one)
            if jacobian_input:
                for column, d in zip(_tensors(of_input), _tensors(d_input)):
                    column[:, i] = d.reshape(-1)
            if jacobian_parameters:
                of_parameters[:, i] = torch.cat(self._flatten_tensors(grads), 0)
        return tuple(it for it in (of_input, of_parameters) if it is not None)

    def _numerical_jacobian(self, module, input, jacobian_input=True, jacobian_parameters=True):
        """The same matrix by central differences."""
        def differences(target, eps=1e-6):
            rows, flat = [], target.detach().view(-1)
            for j in range(flat.numel()):
                before = flat[j].item()
                flat[j] = before + eps
                above = self._forward(module, input).detach().clone()
                flat[j] = before - eps
                below = self._forward(module, input).detach().clone()
                flat[j] = before
                rows.append(((above - below) / (2 * eps)).view(-1))
            return torch.stack(rows) if rows else torch.zeros(0, self._forward(module, input).nelement())

        result = ()
        if jacobian_input:
            result += (_map(differences, input),)
        if jacobian_parameters:
            result += (torch.cat([differences(p) for p in self._get_parameters(module)[0]], 0),)
        return result

    def check_jacobian(self, module, input, jacobian_input=True):
        with_parameters = bool(self._get_parameters(module)[0])
        analytical = self._analytical_jacobian(module, input, jacobian_input, with_parameters)
        numerical = self._numerical_jacobian(module, input, jacobian_input, with_parameters)
        off = [(a - n).abs().max() for a, n in zip(_tensors(analytical), _tensors(numerical)) if a.numel() != 0]
        if off:
            self.assertLessEqual(max(off), PRECISION)


def _test_bfloat16_ops(test_case, op, device, inp_dims=(), prec=1e-2, scale_factor=None):
    """An operator or module in bfloat16 beside float32, forward and backward."""
    if scale_factor is None:
        wide = torch.randn(inp_dims, dtype=torch.float32, device=device, requires_grad=True)
    else:
        wide = (torch.rand(inp_dims, dtype=torch.bfloat16, device=device) * scale_factor).float().requires_grad_()
    out_wide = op(wide)
    grad = torch.randn_like(out_wide, device=device)
    out_wide.backward(grad)
    short = wide.detach().bfloat16().requires_grad_()
    out_short = op.bfloat16()(short)
    out_short.backward(grad.bfloat16())
    test_case.assertEqual(out_wide, out_short, atol=prec, rtol=prec, exact_dtype=False)
    test_case.assertEqual(wide.grad.data, short.grad.data, atol=prec, rtol=prec, exact_dtype=False)


def _test_module_empty_input(test_case, module, inp, check_size=True, inference=False):
    if not inference:
        inp.requires_grad_(True)
    out = module(inp)
    if not inference:
        out.backward(torch.rand_like(out))
    if check_size:
        test_case.assertEqual(out.size(), inp.size())
    if not inference:
        for p in module.parameters():
            if p.requires_grad:
                test_case.assertEqual(p.grad, torch.zeros_like(p.grad))
        test_case.assertEqual(inp.grad, torch.zeros_like(inp))


def _create_basic_net():
    """A layer with a parameter and a buffer, a net that holds one and has its own, and the net twice in a row."""
    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer_dummy_param = nn.Parameter(torch.empty(3, 5))
            self.layer_dummy_buf = nn.Buffer(torch.zeros(1, 3, 3, 7))

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.l1 = Layer()
            self.dummy_param = nn.Parameter(torch.empty(3, 5))
            self.dummy_buf = nn.Buffer(torch.zeros(7, 3, 3, 1))

    net = Net()
    return Layer(), net, nn.Sequential(net, net)


class TestBase:
    """A test that is described by arguments: `constructor`, and for `input`, `constructor_args`, ... a value, `..._fn` or `..._size`."""

    _required_arg_names = {'constructor_args', 'input', 'extra_args'}

    def __init__(self, constructor, desc='', reference_fn=None, fullname=None, **kwargs):
        self.constructor, self.desc, self.reference_fn, self.fullname, self._kwargs = constructor, desc, reference_fn, fullname, kwargs
        for name in self._required_arg_names:
            if not any(name + ending in kwargs for ending in ('', '_fn', '_size')):
                if name not in ('constructor_args', 'extra_args'):
                    raise ValueError(f'{self.get_name()}: Specify {name} by a value, a function to generate it, or it\'s size!')
                kwargs[name] = ()

    def get_name(self):
        if self.fullname is not None:
            return 'test_' + self.fullname
        return f'test_{self.constructor.__name__}' + ('_' + self.desc if self.desc else '')

    def _get_arg(self, name):
        if name in self._kwargs:
            return self._kwargs[name]
        if name + '_fn' in self._kwargs:
            return self._kwargs[name + '_fn']()

        def random(size):
            return [random(it) for it in size] if isinstance(size, list) else torch.randn(size) if isinstance(size, tuple) else size

        size = self._kwargs[name + '_size']
        return tuple(map(torch.randn, size)) if size and isinstance(size[0], tuple) else random(size)

    @property
    def constructor_args(self):
        return self._get_arg('constructor_args')

    @property
    def extra_args(self):
        return self._get_arg('extra_args')

    def test_cuda(self, test_case):
        raise NotImplementedError('there is no GPU')


class NewModuleTest(TestBase):
    """Runs a module: output against a reference, no change of the input, Jacobian against differences."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.check_gradgrad = kwargs.get('check_gradgrad', True)
        self.check_forward_only = kwargs.get('check_forward_only', False)
        self.with_tf32, self.tf32_precision = kwargs.get('with_tf32', False), kwargs.get('tf32_precision', 0.001)
        self.test_cpu, self.should_test_cuda = kwargs.get('test_cpu', True), False

    def __call__(self, test_case):
        module = self.constructor(*self.constructor_args)
        input = self._get_arg('input')
        with freeze_rng_state():
            before = _map(torch.clone, input) if isinstance(input, (torch.Tensor, tuple, list)) else input
            out = module(*input) if isinstance(input, tuple) else module(input)
            test_case.assertEqual(input, before)
        if self.reference_fn is not None:
            with freeze_rng_state():
                again = module(*input) if isinstance(input, tuple) else module(input)
            expected = self.reference_fn(input, list(module.parameters()), module)
            test_case.assertEqual(again, expected, exact_dtype=False)
        if self.check_forward_only:
            return
        leaves = [it.detach().double().requires_grad_() for it in _tensors(input) if it.is_floating_point()]
        whole = isinstance(input, tuple)
        if leaves and len(leaves) == len(list(_tensors(input))):
            module = module.double()

            def run(*tensors):
                with freeze_rng_state():
                    return module(*tensors) if whole else module(tensors[0])

            test_case.assertTrue(torch.autograd.gradcheck(run, leaves, fast_mode=True))
            if self.check_gradgrad:
                test_case.assertTrue(torch.autograd.gradgradcheck(run, leaves, fast_mode=True))
        test_case.assertEqual(str(module), repr(module))


class CriterionTest(TestBase):
    """Runs a loss: value against a reference, Jacobian of the input against differences."""

    _required_arg_names = TestBase._required_arg_names | {'target'}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.check_gradgrad = kwargs.get('check_gradgrad', True)
        self.test_cpu, self.should_test_cuda = kwargs.get('test_cpu', True), False
        self.with_tf32, self.tf32_precision = kwargs.get('with_tf32', True), kwargs.get('tf32_precision', 0.001)

    def __call__(self, test_case):
        module = self.constructor(*self.constructor_args)
        input, target = self._get_arg('input'), self._get_arg('target')
        inputs = input if isinstance(input, tuple) else (input,)
        out = module(*inputs, target, *self.extra_args)
        if self.reference_fn is not None:
            expected = self.reference_fn(input, target, module, *self.extra_args)
            test_case.assertEqual(out, expected, exact_dtype=False)
        leaves = [it.detach().double().requires_grad_() for it in inputs]
        if isinstance(target, torch.Tensor) and target.is_floating_point():
            target = target.double()
        module = module.double()
        test_case.assertTrue(torch.autograd.gradcheck(lambda *x: module(*x, target, *self.extra_args), leaves, fast_mode=True))
