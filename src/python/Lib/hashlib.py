"""Digests of bytes: MD5, SHA-1, SHA-256 and SHA-512."""

import _hash

__all__ = ['md5', 'sha1', 'sha256', 'sha512', 'new', 'algorithms_guaranteed', 'algorithms_available', 'file_digest']

algorithms_guaranteed = algorithms_available = {'md5', 'sha1', 'sha256', 'sha512'}
_SIZES = {'md5': (16, 64), 'sha1': (20, 64), 'sha256': (32, 64), 'sha512': (64, 128)}


class HASH:
    def __init__(self, name, data):
        self.name = name
        self.digest_size, self.block_size = _SIZES[name]
        self._parts = []
        self.update(data)

    def update(self, obj, /):
        if isinstance(obj, str):
            raise TypeError('Strings must be encoded before hashing')
        self._parts.append(bytes(memoryview(obj)) if not isinstance(obj, (bytes, bytearray)) else bytes(obj))

    def digest(self):
        if len(self._parts) > 1:
            self._parts = [b''.join(self._parts)]
        return _hash.digest(self.name, self._parts[0])

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        return HASH(self.name, b''.join(self._parts))

    def __repr__(self):
        return f'<{self.name} _hashlib.HASH object @ {id(self):#x}>'


def new(name, data=b'', *, usedforsecurity=True):
    known = name.lower().replace('-', '')
    if known not in _SIZES:
        raise ValueError(f'unsupported hash type {name}')
    return HASH(known, data)


def md5(string=b'', *, usedforsecurity=True):
    return HASH('md5', string)


def sha1(string=b'', *, usedforsecurity=True):
    return HASH('sha1', string)


def sha256(string=b'', *, usedforsecurity=True):
    return HASH('sha256', string)


def sha512(string=b'', *, usedforsecurity=True):
    return HASH('sha512', string)


def file_digest(fileobj, digest, /):
    result = new(digest) if isinstance(digest, str) else digest()
    result.update(fileobj.read())
    return result
