"""Paths as objects: pure ones compute with texts, `Path` asks the host's files."""

import fnmatch
import io
import os
import re

__all__ = ['PurePath', 'PurePosixPath', 'Path', 'PosixPath']


class _Parents:
    def __init__(self, path):
        self._root = path._from_parts(path.anchor, [])
        self._path = path

    def __len__(self):
        return len(self._path._names)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return tuple(self[k] for k in range(*i.indices(len(self))))
        if i >= len(self) or i < -len(self):
            raise IndexError(i)
        if i < 0:
            i += len(self)
        return self._path._from_parts(self._path.root, self._path._names[:-i - 1])

    def __repr__(self):
        return f'<{type(self._path).__name__}.parents>'


class PurePath:
    drive = ''

    def __new__(cls, *args, **kwargs):
        if cls is PurePath:
            cls = PurePosixPath
        elif cls is Path:
            cls = PosixPath
        self = object.__new__(cls)
        root, names = '', []
        for arg in args:
            if isinstance(arg, PurePath):
                text = str(arg)
            else:
                text = os.fspath(arg)
                if not isinstance(text, str):
                    raise TypeError('argument should be a str or an os.PathLike object where __fspath__ returns a str, '
                                    f'not {type(text).__name__!r}')
            if text.startswith('/'):
                root, names = '//' if text.startswith('//') and not text.startswith('///') else '/', []
            names += [name for name in text.split('/') if name not in ('', '.')]
        self.root, self._names = root, names
        return self

    def __init__(self, *args):
        pass

    def _from_parts(self, root, names):
        result = object.__new__(type(self))
        result.root, result._names = root, list(names)
        return result

    def __reduce__(self):
        return type(self), tuple(self.parts)

    def __str__(self):
        return self.root + '/'.join(self._names) or '.'

    __fspath__ = as_posix = __str__

    def __bytes__(self):
        return str(self).encode()

    def __repr__(self):
        return f'{type(self).__name__}({str(self)!r})'

    def as_uri(self):
        if not self.is_absolute():
            raise ValueError("relative path can't be expressed as a file URI")
        return 'file://' + str(self)

    def __eq__(self, other):
        return str(self) == str(other) if isinstance(other, PurePath) else NotImplemented

    def __hash__(self):
        return hash(str(self))

    def __lt__(self, other):
        return self.parts < other.parts if isinstance(other, PurePath) else NotImplemented

    def __le__(self, other):
        return self.parts <= other.parts if isinstance(other, PurePath) else NotImplemented

    def __gt__(self, other):
        return self.parts > other.parts if isinstance(other, PurePath) else NotImplemented

    def __ge__(self, other):
        return self.parts >= other.parts if isinstance(other, PurePath) else NotImplemented

    @property
    def anchor(self):
        return self.root

    @property
    def parts(self):
        return (self.root, *self._names) if self.root else tuple(self._names)

    @property
    def name(self):
        return self._names[-1] if self._names else ''

    @property
    def suffix(self):
        name = self.name
        at = name.rfind('.')
        return name[at:] if 0 < at < len(name) - 1 else ''

    @property
    def suffixes(self):
        name = self.name
        return [] if name.endswith('.') else ['.' + it for it in name.lstrip('.').split('.')[1:]]

    @property
    def stem(self):
        return self.name[:len(self.name) - len(self.suffix)]

    @property
    def parent(self):
        return self._from_parts(self.root, self._names[:-1]) if self._names else self

    @property
    def parents(self):
        return _Parents(self)

    def with_name(self, name):
        if not self.name:
            raise ValueError(f'{self!r} has an empty name')
        if not name or '/' in name or name == '.':
            raise ValueError(f'Invalid name {name!r}')
        return self._from_parts(self.root, [*self._names[:-1], name])

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        if '/' in suffix or suffix and not suffix.startswith('.') or suffix == '.':
            raise ValueError(f'Invalid suffix {suffix!r}')
        if not self.name:
            raise ValueError(f'{self!r} has an empty name')
        return self.with_name(self.stem + suffix)

    def joinpath(self, *args):
        return type(self)(self, *args)

    def __truediv__(self, key):
        try:
            return self.joinpath(key)
        except TypeError:
            return NotImplemented

    def __rtruediv__(self, key):
        try:
            return type(self)(key, self)
        except TypeError:
            return NotImplemented

    def is_absolute(self):
        return bool(self.root)

    def is_reserved(self):
        return False

    def relative_to(self, *other):
        if not other:
            raise TypeError('need at least one argument')
        base = type(self)(*other)
        n = len(base.parts)
        if self.parts[:n] != base.parts:
            raise ValueError(f'{str(self)!r} is not in the subpath of {str(base)!r} OR one path is relative and the other is absolute.')
        return self._from_parts('', self._names[len(base._names):])

    def is_relative_to(self, *other):
        base = type(self)(*other)
        return self.parts[:len(base.parts)] == base.parts

    def match(self, path_pattern):
        pattern = type(self)(path_pattern)
        if not pattern.parts:
            raise ValueError('empty pattern')
        mine, theirs = self.parts, pattern.parts
        if pattern.root and len(mine) != len(theirs) or len(theirs) > len(mine):
            return False
        return all(fnmatch.fnmatchcase(a, b) for a, b in zip(reversed(mine), reversed(theirs)))


