"""Lines of the programs that run."""

from _machine import source


def getlines(filename, module_globals=None):
    text = source(filename)
    return [] if text is None else text.splitlines(True)


def getline(filename, lineno, module_globals=None):
    lines = getlines(filename)
    return lines[lineno - 1] if 1 <= lineno <= len(lines) else ''


def checkcache(filename=None):
    pass


def clearcache():
    pass
