"""Bytes as texts of digits, and checksums."""

from _binascii import crc32

__all__ = ['a2b_base64', 'a2b_hex', 'b2a_base64', 'b2a_hex', 'crc32', 'hexlify', 'unhexlify', 'Error', 'Incomplete']


class Error(ValueError):
    pass


class Incomplete(Exception):
    pass


_DIGITS = b'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
_PLACES = {c: i for i, c in enumerate(_DIGITS)}


def _bytes(data, what='a bytes-like object is required, not {!r}'):
    if isinstance(data, str):
        raise TypeError(what.format('str'))
    return bytes(data)


def b2a_base64(data, /, *, newline=True):
    data = _bytes(data)
    result = bytearray()
    for i in range(0, len(data), 3):
        part = data[i:i + 3]
        number = int.from_bytes(part + bytes(3 - len(part)), 'big')
        digits = [_DIGITS[number >> shift & 63] for shift in (18, 12, 6, 0)]
        result += bytes(digits[:len(part) + 1]) + b'=' * (3 - len(part))
    return bytes(result) + (b'\n' if newline else b'')


def a2b_base64(data, /, *, strict_mode=False):
    if isinstance(data, str):
        data = data.encode('ascii')
    result, bits, number, count, padding = bytearray(), 0, 0, 0, 0
    for i, c in enumerate(data):
        if c == 61:
            if strict_mode and i == 0:
                raise Error('Leading padding not allowed')
            if count % 4 >= 2:
                padding += 1
                if count % 4 + padding >= 4:
                    if strict_mode and i + 1 < len(data):
                        raise Error('Excess data after padding')
                    return bytes(result)
            elif strict_mode:
                raise Error('Discontinuous padding not allowed' if count % 4 else 'Excess data after padding')
            continue
        place = _PLACES.get(c)
        if place is None:
            if strict_mode:
                raise Error('Only base64 data is allowed')
            continue
        if strict_mode and padding:
            raise Error('Discontinuous padding not allowed')
        padding = 0
        count += 1
        number = (number << 6 | place) & 0xffffff
        bits += 6
        if bits >= 8:
            bits -= 8
            result.append(number >> bits & 255)
    if count % 4 == 1:
        raise Error(f'Invalid base64-encoded string: number of data characters ({count}) cannot be 1 more than a multiple of 4')
    if count % 4:
        raise Error('Incorrect padding')
    return bytes(result)


def hexlify(data, sep=None, bytes_per_sep=1):
    data = _bytes(data)
    return (data.hex() if sep is None else data.hex(sep, bytes_per_sep)).encode()


def unhexlify(hexstr, /):
    text = hexstr if isinstance(hexstr, str) else bytes(hexstr).decode('latin-1')
    if len(text) % 2:
        raise Error('Odd-length string')
    try:
        if any(c.isspace() for c in text):
            raise ValueError
        return bytes.fromhex(text)
    except ValueError:
        raise Error('Non-hexadecimal digit found') from None


b2a_hex, a2b_hex = hexlify, unhexlify
