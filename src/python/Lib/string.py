"""Sets of characters, and templates."""

import re as _re

ascii_lowercase = 'abcdefghijklmnopqrstuvwxyz'
ascii_uppercase = ascii_lowercase.upper()
ascii_letters = ascii_lowercase + ascii_uppercase
digits = '0123456789'
hexdigits = digits + 'abcdefABCDEF'
octdigits = '01234567'
punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
whitespace = ' \t\n\r\v\f'
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (sep or ' ').join(word.capitalize() for word in s.split(sep))


class Template:
    delimiter = '$'
    idpattern = '[_a-zA-Z][_a-zA-Z0-9]*'

    def __init__(self, template):
        self.template = template

    def _filled(self, mapping, kws, strict):
        names = {**mapping, **kws} if isinstance(mapping, dict) else kws
        d, name = _re.escape(self.delimiter), self.idpattern
        pattern = f'{d}(?:({d})|({name})|{{({name})}}|())'

        def value(m):
            if m[1] is not None:
                return self.delimiter
            key = m[2] or m[3]
            if key is not None:
                if strict or key in names:
                    return str(names[key])
                return m[0]
            if not strict:
                return m[0]
            lines = self.template[:m.start()].splitlines(keepends=True)
            line = len(lines) or 1
            column = m.start() - len(''.join(lines[:-1])) + 1
            raise ValueError(f'Invalid placeholder in string: line {line}, col {column}')
        return _re.sub(pattern, value, self.template)

    def substitute(self, mapping={}, /, **kws):
        return self._filled(mapping, kws, True)

    def safe_substitute(self, mapping={}, /, **kws):
        return self._filled(mapping, kws, False)


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        return format_string.format(*args, **kwargs)
