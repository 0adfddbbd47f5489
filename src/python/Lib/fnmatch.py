"""File names and patterns of the shell: `*`, `?`, `[seq]` and `[!seq]`."""

import os
import re
from functools import lru_cache

__all__ = ['filter', 'fnmatch', 'fnmatchcase', 'translate']


def fnmatch(name, pat):
    return fnmatchcase(os.path.normcase(name), os.path.normcase(pat))


@lru_cache(maxsize=256)
def _compiled(pat):
    return re.compile(translate(pat)).match


def fnmatchcase(name, pat):
    return _compiled(pat)(name) is not None


def filter(names, pat):
    return [name for name in names if fnmatch(name, pat)]


def translate(pat):
    parts, i = [], 0
    while i < len(pat):
        c = pat[i]
        i += 1
        if c == '*':
            if not parts or parts[-1] != '.*':
                parts.append('.*')
        elif c == '?':
            parts.append('.')
        elif c == '[':
            end = pat.find(']', i + 1 + (pat[i:i + 1] == '!'))
            if end < 0:
                parts.append(r'\[')
                continue
            chars, i = pat[i:end].replace('\\', r'\\'), end + 1
            if chars[0] == '!':
                chars = '^' + chars[1:]
            elif chars[0] in '^[':
                chars = '\\' + chars
            parts.append(f'[{chars}]')
        else:
            parts.append(re.escape(c))
    return rf'(?s:{"".join(parts)})\Z'
