"""Streams of text and bytes. A file is kept in memory while it is open; what was written reaches the host when it is flushed or closed."""

import _machine
import posix
import sys
from abc import ABCMeta

__all__ = ['BytesIO', 'StringIO', 'TextIOWrapper', 'IOBase', 'RawIOBase', 'BufferedIOBase', 'TextIOBase', 'open',
           'UnsupportedOperation', 'SEEK_SET', 'SEEK_CUR', 'SEEK_END', 'DEFAULT_BUFFER_SIZE']

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase(metaclass=ABCMeta):
    closed = False

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, *args):
        self.close()

    def __iter__(self):
        self._check()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def _check(self):
        if self.closed:
            raise ValueError('I/O operation on closed file' if type(self) is StringIO else 'I/O operation on closed file.')

    def close(self):
        if not self.closed:
            self.flush()
        self.closed = True

    def flush(self):
        self._check()

    def fileno(self):
        raise UnsupportedOperation('fileno')

    def isatty(self):
        self._check()
        return False

    def readable(self):
        return True

    def writable(self):
        return True

    def seekable(self):
        return True

    def readlines(self, hint=-1):
        lines, size = [], 0
        for line in self:
            lines.append(line)
            size += len(line)
            if hint is not None and 0 < hint <= size:
                break
        return lines

    def writelines(self, lines):
        for line in lines:
            self.write(line)


class RawIOBase(IOBase):
    pass


class BufferedIOBase(IOBase):
    pass


class TextIOBase(IOBase):
    encoding = errors = newlines = None


class _Memory:
    # A text or bytes with a place in it. Pieces that are written at the end are joined when they are asked for.
    def _begin(self, initial):
        self._data, self._pieces, self._pos = initial, [], 0
        self._size = len(initial)

    def _joined(self):
        if self._pieces:
            self._data = self._data[:0].join([self._data, *self._pieces])
            self._pieces = []
        return self._data

    def _put(self, value):
        if self._pos == self._size:
            self._pieces.append(value)
        else:
            data = self._joined()
            data += self._zero * (self._pos - len(data))
            self._data = data[:self._pos] + value + data[self._pos + len(value):]
        self._pos += len(value)
        self._size = max(self._size, self._pos)
        return len(value)

    def getvalue(self):
        self._check()
        return self._joined()

    def read(self, size=-1, /):
        self._check()
        data = self._joined()
        end = self._size if size is None or size < 0 else min(self._size, self._pos + size)
        result = data[self._pos:end]
        self._pos = max(self._pos, end)
        return result

    def readline(self, size=-1, /):
        self._check()
        data = self._joined()
        end = data.find(self._newline, self._pos)
        end = self._size if end < 0 else end + 1
        if size is not None and size >= 0:
            end = min(end, self._pos + size)
        result = data[self._pos:end]
        self._pos = max(self._pos, end)
        return result

    def tell(self):
        self._check()
        return self._pos

    def truncate(self, size=None, /):
        self._check()
        size = self._pos if size is None else size
        self._data = self._joined()[:size]
        self._size = len(self._data)
        return size


class StringIO(_Memory, TextIOBase):
    __module__ = '_io'
    _newline, _zero = '\n', '\0'

    def __init__(self, initial_value='', newline='\n'):
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f'initial_value must be str or None, not {type(initial_value).__name__}')
        value = initial_value or ''
        if newline is None:
            value = value.replace('\r\n', '\n').replace('\r', '\n')
        self._begin(value)

    def __getstate__(self):
        return self.getvalue(), '\n', self._pos, None

    def __setstate__(self, state):
        self.__init__(state[0])
        self._pos = state[2]

    def write(self, s, /):
        self._check()
        if not isinstance(s, str):
            raise TypeError(f'string argument expected, got {type(s).__name__!r}')
        return self._put(s)

    def seek(self, pos, whence=0, /):
        self._check()
        if whence == 0 and pos < 0:
            raise ValueError(f'Negative seek position {pos}')
        if whence and pos:
            raise OSError("Can't do nonzero cur-relative seeks")
        self._pos = (pos, self._pos, self._size)[whence]
        return self._pos


class BytesIO(_Memory, BufferedIOBase):
    __module__ = '_io'
    _newline, _zero = b'\n', b'\0'

    def __init__(self, initial_bytes=b''):
        self._begin(_bytes_of(b'' if initial_bytes is None else initial_bytes))

    def __getstate__(self):
        return self.getvalue(), self._pos, None

    def __setstate__(self, state):
        self.__init__(state[0])
        self._pos = state[1]

    def write(self, b, /):
        self._check()
        return self._put(_bytes_of(b))

    def getbuffer(self):
        return self.getvalue()

    def read1(self, size=-1, /):
        return self.read(size)

    def seek(self, pos, whence=0, /):
        self._check()
        if whence == 0 and pos < 0:
            raise ValueError(f'negative seek value {pos}')
        self._pos = max(0, pos + (0, self._pos, self._size)[whence])
        return self._pos


def _bytes_of(value):
    if isinstance(value, bytes):
        return value
    if isinstance(value, (str, int, list)) or not hasattr(value, '__bytes__') and type(value).__name__ != 'bytearray':
        raise TypeError(f"a bytes-like object is required, not '{type(value).__name__}'")
    return bytes(value)


# Files that have something which is not written yet. They are written when the program ends.
_unwritten = {}


def _write_all():
    for file in list(_unwritten.values()):
        file.flush()


