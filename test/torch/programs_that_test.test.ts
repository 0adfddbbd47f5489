/**
 * Things that the tests of PyTorch do to the library from Python: contexts as decorators, classes that are changed, lists as indices, mocks, hooks of
 * all modules, operators that a class overrides. The expected texts are what PyTorch 2.13.0 and CPython 3.11 print.
 */
import "glasstorch/fx";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";

function output(text: string): string[] {
  let stdout = "";
  python(text, {
    stdout: (part) => {
      stdout += part;
    },
  });
  return stdout.trimEnd().split("\n");
}

test("a context decorates a function, with and without a call, and steps through a generator", () => {
  const text = `
import torch
@torch.no_grad
def f(x):
    "doc"
    return torch.is_grad_enabled()
@torch.no_grad()
def g(n):
    for i in range(n):
        print('got', (yield i, torch.is_grad_enabled()))
    return 'end'
print(f(1), f.__name__, f.__doc__)
it = g(1)
print(next(it), torch.is_grad_enabled())
try:
    it.send(6)
except StopIteration as e:
    print(e.value)
class B:
    @torch.enable_grad
    def n(self):
        return torch.is_grad_enabled()
with torch.no_grad():
    print(B().n())
print(torch.inference_mode(mode=lambda: torch.is_inference_mode_enabled())())
`;
  expect(output(text)).toEqual(["False f doc", "(0, False) True", "got 6", "end", "True", "True"]);
});

test("decorating a class warns", () => {
  const text = `
import torch, warnings
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter('always')
    @torch.no_grad()
    class A:
        def __init__(self):
            self.g = torch.is_grad_enabled()
print(A().g, seen[0].category.__name__, str(seen[0].message).startswith('Decorating classes is deprecated'))
`;
  expect(output(text)).toEqual(["False FutureWarning True"]);
});

test("a list that holds lists, slices, None or tensors indexes as a tuple", () => {
  const text = `
import torch, warnings
warnings.simplefilter('ignore')
x = torch.arange(1., 17).view(4, 4)
print(x[[[1, 2], [0, 1]]], x[[slice(1, 2), slice(0, 2)]], x[[..., 1]], x[[None, 1]].shape, x[[1, 2]].shape)
x[[[0, 3], slice(None)]] = 0
print(x.sum())
`;
  expect(output(text)).toEqual([
    "tensor([ 5., 10.]) tensor([[5., 6.]]) tensor([ 2.,  6., 10., 14.]) torch.Size([1, 4]) torch.Size([2, 4])",
    "tensor(68.)",
  ]);
});

test("dir shows what a class of the library has", () => {
  const text = `
import torch
names = dir(torch.ones(2))
print([n in names for n in ('shape', 'add_', '__getitem__', 'grad', 'backward', 'constructor', '__signature__')])
`;
  expect(output(text)).toEqual(["[True, True, True, True, True, False, False]"]);
});

test("a class that is Python in PyTorch can be changed and put back", () => {
  const text = `
import torch
from unittest import mock
m = torch.nn.Linear(2, 2)
before = torch.nn.Linear.forward
torch.nn.Linear.forward = lambda self, x: x * 2
print(m(torch.ones(2)))
torch.nn.Linear.forward = before
print(m(torch.ones(2)).shape)
torch.nn.Linear.extra = 3
print(m.extra)
del torch.nn.Linear.extra
print(hasattr(m, 'extra'))
with mock.patch('torch.nn.utils.prune.RandomUnstructured.compute_mask') as compute_mask:
    compute_mask.return_value = torch.zeros(2, 2)
    torch.nn.utils.prune.random_unstructured(m, 'weight', 1)
print(m.weight_mask.sum())
try:
    torch.dtype.extra = 3
except TypeError as e:
    print(e)
`;
  expect(output(text)).toEqual([
    "tensor([2., 2.])",
    "torch.Size([2])",
    "3",
    "False",
    "tensor(0.)",
    "cannot set 'extra' attribute of immutable type 'torch.dtype'",
  ]);
});

