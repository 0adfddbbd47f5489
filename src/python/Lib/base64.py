"""Bytes as text: base 64, base 32 and base 16 (RFC 4648)."""

import binascii

__all__ = ['encodebytes', 'decodebytes', 'b64encode', 'b64decode', 'b32encode', 'b32decode', 'b16encode', 'b16decode',
           'standard_b64encode', 'standard_b64decode', 'urlsafe_b64encode', 'urlsafe_b64decode']


def _bytes(s):
    if isinstance(s, str):
        try:
            return s.encode('ascii')
        except UnicodeEncodeError:
            raise ValueError('string argument should contain only ASCII characters') from None
    if isinstance(s, (bytes, bytearray)):
        return bytes(s)
    raise TypeError(f'argument should be a bytes-like object or ASCII string, not {type(s).__name__!r}')


def b64encode(s, altchars=None):
    encoded = binascii.b2a_base64(s, newline=False)
    if altchars is not None:
        assert len(altchars) == 2, repr(altchars)
        return encoded.translate(bytes.maketrans(b'+/', altchars))
    return encoded


def b64decode(s, altchars=None, validate=False):
    s = _bytes(s)
    if altchars is not None:
        altchars = _bytes(altchars)
        assert len(altchars) == 2, repr(altchars)
        s = s.translate(bytes.maketrans(altchars, b'+/'))
    return binascii.a2b_base64(s, strict_mode=validate)


standard_b64encode = b64encode


def standard_b64decode(s):
    return b64decode(s)


def urlsafe_b64encode(s):
    return b64encode(s, b'-_')


def urlsafe_b64decode(s):
    return b64decode(s, b'-_')


_B32 = b'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'


def b32encode(s):
    s = _bytes(s)
    result = bytearray()
    for i in range(0, len(s), 5):
        part = s[i:i + 5]
        number = int.from_bytes(part + bytes(5 - len(part)), 'big')
        digits = [_B32[number >> shift & 31] for shift in range(35, -1, -5)]
        filled = {1: 2, 2: 4, 3: 5, 4: 7, 5: 8}[len(part)]
        result += bytes(digits[:filled]) + b'=' * (8 - filled)
    return bytes(result)


def b32decode(s, casefold=False, map01=None):
    s = _bytes(s)
    if len(s) % 8:
        raise binascii.Error('Incorrect padding')
    if casefold:
        s = s.upper()
    stripped = s.rstrip(b'=')
    missing = len(s) - len(stripped)
    if missing not in (0, 1, 3, 4, 6):
        raise binascii.Error('Incorrect padding')
    number, result = 0, bytearray()
    digits = stripped + b'A' * missing
    for i in range(0, len(digits), 8):
        number = 0
        for c in digits[i:i + 8]:
            place = _B32.find(bytes([c]))
            if place < 0:
                raise binascii.Error('Non-base32 digit found')
            number = number << 5 | place
        result += number.to_bytes(5, 'big')
    return bytes(result[:len(result) - {0: 0, 1: 1, 3: 2, 4: 3, 6: 4}[missing]])


def b16encode(s):
    return binascii.hexlify(s).upper()


def b16decode(s, casefold=False):
    s = _bytes(s)
    if casefold:
        s = s.upper()
    if any(c not in b'0123456789ABCDEF' for c in s):
        raise binascii.Error('Non-base16 digit found')
    return binascii.unhexlify(s)


def encodebytes(s):
    return b''.join(binascii.b2a_base64(s[i:i + 57]) for i in range(0, len(s), 57))


def decodebytes(s):
    return binascii.a2b_base64(s)
