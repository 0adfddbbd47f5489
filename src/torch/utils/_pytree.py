"""Trees of Python's containers: a nested value becomes a list of its leaves and a specification of the rest, and back.

Lists, tuples, dicts, named tuples and what a program registers are nodes; everything else is a leaf.
"""

import functools
from collections import OrderedDict, defaultdict, deque, namedtuple

NodeDef = namedtuple('NodeDef', ['type', 'flatten_fn', 'unflatten_fn'])
BUILTIN_TYPES = frozenset((tuple, list, dict, namedtuple, OrderedDict, defaultdict, deque))
SUPPORTED_NODES = {}


class SequenceKey(namedtuple('SequenceKey', ['idx'])):
    def __str__(self):
        return f'[{self.idx!r}]'


class MappingKey(namedtuple('MappingKey', ['key'])):
    def __str__(self):
        return f'[{self.key!r}]'


class GetAttrKey(namedtuple('GetAttrKey', ['name'])):
    def __str__(self):
        return f'.{self.name}'


def register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None,
                         from_dumpable_context=None, flatten_with_keys_fn=None):
    """Makes a class a node: `flatten_fn(value)` gives `(children, context)`, `unflatten_fn(children, context)` the value."""
    if cls in SUPPORTED_NODES:
        raise ValueError(f'{cls} is already registered as pytree node.')
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn)
    if flatten_with_keys_fn is not None:
        _with_keys[cls] = flatten_with_keys_fn


_with_keys = {}
_private_register_pytree_node = _register_pytree_node = register_pytree_node


def _is_namedtuple_instance(value):
    return isinstance(value, tuple) and hasattr(type(value), '_fields')


def _get_node_type(value):
    return namedtuple if _is_namedtuple_instance(value) else type(value)


def _is_leaf(value, is_leaf=None):
    return is_leaf is not None and is_leaf(value) or _get_node_type(value) not in SUPPORTED_NODES



register_pytree_node(tuple, lambda d: (list(d), None), lambda values, context: tuple(values))
register_pytree_node(list, lambda d: (d, None), lambda values, context: list(values))
register_pytree_node(dict, lambda d: (list(d.values()), list(d.keys())), lambda values, context: dict(zip(context, values)))
register_pytree_node(namedtuple, lambda d: (list(d), type(d)), lambda values, context: context(*values))
register_pytree_node(OrderedDict, lambda d: (list(d.values()), list(d.keys())),
                     lambda values, context: OrderedDict(zip(context, values)))
register_pytree_node(defaultdict, lambda d: (list(d.values()), [d.default_factory, list(d.keys())]),
                     lambda values, context: defaultdict(context[0], zip(context[1], values)))
register_pytree_node(deque, lambda d: (list(d), d.maxlen), lambda values, context: deque(values, maxlen=context))


def _keys(value, node_type, context):
    if node_type in _with_keys:
        return [key for key, _ in _with_keys[node_type](value)[0]]
    if node_type in (dict, OrderedDict):
        return [MappingKey(key) for key in context]
    if node_type is defaultdict:
        return [MappingKey(key) for key in context[1]]
    if node_type is namedtuple:
        return [GetAttrKey(name) for name in type(value)._fields]
    return [SequenceKey(i) for i in range(len(SUPPORTED_NODES[node_type].flatten_fn(value)[0]))]


class TreeSpec:
    def __init__(self, type, context, children_specs):
        self.type, self.context, self.children_specs = type, context, children_specs
        self.num_nodes = 1 + sum(it.num_nodes for it in children_specs)
        self.num_leaves = sum(it.num_leaves for it in children_specs)
        self.num_children = len(children_specs)

    def is_leaf(self):
        return False

    def children(self):
        return list(self.children_specs)

    def child(self, index):
        return self.children_specs[index]

    def __eq__(self, other):
        if not isinstance(other, TreeSpec):
            return NotImplemented
        return (self.type == other.type and self.context == other.context and self.children_specs == other.children_specs)

    def __hash__(self):
        return hash((self.type, repr(self.context), tuple(self.children_specs)))

    def __repr__(self, indent=0):
        head = f'TreeSpec({self.type.__name__}, {self.context}, ['
        children = [child.__repr__(indent + 2) for child in self.children_specs]
        return head + (',\n' + ' ' * (indent + 2)).join(children) + '])'

    def unflatten(self, leaves):
        if not isinstance(leaves, (list, tuple)):
            leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(f'treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree that '
                             f'holds {self.num_leaves} items ({self}).')
        if self.is_leaf():
            return leaves[0]
        children, start = [], 0
        for spec in self.children_specs:
            children.append(spec.unflatten(leaves[start:start + spec.num_leaves]))
            start += spec.num_leaves
        return SUPPORTED_NODES[self.type].unflatten_fn(children, self.context)

    def flatten_up_to(self, tree):
        """The values that stand at the leaves of this specification."""
        if self.is_leaf():
            return [tree]
        if _get_node_type(tree) != self.type:
            raise ValueError(f'Type mismatch; expected {self.type!r}, but got {_get_node_type(tree)!r}.')
        children, context = SUPPORTED_NODES[self.type].flatten_fn(tree)
        if len(children) != self.num_children:
            raise ValueError(f'Node arity mismatch; expected {self.num_children}, but got {len(children)}.')
        if self.type in (dict, OrderedDict, defaultdict):
            if set(tree) != set(self.context[1] if self.type is defaultdict else self.context):
                raise ValueError('Node keys mismatch')
            children = [tree[key] for key in (self.context[1] if self.type is defaultdict else self.context)]
        elif context != self.context:
            raise ValueError(f'Node context mismatch for custom node type {self.type!r}.')
        return [leaf for spec, child in zip(self.children_specs, children) for leaf in spec.flatten_up_to(child)]


