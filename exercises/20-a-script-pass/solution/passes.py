"""Two passes over TorchScript graphs: constant folding, and the removal of common subexpressions."""

import operator

# What can be computed before the program runs, if its inputs are integers that are known.
FOLDED = {
    "aten::add": operator.add,
    "aten::sub": operator.sub,
    "aten::mul": operator.mul,
    "aten::floordiv": operator.floordiv,
    "aten::gt": operator.gt,
    "aten::lt": operator.lt,
}

# Operators that only compute. All others may write, print, raise or draw random numbers.
PURE = {
    "aten::abs",
    "aten::add",
    "aten::equal",
    "aten::gt",
    "aten::mul",
    "aten::neg",
    "aten::relu",
    "aten::sin",
    "aten::sub",
    "aten::sum",
}


def fold(graph):
    """Replaces a node by a constant if it computes with known integers."""
    # ex:begin(20.folded)
    fold_block(graph, graph)


def fold_block(graph, block):
    for node in list(block.nodes()):
        for inner in node.blocks():
            fold_block(graph, inner)
        if node.kind() not in FOLDED:
            continue
        known = [value.toIValue() for value in node.inputs()]
        if not all(type(value) is int for value in known):
            continue
        try:
            result = FOLDED[node.kind()](*known)
        except ZeroDivisionError:
            continue
        constant = graph.insertConstant(result)
        constant.node().moveBefore(node)
        node.output().replaceAllUsesWith(constant)
        node.destroy()
    # ex:stub
    # ex:end


def cse(graph):
    """Removes a node if an earlier one computes the same."""
    # ex:begin(20.merged)
    cse_block(graph, graph.alias_db(), {})


def cse_block(block, aliases, seen):
    for node in list(block.nodes()):
        for inner in node.blocks():
            cse_block(inner, aliases, dict(seen))
        if node.kind() not in PURE:
            continue
        if any(aliases.has_writers(value) for value in [*node.inputs(), *node.outputs()]):
            continue
        key = (node.kind(), *[value.debugName() for value in node.inputs()])
        if key in seen:
            node.output().replaceAllUsesWith(seen[key].output())
            node.destroy()
        else:
            seen[key] = node
    # ex:stub
    # ex:end
