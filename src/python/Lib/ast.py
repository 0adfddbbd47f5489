"""Syntax trees of Python programs: parsing, writing, walking and changing them."""

import _ast
from _ast import *

PyCF_ONLY_AST, PyCF_TYPE_COMMENTS, PyCF_ALLOW_TOP_LEVEL_AWAIT = 0x400, 0x1000, 0x2000


def parse(source, filename='<unknown>', mode='exec', *, type_comments=False, feature_version=None):
    if isinstance(source, AST):
        return source
    if isinstance(source, (bytes, bytearray)):
        source = source.decode()
    if mode not in ('exec', 'eval'):
        raise NotImplementedError(f'ast.parse of mode {mode!r} is not in this Python')
    return _ast.parse(source, filename, mode)


def dump(node, annotate_fields=True, include_attributes=False, *, indent=None):
    if not isinstance(node, AST):
        raise TypeError(f'expected AST, got {node.__class__.__name__!r}')
    return _ast.dump(node, annotate_fields, include_attributes, indent)


def unparse(ast_obj):
    return _ast.unparse(ast_obj)


def iter_fields(node):
    for field in node._fields:
        try:
            yield field, getattr(node, field)
        except AttributeError:
            pass


def _nodes_in(value):
    if isinstance(value, AST):
        yield value
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, AST):
                yield item


def iter_child_nodes(node):
    for _, value in iter_fields(node):
        yield from _nodes_in(value)


def walk(node):
    waiting = [node]
    for node in waiting:
        waiting.extend(iter_child_nodes(node))
        yield node


class NodeVisitor:
    """Calls `visit_Name` for each node of the class Name, and `generic_visit` for nodes without a method."""

    def visit(self, node):
        visitor = getattr(self, 'visit_' + node.__class__.__name__, self.generic_visit)
        return visitor(node)

    def generic_visit(self, node):
        for child in iter_child_nodes(node):
            self.visit(child)


class NodeTransformer(NodeVisitor):
    """A visitor whose methods return what takes the place of the node: a node, a list of nodes, or None for nothing."""

    def generic_visit(self, node):
        for field, old in iter_fields(node):
            if isinstance(old, list):
                new = []
                for item in old:
                    if not isinstance(item, AST):
                        new.append(item)
                        continue
                    made = self.visit(item)
                    if isinstance(made, AST):
                        new.append(made)
                    elif made is not None:
                        new.extend(made)
                old[:] = new
            elif isinstance(old, AST):
                made = self.visit(old)
                if made is None:
                    delattr(node, field)
                else:
                    setattr(node, field, made)
        return node


def copy_location(new_node, old_node):
    for name in 'lineno', 'col_offset', 'end_lineno', 'end_col_offset':
        if name in old_node._attributes and name in new_node._attributes:
            value = getattr(old_node, name, None)
            if value is not None or (hasattr(old_node, name) and name.startswith('end_')):
                setattr(new_node, name, value)
    return new_node


def fix_missing_locations(node):
    def fix(node, place):
        place = dict(place)
        for name in place:
            if name in node._attributes:
                missing = not hasattr(node, name) if not name.startswith('end_') else getattr(node, name, None) is None
                if missing:
                    setattr(node, name, place[name])
                else:
                    place[name] = getattr(node, name)
        for child in iter_child_nodes(node):
            fix(child, place)
    fix(node, {'lineno': 1, 'col_offset': 0, 'end_lineno': 1, 'end_col_offset': 0})
    return node


def increment_lineno(node, n=1):
    for child in walk(node):
        if isinstance(child, TypeIgnore):
            child.lineno = getattr(child, 'lineno', 0) + n
            continue
        if 'lineno' in child._attributes:
            child.lineno = getattr(child, 'lineno', 0) + n
        if 'end_lineno' in child._attributes and getattr(child, 'end_lineno', 0) is not None:
            child.end_lineno = getattr(child, 'end_lineno', 0) + n
    return node


def get_docstring(node, clean=True):
    if not isinstance(node, (AsyncFunctionDef, FunctionDef, ClassDef, Module)):
        raise TypeError(f"{node.__class__.__name__!r} can't have docstrings")
    if not (node.body and isinstance(node.body[0], Expr)):
        return None
    value = node.body[0].value
    if not (isinstance(value, Constant) and isinstance(value.value, str)):
        return None
    if not clean:
        return value.value
    import inspect
    return inspect.cleandoc(value.value)


def get_source_segment(source, node, *, padded=False):
    if getattr(node, 'end_lineno', None) is None or getattr(node, 'end_col_offset', None) is None:
        return None
    lines = source.splitlines(keepends=True)[node.lineno - 1:node.end_lineno]
    encoded = [line.encode() for line in lines]
    if len(encoded) == 1:
        return encoded[0][node.col_offset:node.end_col_offset].decode()
    before = encoded[0][:node.col_offset].decode()
    padding = ''.join(c if c in '\f\t' else ' ' for c in before) if padded else ''
    first = padding + encoded[0][node.col_offset:].decode()
    return first + ''.join(line.decode() for line in encoded[1:-1]) + encoded[-1][:node.end_col_offset].decode()


def literal_eval(node_or_string):
    node = node_or_string
    if isinstance(node, str):
        node = parse(node.lstrip(' \t'), mode='eval')
    if isinstance(node, Expression):
        node = node.body

    def malformed(node):
        message = 'malformed node or string'
        if getattr(node, 'lineno', None):
            message += f' on line {node.lineno}'
        raise ValueError(f'{message}: {node!r}')

    def number(node):
        if not isinstance(node, Constant) or type(node.value) not in (int, float, complex):
            malformed(node)
        return node.value

    def signed(node):
        if isinstance(node, UnaryOp) and isinstance(node.op, (UAdd, USub)):
            value = number(node.operand)
            return +value if isinstance(node.op, UAdd) else -value
        return number(node)

    def convert(node):
        if isinstance(node, Constant):
            return node.value
        if isinstance(node, Tuple):
            return tuple(map(convert, node.elts))
        if isinstance(node, List):
            return list(map(convert, node.elts))
        if isinstance(node, Set):
            return set(map(convert, node.elts))
        if isinstance(node, Call) and isinstance(node.func, Name) and node.func.id == 'set' and node.args == node.keywords == []:
            return set()
        if isinstance(node, Dict):
            if len(node.keys) != len(node.values):
                malformed(node)
            return dict(zip(map(convert, node.keys), map(convert, node.values)))
        if isinstance(node, BinOp) and isinstance(node.op, (Add, Sub)):
            left, right = signed(node.left), number(node.right)
            if isinstance(left, (int, float)) and isinstance(right, complex):
                return left + right if isinstance(node.op, Add) else left - right
        return signed(node)

    return convert(node)
