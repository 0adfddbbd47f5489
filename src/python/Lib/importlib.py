"""Imports by a name that is computed."""

import sys


def import_module(name, package=None):
    if name.startswith('.'):
        if not package:
            raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
        level = len(name) - len(name.lstrip('.'))
        base = package.split('.')
        name = '.'.join([*base[:len(base) - level + 1], name[level:]])
    __import__(name)
    return sys.modules[name]


def invalidate_caches():
    pass


def reload(module):
    raise NotImplementedError('importlib.reload is not in this Python')
