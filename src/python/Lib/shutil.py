"""Copying, moving and removing files and trees of folders."""

import os
from collections import namedtuple

__all__ = ['copyfileobj', 'copyfile', 'copy', 'copy2', 'copytree', 'move', 'rmtree', 'Error', 'SameFileError', 'ignore_patterns', 'which',
           'disk_usage', 'get_terminal_size']


class Error(OSError):
    pass


class SameFileError(Error):
    pass


def copyfileobj(fsrc, fdst, length=0):
    fdst.write(fsrc.read())


def copyfile(src, dst, *, follow_symlinks=True):
    if os.path.exists(dst) and os.path.samefile(src, dst):
        raise SameFileError(f'{src!r} and {dst!r} are the same file')
    with open(src, 'rb') as source, open(dst, 'wb') as target:
        copyfileobj(source, target)
    return dst


def copymode(src, dst, *, follow_symlinks=True):
    pass


copystat = copymode


def copy(src, dst, *, follow_symlinks=True):
    if os.path.isdir(dst):
        dst = os.path.join(dst, os.path.basename(src))
    return copyfile(src, dst)


copy2 = copy


def ignore_patterns(*patterns):
    import fnmatch

    def ignored(path, names):
        return {name for pattern in patterns for name in fnmatch.filter(names, pattern)}
    return ignored


def copytree(src, dst, symlinks=False, ignore=None, copy_function=copy2, ignore_dangling_symlinks=False, dirs_exist_ok=False):
    names = os.listdir(src)
    left_out = ignore(os.fspath(src), names) if ignore is not None else ()
    os.makedirs(dst, exist_ok=dirs_exist_ok)
    for name in names:
        if name in left_out:
            continue
        source, target = os.path.join(src, name), os.path.join(dst, name)
        if os.path.isdir(source):
            copytree(source, target, symlinks, ignore, copy_function, dirs_exist_ok=dirs_exist_ok)
        else:
            copy_function(source, target)
    return dst


def rmtree(path, ignore_errors=False, onerror=None, *, dir_fd=None):
    import sys

    def attempt(function, at):
        try:
            return function(at)
        except OSError:
            if onerror is not None:
                onerror(function, at, sys.exc_info())
            elif not ignore_errors:
                raise
            return ()
    for name in attempt(os.listdir, path):
        full = os.path.join(path, name)
        if os.path.isdir(full):
            rmtree(full, ignore_errors, onerror)
        else:
            attempt(os.unlink, full)
    attempt(os.rmdir, path)


def move(src, dst, copy_function=copy2):
    target = dst
    if os.path.isdir(dst):
        target = os.path.join(dst, os.path.basename(os.fspath(src).rstrip('/')))
        if os.path.exists(target):
            raise Error(f'Destination path {target!r} already exists')
    os.rename(src, target)
    return target


def which(cmd, mode=1, path=None):
    if os.path.dirname(cmd):
        return cmd if os.path.isfile(cmd) else None
    for folder in (os.environ.get('PATH', os.defpath) if path is None else path).split(os.pathsep):
        full = os.path.join(folder, cmd)
        if os.path.isfile(full):
            return full
    return None


def disk_usage(path):
    raise NotImplementedError('shutil.disk_usage is not in this Python')


terminal_size = namedtuple('terminal_size', 'columns lines')


def get_terminal_size(fallback=(80, 24)):
    def number(name):
        text = os.environ.get(name, '')
        return int(text) if text.isdigit() else 0
    return terminal_size(number('COLUMNS') or fallback[0], number('LINES') or fallback[1])
