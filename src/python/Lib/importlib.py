"""Imports by a name that is computed."""

import sys

__all__ = ['import_module', 'invalidate_caches']


def import_module(name, package=None):
    level = len(name) - len(name.lstrip('.'))
    if level > 0:
        if not package:
            raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
        parts = package.split('.')
        if level > len(parts):
            raise ImportError('attempted relative import beyond top-level package')
        base = '.'.join(parts[:len(parts) - level + 1])
        rest = name[level:]
        name = f'{base}.{rest}' if rest else base
    __import__(name)
    return sys.modules[name]


def invalidate_caches():
    """Nothing is kept that could be out of date."""


def reload(module):
    raise NotImplementedError('importlib.reload is not in this Python')