class PurePosixPath(PurePath):
    pass


class Path(PurePath):
    @classmethod
    def cwd(cls):
        return cls(os.getcwd())

    @classmethod
    def home(cls):
        return cls('~').expanduser()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass

    def stat(self, *, follow_symlinks=True):
        return os.stat(self)

    def exists(self):
        return os.path.exists(self)

    def is_dir(self):
        return os.path.isdir(self)

    def is_file(self):
        return os.path.isfile(self)

    def is_symlink(self):
        return os.path.islink(self)

    def samefile(self, other_path):
        return os.path.samefile(self, other_path)

    def absolute(self):
        return self if self.is_absolute() else type(self)(os.getcwd(), self)

    def resolve(self, strict=False):
        if strict:
            self.stat()
        return type(self)(os.path.abspath(self))

    def expanduser(self):
        if not self.root and self._names and self._names[0].startswith('~'):
            return type(self)(os.path.expanduser(self._names[0]), *self._names[1:])
        return self

    def iterdir(self):
        for name in os.listdir(self):
            yield self._from_parts(self.root, [*self._names, name])

    def glob(self, pattern):
        if not pattern:
            raise ValueError(f'Unacceptable pattern: {pattern!r}')
        if pattern.startswith('/'):
            raise NotImplementedError('Non-relative patterns are unsupported')
        seen = set()
        for path in self._select(PurePosixPath(pattern)._names, pattern.endswith('/')):
            if path not in seen:
                seen.add(path)
                yield path

    def rglob(self, pattern):
        return self.glob('**/' + pattern)

    def _select(self, names, only_folders):
        if not names:
            if not only_folders or self.is_dir():
                yield self
            return
        first, rest = names[0], names[1:]
        if first == '**':
            yield from self._select(rest, only_folders or not rest)
            for path in self._children():
                if path.is_dir():
                    yield from path._select(names, only_folders)
        elif not re.search('[*?[]', first):
            path = self / first
            if path.exists():
                yield from path._select(rest, only_folders)
        else:
            for path in self._children():
                if fnmatch.fnmatchcase(path.name, first) and (not rest or path.is_dir()):
                    yield from path._select(rest, only_folders)

    def _children(self):
        try:
            return list(self.iterdir())
        except OSError:
            return []

    def open(self, mode='r', buffering=-1, encoding=None, errors=None, newline=None):
        return io.open(self, mode, buffering, encoding, errors, newline)

    def read_bytes(self):
        with self.open('rb') as file:
            return file.read()

    def read_text(self, encoding=None, errors=None):
        with self.open(encoding=encoding, errors=errors) as file:
            return file.read()

    def write_bytes(self, data):
        with self.open('wb') as file:
            return file.write(bytes(data))

    def write_text(self, data, encoding=None, errors=None, newline=None):
        if not isinstance(data, str):
            raise TypeError(f'data must be str, not {type(data).__name__}')
        with self.open('w', encoding=encoding, errors=errors, newline=newline) as file:
            return file.write(data)

    def touch(self, mode=0o666, exist_ok=True):
        if self.exists():
            if not exist_ok:
                raise FileExistsError(17, 'File exists', str(self))
        else:
            self.write_bytes(b'')

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        try:
            os.mkdir(self)
        except FileNotFoundError:
            if not parents or self.parent == self:
                raise
            self.parent.mkdir(parents=True, exist_ok=True)
            self.mkdir(mode, exist_ok=exist_ok)
        except OSError:
            if not exist_ok or not self.is_dir():
                raise

    def unlink(self, missing_ok=False):
        try:
            os.unlink(self)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def rmdir(self):
        os.rmdir(self)

    def rename(self, target):
        os.rename(self, target)
        return type(self)(target)

    replace = rename


class PosixPath(Path, PurePosixPath):
    pass
