"""Syntax trees and instructions: the modules ast and dis."""

# ---- a tree as text, and back

import ast
t = ast.parse("""
def f(x, *, y=2):
    'doc'
    return [x + y for _ in range(3)] if x else None
class A(B): pass
""")
print(ast.dump(t, indent=1))
print(ast.unparse(t))
print([type(n).__name__ for n in ast.walk(t)])


# ---- visitors and transformers

import ast
t = ast.parse("""
def f(x, *, y=2):
    'doc'
    return [x + y for _ in range(3)] if x else None
class A(B): pass
""")
class V(ast.NodeVisitor):
    def visit_Name(self, node): print('name', node.id, type(node.ctx).__name__, node.lineno, node.col_offset)
V().visit(t)
class R(ast.NodeTransformer):
    def visit_Name(self, node):
        return ast.copy_location(ast.Subscript(value=ast.Name(id='data', ctx=ast.Load()), slice=ast.Constant(value=node.id), ctx=node.ctx), node)
e = ast.parse('a + b', mode='eval')
e = ast.fix_missing_locations(R().visit(e))
print(ast.unparse(e), eval(compile(e, '<x>', 'eval'), {'data': {'a': 1, 'b': 2}}))
import copy
print(ast.dump(copy.deepcopy(e)))


# ---- values of literals

import ast
print(ast.literal_eval("{'a': [1, 2.5, -3], 'b': (True, None), 'c': 1+2j}"))
try: ast.literal_eval('f()')
except ValueError as x: print(str(x)[:40])


# ---- classes of nodes

import ast
t = ast.parse("""
def f(x, *, y=2):
    'doc'
    return [x + y for _ in range(3)] if x else None
class A(B): pass
""")
print(ast.get_docstring(t.body[0]), isinstance(t.body[0], ast.stmt), ast.stmt.__mro__, ast.Name._fields, ast.Name.__match_args__, ast.FunctionDef._attributes)
print(ast.dump(ast.Name('x')), ast.Return().value, ast.Constant(3).kind)
try: ast.Name(1,2,3)
except TypeError as x: print(x)
try: ast.Name('a', id='b')
except TypeError as x: print(x)
try: print(ast.Name().id)
except AttributeError as x: print(x)
match ast.parse('a.b', mode='eval').body:
    case ast.Attribute(value=ast.Name(id=n), attr=m): print('matched', n, m)


# ---- the text of a node

import ast
print(ast.get_source_segment("x = (1 +\n 2)", ast.parse("x = (1 +\n 2)").body[0].value))


# ---- instructions

import dis
def g(a, b=1):
    with a as c:
        return b + c
dis.dis(g)
print([(i.opname, i.arg, i.argval, i.offset) for i in dis.get_instructions(g)][:6])
print(dis.opname[100], dis.opmap['LOAD_CONST'], dis.HAVE_ARGUMENT, list(dis.findlinestarts(g.__code__)))
print(dis.code_info(g))
dis.dis('x = 1')


# ---- refused

import ast, dis
try: compile(ast.Expression(ast.Name('x', ast.Load())), 'f', 'eval')
except TypeError as x: print(x)
try: dis.dis(3)
except TypeError as x: print(x)
try: ast.parse('a b')
except SyntaxError as x: print(x)


# ---- moved and completed

import ast
t = ast.parse('x = 1\nif x:\n    y = (2,\n      3)')
ast.increment_lineno(t, 10)
print(ast.dump(t, include_attributes=True))
new = ast.copy_location(ast.Constant(value=5), t.body[0].value)
print(new.lineno, new.col_offset, new.end_lineno, new.end_col_offset, vars(new))
made = ast.Module(body=[ast.Assign(targets=[ast.Name(id='z', ctx=ast.Store())], value=ast.Constant(value=7))], type_ignores=[])
ast.fix_missing_locations(made)
names = {}
exec(compile(made, 'made', 'exec'), names)
print(names['z'], made.body[0].lineno, made.body[0].targets[0].end_col_offset)
class Own(ast.Name):
    pass
print(Own(id='q', ctx=ast.Load())._fields, isinstance(Own(), ast.expr))
