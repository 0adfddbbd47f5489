"""Records the errors of PyTorch 2.13.0 for calls that are wrong: type and message, one case per line of Python.

    python tools/oracle/record_errors.py test/fixtures/errors/bad_input.json.gz

Each case is a list of statements; the last one is the call that must fail. The tensors it starts from are in SETUP.
test/torch/bad_input.test.ts has the same cases in TypeScript, by name.
"""

import gzip
import json
import os
import sys
import warnings

import torch

SETUP = {
    "f": "torch.tensor([[1.5, 2, 3], [4, 5, 6]])",
    "g": "torch.tensor([[1.0, 2], [3, 4]])",
    "v": "torch.tensor([1.0, 2, 3])",
    "i": "torch.tensor([1, 2, 3])",
    "b": "torch.tensor([True, False])",
    "d": "torch.tensor([1.0, 2, 3], dtype=torch.float64)",
    "m": "torch.empty(2, 3, device='meta')",
    "r": "torch.tensor([1.0, 2, 3], requires_grad=True)",
    "q": "torch.tensor([[1.0, 2], [3, 4]], requires_grad=True)",
}

CASES = {
    # arguments
    "no arguments": ["torch.add()"],
    "one argument": ["torch.add(v)"],
    "too many arguments": ["torch.mm(g, g, g, g)"],
    "wrong type": ["torch.add(v, 'a')"],
    "wrong type of self": ["torch.mm('a', g)"],
    "a list for a tensor": ["torch.relu([1, 2])"],
    "None for a tensor": ["torch.mm(g, None)"],
    "unknown keyword": ["torch.relu(v, foo=1)"],
    "unknown keyword of several overloads": ["torch.add(v, v, beta=1)"],
    "keyword twice": ["torch.mm(g, mat2=g, input=g)"],
    "float for a dim": ["torch.softmax(v, 0.5)"],
    "str for a dim": ["v.unsqueeze('a')"],
    "float for a size": ["torch.zeros([1.5])"],
    "bool for a float": ["torch.full([2], 'x')"],
    "invalid combination": ["torch.sum(v, 'a')"],
    "method without arguments": ["v.view()"],
    "clamp without bounds": ["torch.clamp(v)"],
    "property called": ["v.nothing"],
    "cat of no tensors": ["torch.cat([])"],
    "cat of numbers": ["torch.cat([1, 2])"],
    "stack of different sizes": ["torch.stack([v, g])"],
    "where with two arguments": ["torch.where(b, 1)"],
    "dtype that is none": ["torch.zeros(2, dtype='float32')"],
    "device that is none": ["torch.zeros(2, device='foo')"],
    "negative size": ["torch.zeros(-1)"],
    "ragged list": ["torch.tensor([[1, 2], [3]])"],
    "tensor of a str": ["torch.tensor(['a'])"],
    # shapes
    "broadcasting": ["f + g"],
    "broadcasting in place": ["v.add_(f)"],
    "mm sizes": ["torch.mm(f, f)"],
    "mm dims": ["torch.mm(v, g)"],
    "matmul sizes": ["torch.matmul(f, g)"],
    "bmm dims": ["torch.bmm(g, g)"],
    "dot sizes": ["torch.dot(v, torch.ones(2))"],
    "dot dims": ["torch.dot(g, g)"],
    "linear sizes": ["torch.nn.functional.linear(f, g)"],
    "addmm sizes": ["torch.addmm(v, g, f.t())"],
    "view impossible": ["f.view(4)"],
    "view of strides": ["f.t().view(6)"],
    "view with two -1": ["f.view(-1, -1)"],
    "reshape impossible": ["f.reshape(4, 2)"],
    "expand impossible": ["f.expand(2, 4)"],
    "expand to fewer dims": ["f.expand(3)"],
    "dim out of range": ["f.sum(2)"],
    "negative dim out of range": ["f.unsqueeze(-4)"],
    "dim twice": ["f.sum((0, 0))"],
    "transpose out of range": ["f.transpose(0, 2)"],
    "permute of too few dims": ["f.permute(0)"],
    "permute twice": ["f.permute(0, 0)"],
    "t of 3 dims": ["torch.zeros(1, 2, 3).t()"],
    "select out of range": ["f.select(0, 2)"],
    "index out of range": ["f[2]"],
    "negative index out of range": ["v[-4]"],
    "too many indices": ["v[0, 0]"],
    "index tensor out of range": ["v[torch.tensor([5])]"],
    "mask of another shape": ["v[b]"],
    "float index": ["v[torch.tensor([0.5])]"],
    "narrow out of range": ["v.narrow(0, 2, 2)"],
    "split that does not add up": ["v.split([1, 1])"],
    "chunk by 0": ["v.chunk(0)"],
    "squeeze out of range": ["v.squeeze(1)"],
    "as_strided out of bounds": ["v.as_strided((4,), (1,))"],
    "gather index dtype": ["v.gather(0, torch.tensor([0.0]))"],
    "cat of different dims": ["torch.cat([f, g])"],
    "max of nothing": ["torch.zeros(0).max()"],
    "argmax of nothing": ["torch.zeros(0).argmax()"],
    "prelu weights": ["torch.prelu(f, torch.ones(2))"],
    "nll_loss target": ["torch.nn.functional.nll_loss(f, torch.tensor([0, 3]))"],
    "nll_loss batch": ["torch.nn.functional.nll_loss(f, torch.tensor([0]))"],
    # dtypes and devices
    "result type cannot be cast": ["i.add_(1.5)"],
    "division in place on integers": ["i.div_(2)"],
    "mean of integers": ["i.mean()"],
    "bool subtraction": ["b - b"],
    "neg of bool": ["-b"],
    "bitwise on floats": ["torch.bitwise_and(v, v)"],
    "mm dtypes": ["torch.mm(g, g.double())"],
    "dot dtypes": ["torch.dot(v, d)"],
    "integer to a negative power": ["torch.pow(i, -1)"],
    "softmax of integers": ["torch.softmax(i, 0)"],
    "alpha of another kind": ["torch.add(i, i, alpha=1.5)"],
    "cpu and meta": ["f + m"],
    "item of meta": ["m.sum().item()"],
    "values of meta": ["m.tolist()"],
    "bernoulli p": ["torch.bernoulli(torch.tensor([2.0]))"],
    "normal std": ["torch.zeros(2).normal_(0, -1)"],
    "randint range": ["torch.randint(3, 3, (2,))"],
    "arange step": ["torch.arange(0, 5, -1)"],
    "out dtype": ["torch.add(v, v, out=i)"],
    "out of mm dtype": ["torch.mm(g, g, out=torch.zeros(2, 2, dtype=torch.float64))"],
    "out with gradient": ["torch.add(v, v, out=r)"],
    "out of an operand with gradient": ["torch.add(r, v, out=torch.zeros(3))"],
    "out that overlaps itself": ["torch.add(v, v, out=torch.zeros(1).expand(3))"],
    "in place on an expanded tensor": ["torch.zeros(1).expand(3).add_(1)"],
    "overlapping copy": ["z = torch.zeros(4)", "z[:3].add_(z[1:])"],
    # values
    "item of many": ["v.item()"],
    "item of none": ["torch.zeros(0).item()"],
    "bool of many": ["bool(v)"],
    "bool of none": ["bool(torch.zeros(0))"],
    "int of many": ["int(v)"],
    "len of 0 dims": ["len(torch.tensor(1))"],
    "iteration over 0 dims": ["list(torch.tensor(1))"],
    # autograd
    "backward of a vector": ["(r * 2).backward()"],
    "backward without gradient": ["v.sum().backward()"],
    "backward twice": ["y = (r * r).sum()", "y.backward()", "y.backward()"],
    "saved tensor changed": ["a = r * 1", "y = (a * a).sum()", "a.add_(1)", "y.backward()"],
    "saved result changed": ["y = r.exp()", "y.mul_(2)", "y.sum().backward()"],
    "in place on a leaf": ["r.add_(1)"],
    "in place on a view of a leaf": ["r[0].add_(1)"],
    "in place on one of several views": ["r.clone().unbind()[0].add_(1)"],
    "in place on a view made without gradients": ["z = r.clone()\nwith torch.no_grad():\n    w = z.view(3)", "w.add_(r)"],
    "setting an item of a leaf": ["r[0] = 1"],
    "requires_grad of integers": ["i.requires_grad_()"],
    "requires_grad of a new integer tensor": ["torch.tensor([1], requires_grad=True)"],
    "requires_grad = False of a result": ["y = r * 2", "y.requires_grad = False"],
    "unused input": ["torch.autograd.grad(r.sum(), q)"],
    "grad of a vector": ["torch.autograd.grad(r * 2, r)"],
    "grad of a tensor that needs none": ["torch.autograd.grad(r.sum(), v)"],
    "gradient of another shape": ["(r * 2).backward(torch.ones(2))"],
    "grad assigned of another shape": ["r.grad = torch.ones(2)"],
    "grad assigned of another dtype": ["r.grad = torch.ones(3, dtype=torch.float64)"],
    "grad assigned a number": ["r.grad = 1"],
    "grad assigned itself": ["r.grad = r"],
    "numpy of a tensor with gradient": ["r.numpy()"],
    "deepcopy of a result": ["import copy", "copy.deepcopy(r * 2)"],
    "hook on a tensor that needs none": ["v.register_hook(lambda g: g)"],
    "hook with a wrong result": ["y = r * 2", "y.register_hook(lambda g: 'a')", "y.sum().backward()"],
    "retain_grad of a tensor that needs none": ["v.retain_grad()"],
    "inference tensor saved": ["with torch.inference_mode():\n    z = torch.ones(3)", "z * r"],
    "inference tensor in place": ["with torch.inference_mode():\n    z = torch.ones(3)", "z.add_(1)"],
    "inference tensor made a leaf": ["with torch.inference_mode():\n    z = torch.ones(3)", "z.requires_grad_()"],
    "version of an inference tensor": ["with torch.inference_mode():\n    z = torch.ones(3)", "z._version"],
    "set_ of data in the graph": ["y = r * 2", "y.detach_().resize_(9); r.resize_(9)"],
    "detach_ of a view": ["r.clone().view(3).detach_()"],
    "data of another type": ["v.data = 1"],
    "copy_ of another shape": ["v.copy_(torch.ones(2))"],
    "fill_ with a vector": ["v.fill_(torch.ones(2))"],
    "masked_fill_ mask dtype": ["v.masked_fill_(v, 1)"],
    "index_put_ shape": ["v.index_put_((torch.tensor([0, 1]),), torch.ones(3))"],
    "setitem shape": ["v[0:2] = torch.ones(3)"],
}


def run(statements):
    scope = {"torch": torch}
    for name, code in SETUP.items():
        scope[name] = eval(code, scope)
    for code in statements[:-1]:
        exec(code, scope)
    try:
        exec(statements[-1], scope)
    except Exception as error:  # whatever it is, it is the answer
        return {"python": statements, "type": type(error).__name__, "message": str(error)}
    raise AssertionError(f"no error: {statements}")


def main(path):
    warnings.simplefilter("ignore")
    cases = {name: run(statements) for name, statements in CASES.items()}
    for name, case in cases.items():
        print(f"{name:45} {case['type']}: {case['message'][:150]!r}")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = {"torch": torch.__version__, "script": "tools/oracle/record_errors.py", "setup": SETUP, "cases": cases}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data, indent=0).encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])
