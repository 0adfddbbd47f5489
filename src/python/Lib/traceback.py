"""Texts of exceptions and of the way they came."""

import sys
import _machine
from linecache import getline


# The value of an argument that is not given.
_GIVEN = object()


class FrameSummary:
    __slots__ = ('filename', 'lineno', 'end_lineno', 'colno', 'end_colno', 'name', '_line', '_whole_line', 'locals')

    def __init__(self, filename, lineno, name, *, lookup_line=True, locals=None, line=None, end_lineno=None, colno=None, end_colno=None):
        self.filename, self.lineno, self.name = filename, lineno, name
        self.end_lineno, self.colno, self.end_colno = end_lineno, colno, end_colno
        # The columns of the marks count in the whole line.
        self._line = self._whole_line = line
        self.locals = None if locals is None else {k: repr(v) for k, v in sorted(locals.items())}

    @property
    def line(self):
        if self._line is None and self.lineno is not None:
            self._line = getline(self.filename, self.lineno)
        return self._line and self._line.strip()

    @property
    def _original_line(self):
        self.line
        return self._line

    def _entry(self):
        whole = self._whole_line if self.end_colno is not None else self.line
        return self.filename, self.lineno, self.name, whole, self.end_lineno, self.colno, self.end_colno

    def __iter__(self):
        return iter((self.filename, self.lineno, self.name, self.line))

    def __getitem__(self, i):
        return tuple(self)[i]

    def __len__(self):
        return 4

    def __eq__(self, other):
        if isinstance(other, FrameSummary):
            return tuple(self) + (self.locals,) == tuple(other) + (other.locals,)
        return tuple(self) == other if isinstance(other, tuple) else NotImplemented

    def __repr__(self):
        return f'<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>'


class StackSummary(list):
    @classmethod
    def extract(cls, frame_gen, *, limit=None, lookup_lines=True, capture_locals=False):
        return cls(FrameSummary(frame.f_code.co_filename, lineno, frame.f_code.co_name, locals=frame.f_locals if capture_locals else None)
                   for frame, lineno in _limited(list(frame_gen), limit))

    @classmethod
    def from_list(cls, a_list):
        return cls(each if isinstance(each, FrameSummary) else FrameSummary(*each[:3], line=each[3]) for each in a_list)

    def format_frame_summary(self, frame_summary):
        text, = _machine.format_entries([frame_summary._entry()])
        return text + ''.join(f'    {name} = {value}\n' for name, value in (frame_summary.locals or {}).items())

    def format(self):
        if any(each.locals for each in self):
            return [self.format_frame_summary(each) for each in self]
        return _machine.format_entries([each._entry() for each in self])


def _limited(entries, limit):
    return entries if limit is None else entries[limit:] if limit < 0 else entries[:limit]


def _of_traceback(tb, limit=None, capture_locals=False):
    frames = _limited([frame for frame, _ in walk_tb(tb)], limit) if capture_locals else None
    result = StackSummary()
    for i, (filename, lineno, name, line, end_lineno, colno, end_colno) in enumerate(_machine.entries(tb, limit)):
        result.append(FrameSummary(filename, lineno, name, line=line or '', end_lineno=end_lineno, colno=colno, end_colno=end_colno,
                                   locals=frames[i].f_locals if frames else None))
    return result


def format_list(extracted_list):
    return StackSummary.from_list(extracted_list).format()


def extract_tb(tb, limit=None):
    return _of_traceback(tb, limit)


def extract_stack(f=None, limit=None):
    result = StackSummary.extract(walk_stack(f or sys._getframe(1)), limit=limit)
    result.reverse()
    return result


def format_tb(tb, limit=None):
    return extract_tb(tb, limit).format()


def format_stack(f=None, limit=None):
    return extract_stack(f or sys._getframe(1), limit).format()


def print_stack(f=None, limit=None, file=None):
    print(''.join(format_stack(f or sys._getframe(1), limit)), end='', file=file or sys.stderr)


def format_exception_only(exc, /, value=_GIVEN):
    error = exc if value is _GIVEN else value
    if error is None:
        return ['NoneType: None\n']
    return _machine.exception_lines(error)


def format_exception(exc, /, value=_GIVEN, tb=None, limit=None, chain=True):
    error = exc if value is _GIVEN else value
    if error is None:
        return ['NoneType: None\n']
    return _machine.exception_texts(error, chain, limit)


def print_exception(exc, /, value=_GIVEN, tb=None, limit=None, file=None, chain=True):
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
    def __init__(self, exc_type, exc_value, exc_traceback, *, limit=None, lookup_lines=True, capture_locals=False, compact=False,
                 max_group_width=15, max_group_depth=10, _seen=None):
        self._error, self.exc_type, self._limit = exc_value, exc_type, limit
        self.max_group_width, self.max_group_depth = max_group_width, max_group_depth
        self.stack = _of_traceback(exc_traceback, limit, capture_locals)
        self._captured = capture_locals
        self._str = str(exc_value)
        self.__notes__ = getattr(exc_value, '__notes__', None)
        self.__suppress_context__ = exc_value is not None and exc_value.__suppress_context__
        if isinstance(exc_value, SyntaxError):
            for name in ('filename', 'lineno', 'end_lineno', 'text', 'offset', 'end_offset', 'msg'):
                value = getattr(exc_value, name)
                setattr(self, name, str(value) if name.endswith('lineno') and value is not None else value)
        seen = _seen or set()
        seen.add(id(exc_value))

        def other(error):
            if error is None or id(error) in seen:
                return None
            return TracebackException(type(error), error, error.__traceback__, limit=limit, capture_locals=capture_locals, _seen=seen,
                                      max_group_width=max_group_width, max_group_depth=max_group_depth)

        self.__cause__ = other(exc_value and exc_value.__cause__)
        self.__context__ = other(exc_value and exc_value.__context__)
        self.exceptions = [other(each) for each in exc_value.exceptions] if isinstance(exc_value, BaseExceptionGroup) else None

    @classmethod
    def from_exception(cls, exc, *args, **kwargs):
        return cls(type(exc), exc, exc.__traceback__, *args, **kwargs)

    def __eq__(self, other):
        return self.__dict__ == other.__dict__ if isinstance(other, TracebackException) else NotImplemented

    def __str__(self):
        return self._str

    def format(self, *, chain=True):
        if self._captured:
            return iter(['Traceback (most recent call last):\n', *self.stack.format(), *self.format_exception_only()])
        return iter(_machine.exception_texts(self._error, chain, self._limit, self.max_group_width, self.max_group_depth))

    def print(self, *, file=None, chain=True):
        print(''.join(self.format(chain=chain)), end='', file=file or sys.stderr)

    def format_exception_only(self):
        return iter(format_exception_only(self._error))
