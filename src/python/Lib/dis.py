"""Instructions of Python functions: as text, and one by one."""

import sys
import types
from collections import namedtuple

import _dis
from _dis import EXTENDED_ARG, HAVE_ARGUMENT, cmp_op, hasconst, hasfree, hasjrel, haslocal, hasname, opmap, opname

__all__ = ['Bytecode', 'EXTENDED_ARG', 'HAVE_ARGUMENT', 'Instruction', 'Positions', 'cmp_op', 'code_info', 'dis', 'disassemble', 'findlabels',
           'findlinestarts', 'get_instructions', 'hasconst', 'hasfree', 'hasjrel', 'haslocal', 'hasname', 'opmap', 'opname', 'show_code']

hasjabs = []

Positions = namedtuple('Positions', 'lineno end_lineno col_offset end_col_offset', defaults=(None,) * 4)

Instruction = namedtuple('Instruction', 'opname opcode arg argval argrepr offset starts_line is_jump_target positions', defaults=(None,))


def _code_of(x):
    x = getattr(x, '__func__', x)
    for name in '__code__', 'gi_code', 'ag_code', 'cr_code':
        if hasattr(x, name):
            x = getattr(x, name)
            break
    if isinstance(x, str):
        try:
            x = compile(x, '<disassembly>', 'eval')
        except SyntaxError:
            x = compile(x, '<disassembly>', 'exec')
    if hasattr(x, 'co_code'):
        return x
    raise TypeError(f"don't know how to disassemble {type(x).__name__} objects")


def get_instructions(x, *, first_line=None, show_caches=False, adaptive=False):
    code = _code_of(x)
    shift = 0 if first_line is None else first_line - code.co_firstlineno
    for *fields, line, is_target, positions in _dis.instructions(code):
        yield Instruction(*fields, line if line is None else line + shift, is_target, Positions(*positions))


def findlinestarts(code):
    for instruction in get_instructions(code):
        if instruction.starts_line is not None:
            yield instruction.offset, instruction.starts_line


def _labels_of(code):
    return [instruction.argval for instruction in get_instructions(code) if instruction.opcode in hasjrel]


def findlabels(code):
    found = []
    for label in _labels_of(code):
        if label not in found:
            found.append(label)
    return found


def disassemble(co, lasti=-1, *, file=None, show_caches=False, adaptive=False):
    print(_dis.text(co), end='', file=file)


def _disassemble_recursive(code, file, depth):
    disassemble(code, file=file)
    if depth is not None and depth <= 0:
        return
    for value in code.co_consts:
        if hasattr(value, 'co_code'):
            print(file=file)
            print(f'Disassembly of {_dis.code_repr(value)}:', file=file)
            _disassemble_recursive(value, file, depth if depth is None else depth - 1)


def dis(x=None, *, file=None, depth=None, show_caches=False, adaptive=False):
    if x is None:
        raise RuntimeError('no last traceback to disassemble')
    if isinstance(x, (type, types.ModuleType)):
        for name, value in sorted(x.__dict__.items()):
            if isinstance(value, (staticmethod, classmethod)):
                value = value.__func__
            if hasattr(value, '__code__') or isinstance(value, type):
                print(f'Disassembly of {name}:', file=file)
                try:
                    dis(value, file=file, depth=depth)
                except TypeError as message:
                    print('Sorry:', message, file=file)
                print(file=file)
        return
    _disassemble_recursive(_code_of(x), file, depth)


_FLAGS = {1: 'OPTIMIZED', 2: 'NEWLOCALS', 4: 'VARARGS', 8: 'VARKEYWORDS', 16: 'NESTED', 32: 'GENERATOR', 64: 'NOFREE', 128: 'COROUTINE',
          256: 'ITERABLE_COROUTINE', 512: 'ASYNC_GENERATOR'}


def pretty_flags(flags):
    names = [name for bit, name in _FLAGS.items() if flags & bit]
    rest = flags & ~sum(bit for bit in _FLAGS if flags & bit)
    if rest or not names:
        names.append(hex(rest))
    return ', '.join(names)


def code_info(x):
    code = _code_of(x)
    lines = [f'Name:              {code.co_name}', f'Filename:          {code.co_filename}', f'Argument count:    {code.co_argcount}',
             f'Positional-only arguments: {code.co_posonlyargcount}', f'Kw-only arguments: {code.co_kwonlyargcount}',
             f'Number of locals:  {code.co_nlocals}', f'Stack size:        {code.co_stacksize}', f'Flags:             {pretty_flags(code.co_flags)}']
    for title, values, written in (('Constants', code.co_consts, repr), ('Names', code.co_names, str), ('Variable names', code.co_varnames, str),
                                   ('Free variables', code.co_freevars, str), ('Cell variables', code.co_cellvars, str)):
        if values:
            lines.append(f'{title}:')
            lines.extend(f'{i:4d}: {written(value)}' for i, value in enumerate(values))
    return '\n'.join(lines)


def show_code(co, *, file=None):
    print(code_info(co), file=file)


class Bytecode:
    """The instructions of a function, as an iterable."""

    def __init__(self, x, *, first_line=None, current_offset=None, show_caches=False, adaptive=False):
        self.codeobj = _code_of(x)
        self.first_line = self.codeobj.co_firstlineno if first_line is None else first_line
        self._original_object = x
        self.current_offset = current_offset

    def __iter__(self):
        return get_instructions(self.codeobj, first_line=self.first_line)

    def __repr__(self):
        return f'{self.__class__.__name__}({self._original_object!r})'

    def info(self):
        return code_info(self.codeobj)

    def dis(self):
        return _dis.text(self.codeobj)
