"""torch.export: a module as one graph, with everything that it reads beside it.

Here:                  npm run python -- walkthroughs/export.py
In your own PyTorch:   python walkthroughs/export.py
"""

import torch
from torch import nn
from torch.export import export


# ## Step 1. A module with state
# It has parameters, a buffer that it changes, and a constant that nobody registered. In an eager call all of them are hidden behind `self`.
class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2)
        self.register_buffer('calls', torch.zeros([]))
        self.scale = torch.tensor([1.0, 2.0])

    def forward(self, x):
        self.calls.add_(1)
        return self.layer(x).relu() * self.scale


torch.manual_seed(0)
module = Counted().eval()
x = torch.randn([4, 3])
eager = module(x)

# ## Step 2. Nothing is hidden
# The module runs once on tensors without data. The operators are noted above autograd, so that `linear` stays `linear`. What the module read from
# `self` has become an input of the graph.
program = export(module, (x,))


def names(program, op):
    return [node.name for node in program.graph.nodes if node.op == op]


assert names(program, 'placeholder') == ['p_layer_weight', 'p_layer_bias', 'b_calls', 'c_scale', 'x']
print('inputs:', ', '.join(names(program, 'placeholder')))
print('operators:', ', '.join(str(node.target) for node in program.graph.nodes if node.op == 'call_function'))
assert module.calls.item() == 1.0  # the capture did not count as a call

# ## Step 3. The signature
# It says where each input comes from. A program that loads this one elsewhere needs no class `Counted`: the graph, the signature and the tensors suffice.
for spec in program.graph_signature.input_specs:
    print(f'  {spec}')
assert list(program.state_dict) == ['layer.weight', 'layer.bias', 'calls']
assert list(program.constants) == ['scale']

# ## Step 4. Fewer operators, and no mutation
# Decomposed, the program is in core ATen: a small set of operators that a backend has to know. The write to the buffer has become a result.
core = program.run_decompositions()
print('core operators:', ', '.join(str(node.target) for node in core.graph.nodes if node.op == 'call_function'))
for spec in core.graph_signature.output_specs:
    print(f'  {spec}')
assert core.graph_signature.buffers_to_mutate == {'add': 'calls'}

# ## Step 5. A module again
# `module()` puts the tensors back behind `self`, and the new value of the buffer back into it. First it checks that the arguments fit the graph.
again = core.module()
assert torch.equal(again(x), eager)
assert again.calls.item() == 2.0
try:
    again(x[:2])
except AssertionError as error:
    print('another size:', error)


# ## Step 6. One graph has no branch
# A graph has no `if`. One on a number of the program is decided during the capture, and only one side is kept. One on the data of a tensor is refused.
class Branch(nn.Module):
    def forward(self, x, double):
        if double:
            x = x * 2
        return x if x.sum() > 0 else -x


class Doubled(nn.Module):
    def forward(self, x, double):
        return x * 2 if double else x


kept = export(Doubled(), (x, True))
print('branch on a number:', ', '.join(names(kept, 'call_function')))
try:
    export(Branch(), (x, True))
except RuntimeError as error:
    print('branch on data:', str(error).split('.')[0])
