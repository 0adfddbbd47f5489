"""Functions of `torch.utils._pytree` as Python texts, for trees of lists, tuples and dicts. Mirrors torch/_dynamo/polyfills/pytree.py."""


def _leaves(tree, found, is_leaf):
    if is_leaf is None or not is_leaf(tree):
        if type(tree) is dict:
            for key in tree:
                _leaves(tree[key], found, is_leaf)
            return found
        if type(tree) is list or type(tree) is tuple:
            for item in tree:
                _leaves(item, found, is_leaf)
            return found
        if tree is None:
            return found
    found.append(tree)
    return found


def tree_leaves(tree, is_leaf=None):
    return _leaves(tree, [], is_leaf)


def tree_map(func, tree, *rests, is_leaf=None):
    if is_leaf is None or not is_leaf(tree):
        if type(tree) is dict:
            return {key: tree_map(func, tree[key], *[rest[key] for rest in rests], is_leaf=is_leaf) for key in tree}
        if type(tree) is list:
            return [tree_map(func, item, *[rest[i] for rest in rests], is_leaf=is_leaf) for i, item in enumerate(tree)]
        if type(tree) is tuple:
            return tuple([tree_map(func, item, *[rest[i] for rest in rests], is_leaf=is_leaf) for i, item in enumerate(tree)])
        if tree is None:
            return None
    return func(tree, *rests)
