"""Files, folders and the environment of the host."""

import posix
import sys
import os.path as path
from os.path import curdir, pardir, sep

name = 'posix'
linesep = '\n'
altsep = extsep = None
pathsep, devnull, defpath = ':', '/dev/null', '/bin:/usr/bin'
extsep = '.'
error = OSError
O_RDONLY, O_WRONLY, O_RDWR = 0, 1, 2
F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1

environ = posix.environ()
getcwd = posix.getcwd


def getenv(key, default=None):
    return environ.get(key, default)


def putenv(key, value):
    environ[key] = value


def fspath(path):
    if isinstance(path, (str, bytes)):
        return path
    try:
        return type(path).__fspath__(path)
    except AttributeError:
        raise TypeError(f'expected str, bytes or os.PathLike object, not {type(path).__name__}') from None


class PathLike:
    @classmethod
    def __subclasshook__(cls, subclass):
        return hasattr(subclass, '__fspath__')


class stat_result:
    def __init__(self, is_dir, size, mtime):
        self.st_mode = 0o40755 if is_dir else 0o100644
        self.st_size, self.st_mtime = size, mtime


def stat(path):
    found = posix.stat(fspath(path))
    if found is None:
        raise FileNotFoundError(2, 'No such file or directory', path)
    return stat_result(*found)


lstat = stat


def access(path, mode):
    return posix.stat(fspath(path)) is not None


def listdir(path='.'):
    return posix.listdir(fspath(path))


def mkdir(path, mode=0o777):
    posix.mkdir(fspath(path))


def makedirs(name, mode=0o777, exist_ok=False):
    name = fspath(name)
    head = path.dirname(name.rstrip('/'))
    if head and not path.exists(head):
        makedirs(head, exist_ok=True)
    try:
        mkdir(name)
    except OSError:
        if not exist_ok or not path.isdir(name):
            raise


def remove(path):
    posix.remove(fspath(path))


unlink = remove


def rmdir(path):
    posix.rmdir(fspath(path))


def rename(src, dst):
    posix.rename(fspath(src), fspath(dst))


replace = rename


class DirEntry:
    def __init__(self, folder, name):
        self.name, self.path = name, path.join(folder, name)

    def is_dir(self, *, follow_symlinks=True):
        return path.isdir(self.path)

    def is_file(self, *, follow_symlinks=True):
        return path.isfile(self.path)

    def stat(self):
        return stat(self.path)

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f'<DirEntry {self.name!r}>'


def scandir(path='.'):
    return iter([DirEntry(fspath(path), name) for name in listdir(path)])


def walk(top, topdown=True):
    folders, files = [], []
    for entry in listdir(top):
        (folders if path.isdir(path.join(top, entry)) else files).append(entry)
    if topdown:
        yield top, folders, files
    for folder in folders:
        yield from walk(path.join(top, folder), topdown)
    if not topdown:
        yield top, folders, files


def urandom(n):
    from random import SystemRandom
    return SystemRandom().randbytes(n)


def getpid():
    return 1


def cpu_count():
    return 1
