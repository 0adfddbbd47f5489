"""Texts of exceptions and of the way they came."""

import sys
from _machine import format_exception as _format_exception, format_exception_only as _format_exception_only, format_tb as _format_tb
from linecache import getline


class FrameSummary:
    def __init__(self, filename, lineno, name, line=None):
        self.filename, self.lineno, self.name = filename, lineno, name
        self.line = getline(filename, lineno).strip() if line is None else line

    def __iter__(self):
        return iter((self.filename, self.lineno, self.name, self.line))

    def __getitem__(self, i):
        return tuple(self)[i]

    def __len__(self):
        return 4

    def __eq__(self, other):
        return tuple(self) == tuple(other)

    def __repr__(self):
        return f'<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>'


class StackSummary(list):
    def format(self):
        return format_list(self)


def format_list(extracted_list):
    result = []
    for filename, lineno, name, line in extracted_list:
        text = f'  File "{filename}", line {lineno}, in {name}\n'
        result.append(text + f'    {line.strip()}\n' if line else text)
    return result


def _lines(text):
    return text.splitlines(True)


def _entries(text):
    # The lines of one frame are one entry.
    result = []
    for line in _lines(text):
        if line.startswith('    ') and result and result[-1].startswith('  File '):
            result[-1] += line
        else:
            result.append(line)
    return result


def extract_tb(tb, limit=None):
    result = StackSummary()
    while tb is not None and (limit is None or len(result) < limit):
        code = tb.tb_frame.f_code
        result.append(FrameSummary(code.co_filename, tb.tb_lineno, code.co_name))
        tb = tb.tb_next
    return result


def extract_stack(f=None, limit=None):
    f = f or sys._getframe(1)
    result = StackSummary()
    while f is not None:
        result.append(FrameSummary(f.f_code.co_filename, f.f_lineno, f.f_code.co_name))
        f = f.f_back
    result.reverse()
    if limit is not None:
        del result[:-limit]
    return result


def format_tb(tb, limit=None):
    return _entries(_format_tb(tb)) if limit is None else format_list(extract_tb(tb, limit))


def format_stack(f=None, limit=None):
    return format_list(extract_stack(f or sys._getframe(1), limit))


def print_stack(f=None, limit=None, file=None):
    print(''.join(format_stack(f or sys._getframe(1), limit)), end='', file=file or sys.stderr)


def format_exception_only(exc, /, value=None):
    return _lines(_format_exception_only(exc if value is None else value))


def format_exception(exc, /, value=None, tb=None, limit=None, chain=True):
    error = exc if value is None else value
    if error is None:
        return ['NoneType: None\n']
    if not chain or limit is not None:
        begin = ['Traceback (most recent call last):\n'] if error.__traceback__ else []
        return begin + format_tb(error.__traceback__, limit) + format_exception_only(error)
    return _entries(_format_exception(error))


def print_exception(exc, /, value=None, tb=None, limit=None, file=None, chain=True):
    print(''.join(format_exception(exc, value, tb, limit, chain)), end='', file=file or sys.stderr)


def print_exc(limit=None, file=None, chain=True):
    print_exception(sys.exc_info()[1], limit=limit, file=file, chain=chain)


def format_exc(limit=None, chain=True):
    return ''.join(format_exception(sys.exc_info()[1], limit=limit, chain=chain))


def print_tb(tb, limit=None, file=None):
    print(''.join(format_tb(tb, limit)), end='', file=file or sys.stderr)


def walk_tb(tb):
    while tb is not None:
        yield tb.tb_frame, tb.tb_lineno
        tb = tb.tb_next


def walk_stack(f):
    f = f or sys._getframe(1)
    while f is not None:
        yield f, f.f_lineno
        f = f.f_back


class TracebackException:
    def __init__(self, exc_type, exc_value, exc_traceback, **kwargs):
        self._error, self.exc_type = exc_value, exc_type
        self.stack = extract_tb(exc_traceback)

    @classmethod
    def from_exception(cls, exc, **kwargs):
        return cls(type(exc), exc, exc.__traceback__)

    def __str__(self):
        return str(self._error)

    def format(self, *, chain=True):
        return iter(format_exception(self._error, chain=chain))

    def format_exception_only(self):
        return iter(format_exception_only(self._error))
