"""Files and folders that are gone afterwards."""

import io
import os
import random

__all__ = ['NamedTemporaryFile', 'TemporaryFile', 'TemporaryDirectory', 'mkdtemp', 'mkstemp', 'gettempdir', 'tempdir']

tempdir = None
_names = random.Random()


def gettempdir():
    return tempdir or os.environ.get('TMPDIR') or '/tmp'


def _new_path(suffix, prefix, dir):
    while True:
        name = ''.join(_names.choices('abcdefghijklmnopqrstuvwxyz0123456789_', k=8))
        path = os.path.join(dir or gettempdir(), (prefix or 'tmp') + name + (suffix or ''))
        if not os.path.exists(path):
            return path


def mkdtemp(suffix=None, prefix=None, dir=None):
    path = _new_path(suffix, prefix, dir)
    os.mkdir(path)
    return path


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    raise NotImplementedError('tempfile.mkstemp is not in this Python')


def _remove_tree(path):
    for name in os.listdir(path):
        inner = os.path.join(path, name)
        _remove_tree(inner) if os.path.isdir(inner) else os.remove(inner)
    os.rmdir(path)


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False):
        self.name = mkdtemp(suffix, prefix, dir)

    def __repr__(self):
        return f'<{self.__class__.__name__} {self.name!r}>'

    def __enter__(self):
        return self.name

    def __exit__(self, exc, value, tb):
        self.cleanup()

    def cleanup(self):
        if os.path.exists(self.name):
            _remove_tree(self.name)


class _TemporaryFile:
    def __init__(self, file, name, delete):
        self.file, self.name, self.delete = file, name, delete
        # The library, which writes into files, sees the methods that an object has, not those that it finds when asked.
        for method in ('read', 'readinto', 'readline', 'write', 'seek', 'tell', 'flush', 'fileno', 'truncate'):
            if hasattr(file, method):
                setattr(self, method, getattr(file, method))

    def __getattr__(self, name):
        return getattr(self.__dict__['file'], name)

    def __enter__(self):
        return self

    def __exit__(self, exc, value, tb):
        self.close()

    def __iter__(self):
        return iter(self.file)

    def close(self):
        if not self.file.closed:
            self.file.close()
            if self.delete and os.path.exists(self.name):
                os.remove(self.name)


def NamedTemporaryFile(mode='w+b', buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, delete=True,
                       *, errors=None):
    path = _new_path(suffix, prefix, dir)
    return _TemporaryFile(io.open(path, mode, encoding=encoding, newline=newline, errors=errors), path, delete)


TemporaryFile = NamedTemporaryFile
