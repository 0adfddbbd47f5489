"""Paths with slashes."""

import posix

curdir, pardir, sep, extsep, altsep, pathsep, defpath, devnull = '.', '..', '/', '.', None, ':', '/bin:/usr/bin', '/dev/null'


def _text(path):
    if isinstance(path, str):
        return path
    if hasattr(path, '__fspath__'):
        return path.__fspath__()
    raise TypeError(f'expected str, bytes or os.PathLike object, not {type(path).__name__}')


def join(a, *p):
    path = _text(a)
    for b in map(_text, p):
        if b.startswith('/'):
            path = b
        elif not path or path.endswith('/'):
            path += b
        else:
            path += '/' + b
    return path


def split(p):
    p = _text(p)
    i = p.rfind('/') + 1
    head, tail = p[:i], p[i:]
    if head and head != '/' * len(head):
        head = head.rstrip('/')
    return head, tail


def splitext(p):
    p = _text(p)
    dot, slash = p.rfind('.'), p.rfind('/')
    if dot > slash and p[slash + 1:dot].strip('.'):
        return p[:dot], p[dot:]
    return p, ''


def splitdrive(p):
    return '', _text(p)


def basename(p):
    return split(p)[1]


def dirname(p):
    return split(p)[0]


def isabs(s):
    return _text(s).startswith('/')


def normpath(path):
    path = _text(path)
    if not path:
        return '.'
    root = '/' if path.startswith('/') else ''
    if path.startswith('//') and not path.startswith('///'):
        root = '//'
    parts = []
    for part in path.split('/'):
        if part in ('', '.'):
            continue
        if part != '..' or not root and not parts or parts and parts[-1] == '..':
            parts.append(part)
        elif parts:
            parts.pop()
    return root + '/'.join(parts) or '.'


def abspath(path):
    path = _text(path)
    return normpath(path if isabs(path) else join(posix.getcwd(), path))


realpath = abspath


def normcase(s):
    return _text(s)


def relpath(path, start='.'):
    if not path:
        raise ValueError('no path specified')
    a = [x for x in abspath(start).split('/') if x]
    b = [x for x in abspath(path).split('/') if x]
    i = len(commonprefix([a, b]))
    return '/'.join(['..'] * (len(a) - i) + b[i:]) or '.'


def commonprefix(m):
    if not m:
        return ''
    low, high = min(m), max(m)
    for i, c in enumerate(low):
        if c != high[i]:
            return low[:i]
    return low


def commonpath(paths):
    split_paths = [[c for c in _text(path).split('/') if c and c != '.'] for path in paths]
    if len({isabs(path) for path in paths}) > 1:
        raise ValueError("Can't mix absolute and relative paths")
    return ('/' if isabs(paths[0]) else '') + '/'.join(commonprefix(split_paths))


def exists(path):
    return posix.stat(_text(path)) is not None


lexists = exists


def isfile(path):
    stat = posix.stat(_text(path))
    return stat is not None and not stat[0]


def isdir(path):
    stat = posix.stat(_text(path))
    return stat is not None and stat[0]


def islink(path):
    return False


def _stat(path):
    stat = posix.stat(_text(path))
    if stat is None:
        raise FileNotFoundError(2, 'No such file or directory', path)
    return stat


def getsize(filename):
    return _stat(filename)[1]


def getmtime(filename):
    return _stat(filename)[2]


def expanduser(path):
    path = _text(path)
    if path == '~' or path.startswith('~/'):
        return posix.environ().get('HOME', '/') + path[1:]
    return path


def samefile(a, b):
    return abspath(a) == abspath(b)
