"""`torch.compile`, second half: Inductor makes few kernels of many operators.

With its recording, here:  npm run python -- --trace inductor.json walkthroughs/inductor.py
In your own PyTorch:       python walkthroughs/inductor.py  (it needs a C++ compiler)
"""

import re

import torch
from torch._inductor import metrics
from torch._inductor.utils import run_and_get_code


def compiled(fn, *args):
    """Compiles and runs; answers the result, the output code, and the kernels in it, without the machine's prefix."""
    torch._dynamo.reset()
    metrics.reset()
    result, codes = run_and_get_code(torch.compile(fn), *args)
    torch.testing.assert_close(result, fn(*args))
    kernels = re.findall(r"^(?:wasm|cpp)_(fused_\w*?)(?:_\d+)? = ", codes[0], re.MULTILINE)
    return result, codes[0], kernels


# ## Step 1. What fusion saves
# Run eagerly, this line makes four passes over memory: each operator reads all numbers and writes all numbers. In one kernel, each number is read once, goes through four operations in registers, and is
# written once.
def chain(x, y):
    return torch.relu(x * y + 1) * 0.5


torch.manual_seed(0)
x, y = torch.randn(64, 32), torch.randn(64, 32)
result, code, kernels = compiled(chain, x, y)
print("chain:", kernels)
assert kernels == ["fused_add_mul_relu"]
# Elementwise operators do not even become buffers of their own: the lowering of `add` is a function that calls the function of `mul`.
assert metrics.ir_nodes_pre_fusion == 1

# ## Step 2. The output code
# Inductor writes a program: the kernels, and a function that allocates memory and calls them. There is one allocation, for the result.
body = code[code.index("def call(") :]
assert len(re.findall(r"\bempty_strided\w*\(", body)) == 1
is_wasm = "wasm_fused" in code
# Here a kernel is a function of WebAssembly, with vectors of four numbers; PyTorch writes C++ for a CPU and Triton for a GPU.
assert ("f32x4.mul" in code and "(func " in code) if is_wasm else "at::vec::Vectorized" in code
print("the program allocates", len(re.findall(r"\bempty_strided\w*\(", body)), "buffer")


# ## Step 3. A reduction takes its elementwise neighbours in
# A softmax needs the largest number of a row before it can begin, and the sum before it can end: three loops over the row. All of them are in one kernel, and a row stays in the cache.
def softmax(x):
    return torch.softmax(x * 2 + 1, 1)


_, _, kernels = compiled(softmax, x)
print("softmax:", kernels)
assert len(kernels) == 1 and metrics.ir_nodes_pre_fusion == 4  # four buffers before fusion, one kernel after it


# ## Step 4. What stays a call
# A matrix product is not a loop of Inductor; a library has a better one. It stays a call, and it parts the operators before it from those after it.
def layer(x, weight):
    return torch.relu((x * 2) @ weight) + 1


weight = torch.randn(32, 8)
_, code, kernels = compiled(layer, x, weight)
print("layer:", kernels, re.findall(r"extern_kernels\.(\w+)\(", code))
assert len(kernels) == 2 and re.findall(r"extern_kernels\.(\w+)\(", code) == ["mm"]


# ## Step 5. When two operators are not fused
# Two nodes become one kernel if the second reads what the first writes at the same place, or if both read the same memory; and if their loops fit. Two reductions that read one input are one
# kernel, although neither needs the other ("horizontal" fusion): the input is read once.
def beside(x):
    return x.sin().sum(1), x.cos().sum(1)


_, _, kernels = compiled(beside, x)
print("beside each other:", kernels)
assert kernels == ["fused_cos_sin_sum"] and metrics.ir_nodes_pre_fusion == 2


# A running sum is a loop in which each step needs the one before: the operators on both sides stay apart from it.
def running(x):
    return (x * 2).cumsum(0) + 1


_, code, kernels = compiled(running, x)
print("around a running sum:", kernels)
assert kernels == ["fused_mul", "fused_add"] and "aten.cumsum" in code


# ## Step 6. With gradients: two programs
# AOTAutograd cut the joint graph before Inductor saw it. So forward and backward are a program each, and backward, too, is fused.
def loss(x):
    return (torch.sigmoid(x) * torch.tanh(x)).sum()


def gradient(fn, x):
    leaf = x.detach().clone().requires_grad_()
    fn(leaf).backward()
    return leaf.grad


torch._dynamo.reset()
grad, codes = run_and_get_code(gradient, torch.compile(loss), x)
assert torch.allclose(grad, gradient(loss, x), atol=1e-6)
assert len(codes) == 2
print("programs with gradients:", len(codes))
