# Python of five articles about PyTorch's sources, each piece as a program. Line breaks that the web pages lost are put back, nothing else is
# changed; `try` and `print` around a piece stand here only where its outcome would not be seen. docs/content/articles.mdx shows the outcomes.

# ---- execution and compilation / front end and back end: torch.Tensor
import torch
torch.Tensor
print(torch.Tensor)

# ---- execution and compilation / static graph: a session of TensorFlow
import tensorflow as tf
a = tf.ones(5)
b = tf.ones(5)
c = a + b
sess = tf.Session()
print(sess.run(c))

# ---- execution and compilation / dynamic graph: TensorFlow 2
import tensorflow as tf
a = tf.ones(5)
b = tf.ones(5)
c = a + b
print(c)

# ---- execution and compilation / dynamic graph: PyTorch
import torch
a = torch.ones(5)
b = torch.ones(5)
c = a + b
print(c)

# ---- execution and compilation / dispatch: cpu, then cuda
import torch
a = torch.randn(5, 5)
b = torch.randn(5, 5)
c = a.add(b)
print(c.device)
a = a.to("cuda")
b = b.to("cuda")
c = a.add(b)
print(c.device)

# ---- execution and compilation / forward
import torch
a = torch.ones(5, 5)
b = torch.ones(5, 5)
c = a + b
print(c)

# ---- execution and compilation / backward
import torch
a = torch.ones(5, 5, requires_grad=True)
b = torch.ones(5, 5, requires_grad=True)
c = (a + b).sum()
c.backward()
print(c)
print(str(c.grad_fn).split(' at ')[0])

# ---- import torch / the names of the extension
from torch._C import *
print('Generator' in globals(), '_nn' in globals())

# ---- architecture / dispatch as pseudo code
def add(tensor):
    if tensor.device == 'cuda':
        return cuda_add_kernel(tensor)
    else:
        return cpu_add_kernel(tensor)

import torch
add(torch.ones(2))

# ---- architecture / model and optimizer
import torch, torch.nn, torch.optim
print(torch.nn.Module.__name__, torch.optim.Optimizer.__name__)

# ---- PReLU / functional.prelu
import torch
from torch import Tensor
from torch.overrides import handle_torch_function, has_torch_function

def prelu(input, weight):
    # type: (Tensor, Tensor) -> Tensor
    if not torch.jit.is_scripting():
        if type(input) is not Tensor and has_torch_function((input,)):
            return handle_torch_function(prelu, (input,), input, weight)
    return torch.prelu(input, weight)

print(prelu(torch.tensor([-2.0, 3.0]), torch.tensor([0.25])))

# ---- PReLU / the names of torch in its __init__
__all__ = []
from torch import _C
__all__ += [name for name in dir(_C)
            if name[0] != '_' and
            not name.endswith('Base')]
for name in dir(_C._VariableFunctions):
    if name.startswith('__'):
        continue
    globals()[name] = getattr(_C._VariableFunctions, name)
    __all__.append(name)
print('Generator' in __all__, 'prelu' in __all__)

# ---- PReLU / the sentinel of the extension
from torch._C import _initExtension
print(callable(_initExtension))

# ---- PReLU / the extension in setup.py
main_sources = ["torch/csrc/stub.c"]
C = Extension("torch._C",
              libraries=main_libraries,
              sources=main_sources,
              language='c')

# ---- PReLU / the generator of code
from tools.setup_helpers.generate_code import main
main()

# ---- PReLU / the generator of autograd's code
from tools.autograd.gen_autograd import gen_autograd_python

# ---- architecture of 2024 / Parameter, as it stands
class Parameter(torch.Tensor)

# ---- architecture of 2024 / Tensor, as it stands
#在python中定义了torch.Tensor类
class Tensor(torch._C._TensorBase)

# ---- architecture of 2024 / the classes of Tensor and Parameter
import torch
print([cls.__name__ for cls in torch.nn.Parameter.__mro__][:3])

# ---- architecture of 2024 / torch.add
import torch
print(torch.add(torch.ones(2), torch.ones(2)))