class LeafSpec(TreeSpec):
    def __init__(self):
        super().__init__(None, None, [])
        self.num_leaves = 1

    def is_leaf(self):
        return True

    def __repr__(self, indent=0):
        return '*'


_LEAF = LeafSpec()


def treespec_leaf():
    return _LEAF


def tree_is_leaf(tree, is_leaf=None):
    return _is_leaf(tree, is_leaf)


def _flatten(tree, leaves, is_leaf):
    node_type = _get_node_type(tree)
    if node_type not in SUPPORTED_NODES or is_leaf is not None and is_leaf(tree):
        leaves.append(tree)
        return _LEAF
    children, context = SUPPORTED_NODES[node_type].flatten_fn(tree)
    return TreeSpec(node_type, context, [_flatten(child, leaves, is_leaf) for child in children])


def tree_flatten(tree, is_leaf=None):
    leaves = []
    spec = _flatten(tree, leaves, is_leaf)
    return leaves, spec


def tree_unflatten(leaves, treespec):
    if not isinstance(treespec, TreeSpec):
        if isinstance(leaves, TreeSpec):
            leaves, treespec = treespec, leaves
        else:
            raise TypeError(f'tree_unflatten(leaves, treespec): Expected `treespec` to be instance of TreeSpec but got item of type '
                            f'{type(treespec)}.')
    return treespec.unflatten(leaves)


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_iter(tree, is_leaf=None):
    yield from tree_leaves(tree, is_leaf)


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """The tree with `func(leaf, ...)` at its leaves; the other trees have at least its structure."""
    leaves, spec = tree_flatten(tree, is_leaf)
    return spec.unflatten([func(*them) for them in zip(leaves, *(spec.flatten_up_to(it) for it in rests))])


def tree_map_(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    for them in zip(leaves, *(spec.flatten_up_to(it) for it in rests)):
        func(*them)
    return tree


def map_only(type_or_types_or_pred, /):
    """Makes a function leave everything alone that is not of these types, or that a test refuses."""
    applies = (type_or_types_or_pred if callable(type_or_types_or_pred) and not isinstance(type_or_types_or_pred, type)
               else lambda value: isinstance(value, type_or_types_or_pred))

    def wrapper(func):
        @functools.wraps(func)
        def wrapped(value):
            return func(value) if applies(value) else value
        return wrapped
    return wrapper


def tree_map_only(type_or_types_or_pred, /, func, tree, is_leaf=None):
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, /, func, tree, is_leaf=None):
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_leaves(tree, is_leaf)))


def tree_all_only(type_or_types, /, pred, tree, is_leaf=None):
    return all(pred(it) for it in tree_leaves(tree, is_leaf) if isinstance(it, type_or_types))


def tree_any_only(type_or_types, /, pred, tree, is_leaf=None):
    return any(pred(it) for it in tree_leaves(tree, is_leaf) if isinstance(it, type_or_types))


def _flatten_with_path(path, tree, is_leaf):
    if _is_leaf(tree, is_leaf):
        yield path, tree
        return
    node_type = _get_node_type(tree)
    children, context = SUPPORTED_NODES[node_type].flatten_fn(tree)
    for key, child in zip(_keys(tree, node_type, context), children):
        yield from _flatten_with_path((*path, key), child, is_leaf)


def tree_leaves_with_path(tree, is_leaf=None):
    return list(_flatten_with_path((), tree, is_leaf))


def tree_flatten_with_path(tree, is_leaf=None):
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    keyed, spec = tree_flatten_with_path(tree, is_leaf)
    paths, leaves = [path for path, _ in keyed], [leaf for _, leaf in keyed]
    return spec.unflatten([func(*them) for them in zip(paths, leaves, *(spec.flatten_up_to(it) for it in rests))])


def keystr(kp):
    return ''.join(str(key) for key in kp)


def key_get(obj, kp):
    for key in kp:
        obj = getattr(obj, key.name) if isinstance(key, GetAttrKey) else obj[key.idx if isinstance(key, SequenceKey) else key.key]
    return obj


def _broadcast_to_and_flatten(tree, treespec, is_leaf=None):
    """The leaves of `tree` repeated to fit a deeper structure; None if it does not fit."""
    if _is_leaf(tree, is_leaf):
        return [tree] * treespec.num_leaves
    if treespec.is_leaf() or _get_node_type(tree) != treespec.type:
        return None
    children, context = SUPPORTED_NODES[treespec.type].flatten_fn(tree)
    if len(children) != treespec.num_children or context != treespec.context:
        return None
    result = []
    for child, spec in zip(children, treespec.children_specs):
        flat = _broadcast_to_and_flatten(child, spec, is_leaf)
        if flat is None:
            return None
        result += flat
    return result
