"""A dispatch mode that logs, and a pass that fuses."""

import operator

import torch
import torch.fx
from torch.utils._python_dispatch import TorchDispatchMode


class Log(TorchDispatchMode):
    """Writes down each operator that arrives below autograd, as `aten.mul.Tensor`."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        # ex:begin(19.logs)
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))
        # ex:stub
        # return func(*args)
        # ex:end


ADDITIONS = (operator.add, torch.add)
PRODUCTS = (operator.mul, torch.mul)


# ex:begin(19.fused)
def is_fusible(product, other):
    """Whether `product + other` may become one call of `addcmul`."""
    if product is other or not isinstance(product, torch.fx.Node) or len(product.users) != 1:
        return False
    if product.kwargs or not isinstance(other, torch.fx.Node):
        return False
    return product.target in PRODUCTS and all(isinstance(factor, torch.fx.Node) for factor in product.args)


# ex:stub
# ex:end
def fuse(gm):
    """Replaces `a * b + c` by `torch.addcmul(c, a, b)` wherever the result stays the same."""
    # ex:begin(19.fused)
    graph = gm.graph
    for node in list(graph.nodes):
        if node.target not in ADDITIONS or node.kwargs:
            continue
        for product, other in (node.args, node.args[::-1]):
            if is_fusible(product, other):
                with graph.inserting_before(node):
                    fused = graph.call_function(torch.addcmul, (other, *product.args))
                node.replace_all_uses_with(fused)
                graph.erase_node(node)
                graph.erase_node(product)
                break
    graph.lint()
    gm.recompile()
    # ex:stub
    # ex:end
    return gm
