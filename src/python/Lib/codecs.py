"""Texts as bytes and back, by the name of the encoding."""

from _codecs import decode, encode

__all__ = ['BOM', 'BOM_BE', 'BOM_LE', 'BOM_UTF8', 'BOM_UTF16', 'BOM_UTF16_LE', 'BOM_UTF16_BE', 'CodecInfo', 'decode', 'encode', 'getdecoder',
           'getencoder', 'lookup', 'open']

BOM_UTF8 = b'\xef\xbb\xbf'
BOM_LE = BOM_UTF16_LE = BOM_UTF16 = BOM = b'\xff\xfe'
BOM_BE = BOM_UTF16_BE = b'\xfe\xff'


class CodecInfo(tuple):
    def __new__(cls, encode, decode, name=None):
        self = tuple.__new__(cls, (encode, decode, None, None))
        self.encode, self.decode, self.name = encode, decode, name
        return self

    def __repr__(self):
        return f'<codecs.CodecInfo object for encoding {self.name} at {id(self):#x}>'


def lookup(encoding):
    ''.encode(encoding)
    name = encoding.lower().replace('_', '-')
    name = {'utf8': 'utf-8', 'latin-1': 'iso8859-1', 'latin1': 'iso8859-1', 'us-ascii': 'ascii'}.get(name, name)
    return CodecInfo(lambda s, errors='strict': (encode(s, encoding, errors), len(s)),
                     lambda b, errors='strict': (decode(b, encoding, errors), len(b)), name)


def getencoder(encoding):
    return lookup(encoding).encode


def getdecoder(encoding):
    return lookup(encoding).decode


def open(filename, mode='r', encoding=None, errors='strict', buffering=-1):
    import io
    if encoding is None:
        return io.open(filename, mode)
    return io.open(filename, mode.replace('b', ''), encoding=encoding, errors=errors, newline='')
