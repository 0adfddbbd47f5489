"""Values over several lines."""

import sys

__all__ = ['pprint', 'pformat', 'pp', 'PrettyPrinter', 'saferepr']


class _Key:
    # Values of any kinds in an order: by themselves if they can be compared, otherwise by their types.
    def __init__(self, obj):
        self.obj = obj

    def __lt__(self, other):
        try:
            return self.obj < other.obj
        except TypeError:
            return (str(type(self.obj)), id(self.obj)) < (str(type(other.obj)), id(other.obj))


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
        if indent < 0:
            raise ValueError('indent must be >= 0')
        if not width:
            raise ValueError('width must be != 0')
        self._indent, self._width, self._depth = indent, width, depth
        if compact or underscore_numbers:
            raise NotImplementedError('pprint with compact or underscore_numbers is not in this Python')
        self._stream, self._sort = stream, sort_dicts

    def pprint(self, object):
        (self._stream or sys.stdout).write(self.pformat(object) + '\n')

    def pformat(self, object):
        return self._format(object, 0, 0, 0, ())

    def _items(self, object):
        items = object.items()
        return sorted(items, key=lambda pair: _Key(pair[0])) if self._sort else items

    def _repr(self, object, level, open):
        kind = type(object)
        if kind.__repr__ in (dict.__repr__, list.__repr__, tuple.__repr__) and object:
            if id(object) in open:
                return f'<Recursion on {kind.__name__} with id={id(object)}>'
            begin, end = {dict.__repr__: '{}', list.__repr__: '[]', tuple.__repr__: '()'}[kind.__repr__]
            if self._depth is not None and level >= self._depth:
                return f'{begin}...{end}'
            open = (*open, id(object))
            if isinstance(object, dict):
                return '{' + ', '.join(f'{self._repr(k, level + 1, open)}: {self._repr(v, level + 1, open)}'
                                       for k, v in self._items(object)) + '}'
            inside = ', '.join(self._repr(value, level + 1, open) for value in object)
            return f'{begin}{inside}{"," if kind is tuple and len(object) == 1 else ""}{end}'
        return repr(object)

    def _format(self, object, indent, allowance, level, open):
        text = self._repr(object, level, open)
        if len(text) <= self._width - indent - allowance or id(object) in open:
            return text
        kind = type(object)
        open = (*open, id(object))
        if self._depth is not None and level >= self._depth:
            return text
        if kind.__repr__ is dict.__repr__ and object:
            parts, items = [], list(self._items(object))
            for i, (key, value) in enumerate(items):
                name = self._repr(key, level + 1, open)
                room = allowance + 1 if i == len(items) - 1 else 1
                parts.append(f'{name}: ' + self._format(value, indent + self._indent + len(name) + 2, room, level + 1, open))
            return '{' + ' ' * (self._indent - 1) + (',\n' + ' ' * (indent + self._indent)).join(parts) + '}'
        if kind.__repr__ in (list.__repr__, tuple.__repr__) and object:
            begin, end = ('[', ']') if kind.__repr__ is list.__repr__ else ('(', ',)' if len(object) == 1 else ')')
            return self._sequence(list(object), begin, end, indent, allowance, level, open)
        if kind.__repr__ in (set.__repr__, frozenset.__repr__) and object:
            begin, end = ('{', '}') if kind is set else (f'{kind.__name__}({{', '})')
            return self._sequence(sorted(object, key=_Key), begin, end, indent + len(begin) - 1, allowance, level, open)
        if kind is str and len(object) > 0:
            return self._text(object, indent, allowance, level)
        fields = getattr(kind, '__dataclass_fields__', None)
        if fields is not None and not isinstance(object, type):
            name = f'{kind.__name__}('
            parts = []
            shown = [it.name for it in fields.values() if it.repr]
            for i, it in enumerate(shown):
                room = allowance + 1 if i == len(shown) - 1 else 1
                parts.append(f'{it}=' + self._format(getattr(object, it), indent + len(name) + len(it) + 1, room, level + 1, open))
            return name + (',\n' + ' ' * (indent + len(name))).join(parts) + ')'
        return text

    def _sequence(self, values, begin, end, indent, allowance, level, open):
        inner = indent + self._indent
        separator = ',\n' + ' ' * inner
        text = begin + ' ' * (self._indent - 1)
        parts = [self._format(value, inner, allowance + len(end) if i == len(values) - 1 else 1, level + 1, open)
                 for i, value in enumerate(values)]
        return text + separator.join(parts) + end

    def _text(self, s, indent, allowance, level):
        lines = s.splitlines(True)
        if level == 0:
            indent, allowance = indent + 1, allowance + 1
        width = most = self._width - indent
        chunks = []
        for i, line in enumerate(lines):
            shown = repr(line)
            if i == len(lines) - 1:
                most -= allowance
            if len(shown) <= most:
                chunks.append(shown)
                continue
            import re
            parts = [part for part in re.findall(r'\S*\s*', line) if part]
            current = ''
            last_width = width
            for j, part in enumerate(parts):
                if j == len(parts) - 1 and i == len(lines) - 1:
                    last_width -= allowance
                if len(repr(current + part)) > last_width:
                    if current:
                        chunks.append(repr(current))
                    current = part
                else:
                    current += part
            if current:
                chunks.append(repr(current))
        if len(chunks) == 1:
            return chunks[0]
        text = ('\n' + ' ' * indent).join(chunks)
        return f'({text})' if level == 0 else text


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers).pformat(object)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts).pprint(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter()._repr(object, 0, ())
