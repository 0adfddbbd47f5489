"""Encoding and decoding by name; `hex`, `base64` and `rot13` turn bytes into bytes and texts into texts."""

_ROT13 = str.maketrans('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 'NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm')


def _special(encoding):
    return encoding.lower().replace('-', '_').removesuffix('_codec')


def encode(obj, encoding='utf-8', errors='strict'):
    name = _special(encoding)
    if name == 'hex':
        import binascii
        return binascii.hexlify(obj)
    if name == 'base64':
        import base64
        return base64.encodebytes(obj)
    if name in ('rot13', 'rot_13'):
        return obj.translate(_ROT13)
    return obj.encode(encoding, errors)


def decode(obj, encoding='utf-8', errors='strict'):
    name = _special(encoding)
    if name == 'hex':
        import binascii
        return binascii.unhexlify(obj)
    if name == 'base64':
        import base64
        return base64.decodebytes(obj)
    if name in ('rot13', 'rot_13'):
        return obj.translate(_ROT13)
    return bytes(obj).decode(encoding, errors)


encode.__module__ = decode.__module__ = '_codecs'
