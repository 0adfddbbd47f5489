"""AOTAutograd: forward and backward as one graph, cut in two before anything runs.

With its recording, here:  npm run python -- --trace aot.json walkthroughs/aot.py
In your own PyTorch:       python walkthroughs/aot.py
"""

import torch
from functorch.compile import aot_function, default_partition, make_boxed_func, min_cut_rematerialization_partition


# ## Step 1. A function and its gradient, eagerly
# Forward leaves nodes behind; backward runs them later. Nobody sees both at once.
def loss(x, weight):
    return torch.sigmoid((x @ weight).cos()).sum()


torch.manual_seed(0)
x = torch.randn([4, 3], requires_grad=True)
weight = torch.randn([3, 2], requires_grad=True)
eager = loss(x, weight)
eager.backward()
expected = [x.grad, weight.grad]
x.grad = weight.grad = None

# ## Step 2. The joint graph
# AOTAutograd runs the function and its backward on functional tensors without data, under make_fx. Before compiling anything, it gives the graph of
# both to a partition function. `primals` are the arguments, `tangents` the gradients of the results.
graphs = {}


def keep(name):
    def compiler(gm, example_inputs):
        graphs[name] = gm
        return make_boxed_func(gm.forward)

    return compiler


def partition(joint, inputs, **options):
    graphs["joint"] = joint
    return default_partition(joint, inputs, **options)


def names(gm, op):
    return [node.name for node in gm.graph.nodes if node.op == op]


compiled = aot_function(loss, keep("forward"), keep("backward"), partition_fn=partition)
result = compiled(x, weight)
assert names(graphs["joint"], "placeholder") == ["primals_1", "primals_2", "tangents_1"]
print("joint:", ", ".join(names(graphs["joint"], "call_function")))

# ## Step 3. The cut
# The nodes that need no tangent are forward. What backward reads from them is the border of the cut: the forward graph returns it after its results.
forward = graphs["forward"]
outputs = [node.name for node in list(forward.graph.nodes)[-1].args[0]]
saved = outputs[1:]
assert outputs[0] == "sum_1"
print("forward:", ", ".join(names(forward, "call_function")))
print("saved by the default partition:", ", ".join(saved))

# ## Step 4. Two graphs, one node of autograd
# For autograd the whole function is one node. Its backward calls the second graph, which is compiled at its first use.
assert result.grad_fn.name() == "CompiledFunctionBackward"
assert "backward" not in graphs or names(graphs["backward"], "placeholder")
result.backward()
assert torch.allclose(result, eager)
for leaf, gradient in zip([x, weight], expected):
    assert torch.allclose(leaf.grad, gradient)
backward = graphs["backward"]
assert names(backward, "placeholder") == [*saved, "tangents_1"]
print("backward:", ", ".join(names(backward, "call_function")))


# ## Step 5. Save less, compute again
# The min-cut partition looks for the border with the fewest bytes. A cheap operation may run again in backward, so that its result need not be kept.
def chain(x):
    return x.cos().sin().exp().sin()


def saved_bytes(fn, partition_fn, arg):
    kept = []

    def compiler(gm, example_inputs):
        kept.append(gm)
        return make_boxed_func(gm.forward)

    out = aot_function(fn, compiler, compiler, partition_fn=partition_fn)(arg)
    out.sum().backward()
    values = [node.meta["val"] for node in list(kept[0].graph.nodes)[-1].args[0][1:]]
    again = names(kept[1], "call_function")
    return [node.name for node in list(kept[0].graph.nodes)[-1].args[0][1:]], sum(v.numel() * v.itemsize for v in values), again


arg = torch.randn([256], requires_grad=True)
plain, plain_bytes, plain_again = saved_bytes(chain, default_partition, arg)
small, small_bytes, small_again = saved_bytes(chain, min_cut_rematerialization_partition, arg)
assert small_bytes < plain_bytes
assert len(small_again) > len(plain_again)  # the price: some operators run twice
print(f"default: {plain_bytes} bytes ({', '.join(plain)}), backward has {len(plain_again)} operators")
print(f"min cut: {small_bytes} bytes ({', '.join(small)}), backward has {len(small_again)} operators")


# ## Step 6. A mutated argument
# The graphs are functional: the new value is one more result, and a wrapper copies it back after the call.
def count(total, x):
    total.add_(1)
    return total * x


total, y = torch.zeros([2]), torch.ones([2])
inference = {}


def keep_inference(gm, example_inputs):
    inference["graph"] = gm
    return make_boxed_func(gm.forward)


assert aot_function(count, keep_inference)(total, y).tolist() == [1.0, 1.0]
assert total.tolist() == [1.0, 1.0]
assert "add_" not in inference["graph"].code
assert len(list(inference["graph"].graph.nodes)[-1].args[0]) == 2
print("mutation:", inference["graph"].code.strip().splitlines()[-1].strip())
