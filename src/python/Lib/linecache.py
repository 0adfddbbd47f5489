"""Lines of the programs that run.

`cache` maps a file's name to `(size, mtime, lines, fullname)`. A program puts the text of code that it made there, with the mtime None: such an
entry stays, as in CPython.
"""

from _machine import source

cache = {}


def getlines(filename, module_globals=None):
    entry = cache.get(filename)
    if entry is not None and len(entry) != 1:
        return entry[2]
    return updatecache(filename, module_globals)


def getline(filename, lineno, module_globals=None):
    lines = getlines(filename, module_globals)
    return lines[lineno - 1] if 1 <= lineno <= len(lines) else ''


def updatecache(filename, module_globals=None):
    """Reads a file anew; the list is empty if it cannot be read."""
    cache.pop(filename, None)
    text = source(filename)
    if text is None:
        return []
    lines = text.splitlines(True)
    if lines and not lines[-1].endswith('\n'):
        lines[-1] += '\n'
    cache[filename] = len(text), 0, lines, filename
    return lines


def lazycache(filename, module_globals):
    """Whether the text of a module that a loader gives is remembered; there are no such loaders."""
    return False


def checkcache(filename=None):
    """Forgets files; what a program put here stays."""
    for name in list(cache) if filename is None else [filename]:
        if name in cache and cache[name][1] is not None:
            del cache[name]


def clearcache():
    cache.clear()