test("the hooks of all modules are variables of their module", () => {
  const text = `
import torch
from collections import OrderedDict
module = torch.nn.modules.module
handle = module.register_module_forward_hook(lambda m, i, o: o * 0)
print(torch.nn.ReLU()(torch.ones(1)), len(module._global_forward_hooks))
module._global_forward_hooks = OrderedDict()
print(torch.nn.ReLU()(torch.ones(1)), len(module._global_forward_hooks))
`;
  expect(output(text)).toEqual(["tensor([0.]) 1", "tensor([1.]) 0"]);
});

test("a conversion swaps, overwrites or changes a parameter", () => {
  const text = `
import torch
for swap, overwrite in ((False, False), (True, False), (False, True)):
    torch.__future__.set_swap_module_params_on_conversion(swap)
    torch.__future__.set_overwrite_module_params_on_conversion(overwrite)
    m = torch.nn.Linear(1, 1)
    before = m.weight
    m.double()
    print(m.weight is before, m.weight.dtype, before.dtype)
torch.__future__.set_overwrite_module_params_on_conversion(False)
a, b = torch.ones(2), torch.nn.Parameter(torch.zeros(3))
a.name_of_a = 1
torch.utils.swap_tensors(a, b)
print(a, type(b).__name__, b, b.name_of_a, hasattr(a, 'name_of_a'))
`;
  expect(output(text)).toEqual([
    "True torch.float64 torch.float64",
    "True torch.float64 torch.float64",
    "False torch.float64 torch.float32",
    "Parameter containing:",
    "tensor([0., 0., 0.], requires_grad=True) Tensor tensor([1., 1.]) 1 False",
  ]);
});

test("a class with __torch_function__ and a mode see operators of torch.ops", () => {
  const text = `
import torch
from torch.overrides import TorchFunctionMode
class F:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return str(func), len(args), kwargs
print(torch.ops.aten.add(F(), 1), torch.ops.aten.add.Tensor(F(), torch.ones(1), alpha=2), torch.ops.aten.cat([F(), F()]))
class M(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return 'mode'
with M():
    seen = torch.ops.aten.neg(torch.ones(1))
print(seen)
`;
  expect(output(text)).toEqual([
    "('aten.add', 2, {}) ('aten.add.Tensor', 2, {'alpha': 2}) ('aten.cat', 1, {})",
    "mode",
  ]);
});

test("keywords of a program are no dict for the next parameter", () => {
  const text = `
import torch.fx
graph = torch.fx.Graph()
a = graph.placeholder('a')
print(graph.create_node('call_module', 'foo', args=(a,)).args)
`;
  expect(output(text)).toEqual(["(a,)"]);
});

test("mocks record their calls", () => {
  const text = `
from unittest.mock import ANY, MagicMock, Mock, call, patch
m = Mock()
m.a.b(1, x=2)
m(3)
print(m.mock_calls, m.method_calls, m.call_args)
m = MagicMock()
m.__len__.return_value = 5
m[3]
print(len(m), m.mock_calls, call(ANY) == call(3))
f = Mock(side_effect=[1, ValueError('x')], name='f')
print(f(2))
for check in (lambda: f(), lambda: f.assert_called_once_with(2), lambda: f.assert_called_with(4)):
    try:
        check()
    except Exception as e:
        print(type(e).__name__, e)
class A:
    x = 1
@patch.object(A, 'x', 7)
def g():
    return A.x
print(g(), A.x)
`;
  expect(output(text)).toEqual([
    "[call.a.b(1, x=2), call(3)] [call.a.b(1, x=2)] call(3)",
    "5 [call.__getitem__(3), call.__len__()] True",
    "1",
    "ValueError x",
    "AssertionError Expected 'f' to be called once. Called 2 times.",
    "Calls: [call(2), call()].",
    "AssertionError expected call not found.",
    "Expected: f(4)",
    "  Actual: f()",
    "7 1",
  ]);
});
