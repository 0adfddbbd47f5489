"""Universally unique identifiers (RFC 4122)."""

import hashlib
import os
from enum import Enum


class SafeUUID(Enum):
    safe = 0
    unsafe = -1
    unknown = None


NAMESPACE, RFC_4122 = 'reserved for NCS compatibility', 'specified in RFC 4122'
RESERVED_MICROSOFT, RESERVED_FUTURE = 'reserved for Microsoft compatibility', 'reserved for future definition'
RESERVED_NCS = NAMESPACE


class UUID:
    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None, *, is_safe=SafeUUID.unknown):
        if [hex, bytes, bytes_le, fields, int].count(None) != 4:
            raise TypeError('one of the hex, bytes, bytes_le, fields, or int arguments must be given')
        if hex is not None:
            hex = hex.replace('urn:', '').replace('uuid:', '').strip('{}').replace('-', '')
            if len(hex) != 32:
                raise ValueError('badly formed hexadecimal UUID string')
            int = _int(hex, 16)
        if bytes_le is not None:
            if len(bytes_le) != 16:
                raise ValueError('bytes_le is not a 16-char string')
            bytes = bytes_le[3::-1] + bytes_le[5:3:-1] + bytes_le[7:5:-1] + bytes_le[8:]
        if bytes is not None:
            if len(bytes) != 16:
                raise ValueError('bytes is not a 16-char string')
            int = _int.from_bytes(bytes, 'big')
        if fields is not None:
            if len(fields) != 6:
                raise ValueError('fields is not a 6-tuple')
            low, mid, high, clock_high, clock_low, node = fields
            int = low << 96 | mid << 80 | high << 64 | clock_high << 56 | clock_low << 48 | node
        if not 0 <= int < 1 << 128:
            raise ValueError('int is out of range (need a 128-bit value)')
        if version is not None:
            if not 1 <= version <= 5:
                raise ValueError('illegal version number')
            int = int & ~(0xc000 << 48) | 0x8000 << 48
            int = int & ~(0xf000 << 64) | version << 76
        object.__setattr__(self, 'int', int)
        object.__setattr__(self, 'is_safe', is_safe)

    def __setattr__(self, name, value):
        raise TypeError('UUID objects are immutable')

    def __eq__(self, other):
        return self.int == other.int if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self.int < other.int if isinstance(other, UUID) else NotImplemented

    def __gt__(self, other):
        return self.int > other.int if isinstance(other, UUID) else NotImplemented

    def __le__(self, other):
        return self.int <= other.int if isinstance(other, UUID) else NotImplemented

    def __ge__(self, other):
        return self.int >= other.int if isinstance(other, UUID) else NotImplemented

    def __hash__(self):
        return hash(self.int)

    def __int__(self):
        return self.int

    def __repr__(self):
        return f'UUID({str(self)!r})'

    def __str__(self):
        h = self.hex
        return f'{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}'

    @property
    def hex(self):
        return f'{self.int:032x}'

    @property
    def bytes(self):
        return self.int.to_bytes(16, 'big')

    @property
    def bytes_le(self):
        b = self.bytes
        return b[3::-1] + b[5:3:-1] + b[7:5:-1] + b[8:]

    @property
    def time_low(self):
        return self.int >> 96

    @property
    def time_mid(self):
        return self.int >> 80 & 0xffff

    @property
    def time_hi_version(self):
        return self.int >> 64 & 0xffff

    @property
    def clock_seq_hi_variant(self):
        return self.int >> 56 & 0xff

    @property
    def clock_seq_low(self):
        return self.int >> 48 & 0xff

    @property
    def node(self):
        return self.int & 0xffffffffffff

    @property
    def fields(self):
        return (self.time_low, self.time_mid, self.time_hi_version, self.clock_seq_hi_variant, self.clock_seq_low, self.node)

    @property
    def urn(self):
        return f'urn:uuid:{self}'

    @property
    def variant(self):
        if not self.int & 0x8000 << 48:
            return RESERVED_NCS
        if not self.int & 0x4000 << 48:
            return RFC_4122
        return RESERVED_MICROSOFT if not self.int & 0x2000 << 48 else RESERVED_FUTURE

    @property
    def version(self):
        return self.int >> 76 & 0xf if self.variant == RFC_4122 else None


_int = int


def uuid1(node=None, clock_seq=None):
    raise NotImplementedError('uuid.uuid1 is not in this Python')


def _of_name(namespace, name, digest, version):
    return UUID(bytes=digest(namespace.bytes + name.encode()).digest()[:16], version=version)


def uuid3(namespace, name):
    return _of_name(namespace, name, hashlib.md5, 3)


def uuid4():
    return UUID(bytes=os.urandom(16), version=4)


def uuid5(namespace, name):
    return _of_name(namespace, name, hashlib.sha1, 5)


NAMESPACE_DNS = UUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_URL = UUID('6ba7b811-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_OID = UUID('6ba7b812-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_X500 = UUID('6ba7b814-9dad-11d1-80b4-00c04fd430c8')