class _File:
    # What a file adds: it begins with what the host has, and gives the host what was written.
    def _open(self, path, mode):
        self._path, self.mode = path, mode
        self._writes = any(c in mode for c in 'wax+')
        self._reads = 'r' in mode or '+' in mode
        self._changed = False
        # A file that nobody holds is not closed at once here, as in CPython: `open(path, 'w').write(text)` is complete when the path is opened again.
        for file in list(_unwritten.values()):
            if file._path == path:
                file.flush()
        stat = posix.stat(path)
        if 'x' in mode and stat is not None:
            raise FileExistsError(17, 'File exists', path)
        if stat is not None and stat[0]:
            raise IsADirectoryError(21, 'Is a directory', path)
        if 'w' in mode or 'x' in mode or 'a' in mode and stat is None:
            posix.write(path, b'')
            return b''
        return posix.read(path)

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle '{'' if protocol < 2 else '_io.'}{self._kind()}' object")

    def readable(self):
        return self._reads

    def writable(self):
        return self._writes

    def _need(self, able, verb):
        self._check()
        if not able:
            raise UnsupportedOperation(f'not {verb}')

    def flush(self):
        self._check()
        if self._changed:
            self._changed = False
            _unwritten.pop(id(self), None)
            posix.write(self._path, self._encoded())

    def _at_end(self):
        if 'a' in self.mode:
            self._pos = self._size
        self._change()

    def _change(self):
        if not self._changed:
            self._changed = True
            _unwritten[id(self)] = self
            _machine.at_exit(_write_all)


class TextIOWrapper(_File, StringIO):
    __module__ = '_io'
    _ahead = False

    def __init__(self, buffer, encoding=None, errors=None, newline=None, *args, _path=None, _mode='r'):
        if _path is None:
            raise NotImplementedError('TextIOWrapper around another stream is not in this Python')
        self.name, self.encoding, self.errors = _path, encoding or 'UTF-8', errors or 'strict'
        self._line_end = '\n' if newline in (None, '') else newline
        data = self._open(_path, _mode)
        # Bytes that are overwritten anyway need no decoding.
        text = data.decode(self.encoding, self.errors)
        if newline is None:
            text = text.replace('\r\n', '\n').replace('\r', '\n')
        self._begin(text)
        if 'a' in _mode:
            self._pos = self._size

    def _encoded(self):
        text = self._joined()
        return (text if self._line_end == '\n' else text.replace('\n', self._line_end)).encode(self.encoding, self.errors)

    def write(self, s, /):
        self._need(self._writes, 'writable')
        if not isinstance(s, str):
            raise TypeError(f'write() argument must be str, not {type(s).__name__}')
        if self._ahead:
            # What was read has taken the whole file into the buffer, so a write lands behind it.
            self._ahead, self._pos = False, self._size
        self._at_end()
        return super().write(s)

    def seek(self, pos, whence=0, /):
        self._ahead = False
        return super().seek(pos, whence)

    def read(self, size=-1, /):
        self._need(self._reads, 'readable')
        self._ahead = True
        return super().read(size)

    def readline(self, size=-1, /):
        self._need(self._reads, 'readable')
        self._ahead = True
        return super().readline(size)

    def _kind(self):
        return 'TextIOWrapper'

    def __repr__(self):
        return f'<_io.TextIOWrapper name={self.name!r} mode={self.mode!r} encoding={self.encoding!r}>'


class BufferedRandom(_File, BytesIO):
    def __init__(self, path, mode):
        self.name = path
        self._begin(self._open(path, mode.replace('b', '')))
        self.mode = mode
        if 'a' in mode:
            self._pos = self._size

    def _encoded(self):
        return self._joined()

    def write(self, b, /):
        self._need(self._writes, 'writable')
        self._at_end()
        return super().write(b)

    def read(self, size=-1, /):
        self._need(self._reads, 'readable')
        return super().read(size)

    def _kind(self):
        return 'Buffered' + ('Random' if '+' in self.mode else 'Writer' if self._writes else 'Reader')

    def __repr__(self):
        return f'<_io.{self._kind()} name={self.name!r}>'


def open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    if isinstance(file, int) or isinstance(file, bytes):
        raise NotImplementedError('open() of a file descriptor is not in this Python')
    path = file if isinstance(file, str) else file.__fspath__() if hasattr(file, '__fspath__') else None
    if path is None:
        raise TypeError(f'expected str, bytes or os.PathLike object, not {type(file).__name__}')
    if not isinstance(mode, str):
        raise TypeError(f"open() argument 'mode' must be str, not {type(mode).__name__}")
    kinds = [c for c in mode if c in 'rwax']
    if set(mode) - set('rwaxbt+') or len(mode) > len(set(mode)):
        raise ValueError(f'invalid mode: {mode!r}')
    if 'b' in mode and 't' in mode:
        raise ValueError("can't have text and binary mode at once")
    if len(kinds) > 1:
        raise ValueError('must have exactly one of create/read/write/append mode')
    if not kinds:
        raise ValueError('Must have exactly one of create/read/write/append mode and at most one plus')
    if 'b' in mode:
        if encoding is not None:
            raise ValueError("binary mode doesn't take an encoding argument")
        return BufferedRandom(path, mode)
    return TextIOWrapper(None, encoding, errors, newline, _path=path, _mode=mode)


# CPython has these classes in a module that is written in C.
sys.modules['_io'] = sys.modules[__name__]
