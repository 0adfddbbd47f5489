"""Paths that fit a pattern of the shell; `**` stands for any number of folders if `recursive` says so."""

import fnmatch
import os
import re

__all__ = ['escape', 'glob', 'iglob', 'has_magic']

_magic = re.compile('[*?[]')


def has_magic(s):
    return _magic.search(s) is not None


def escape(pathname):
    return _magic.sub(lambda m: f'[{m[0]}]', pathname)


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    return list(iglob(pathname, root_dir=root_dir, recursive=recursive, include_hidden=include_hidden))


def iglob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    root = '' if root_dir is None else os.fspath(root_dir)
    for path in _matching(os.fspath(pathname), root, recursive, include_hidden, False):
        if path:
            yield path


def _names(folder, root, only_folders, include_hidden):
    try:
        names = os.listdir(os.path.join(root, folder) or '.')
    except OSError:
        return []
    if only_folders:
        names = [it for it in names if os.path.isdir(os.path.join(root, folder, it))]
    return [it for it in names if include_hidden or not it.startswith('.')]


def _below(folder, root, only_folders, include_hidden):
    yield folder and os.path.join(folder, '')
    stack = [folder]
    while stack:
        at = stack.pop()
        found = []
        for name in _names(at, root, only_folders, include_hidden):
            path = os.path.join(at, name)
            yield path
            if os.path.isdir(os.path.join(root, path)):
                found.append(path)
        stack.extend(reversed(found))


def _matching(pathname, root, recursive, include_hidden, only_folders):
    folder, name = os.path.split(pathname)
    if not has_magic(pathname):
        full = os.path.join(root, pathname)
        if os.path.isdir(full) if not name or only_folders else os.path.exists(full):
            yield pathname
        return
    if folder and folder != pathname and has_magic(folder):
        folders = _matching(folder, root, recursive, include_hidden, True)
    else:
        folders = [folder]
    for at in folders:
        if recursive and name == '**':
            yield from _below(at, root, only_folders, include_hidden)
        elif has_magic(name):
            hidden = include_hidden or name.startswith('.')
            for found in fnmatch.filter(_names(at, root, only_folders, hidden), name):
                yield os.path.join(at, found)
        elif not name:
            if os.path.isdir(os.path.join(root, at)):
                yield os.path.join(at, '')
        elif os.path.exists(os.path.join(root, at, name)):
            yield os.path.join(at, name)
