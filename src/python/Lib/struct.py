"""Values as bytes in a given format."""

import _struct
from _struct import calcsize, pack, unpack


class error(Exception):
    __module__ = 'struct'


_struct.set_error(error)


def unpack_from(format, buffer, offset=0):
    size = calcsize(format)
    if offset < 0:
        offset += len(buffer)
    if len(buffer) - offset < size:
        raise error(f'unpack_from requires a buffer of at least {offset + size} bytes for unpacking {size} bytes at offset '
                    f'{offset} (actual buffer size is {len(buffer)})')
    return unpack(format, buffer[offset:offset + size])


def iter_unpack(format, buffer):
    size = calcsize(format)
    if size == 0:
        raise error('cannot iteratively unpack with a struct of length 0')
    if len(buffer) % size:
        raise error(f'iterative unpacking requires a buffer of a multiple of {size} bytes')
    return (unpack(format, buffer[i:i + size]) for i in range(0, len(buffer), size))


class Struct:
    def __init__(self, format):
        self.format, self.size = format, calcsize(format)

    def pack(self, *values):
        return pack(self.format, *values)

    def unpack(self, buffer, /):
        return unpack(self.format, buffer)

    def unpack_from(self, buffer, offset=0):
        return unpack_from(self.format, buffer, offset)

    def iter_unpack(self, buffer, /):
        return iter_unpack(self.format, buffer)
