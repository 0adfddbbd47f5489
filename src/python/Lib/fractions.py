"""Rational numbers: a numerator and a denominator in lowest terms."""

import math
import numbers
import operator
import re

__all__ = ['Fraction']

_FORMAT = re.compile(r'''
    \A\s*
    (?P<sign>[-+]?)
    (?=\d|\.\d)
    (?P<num>\d*|\d+(_\d+)*)
    (?:(?:/(?P<denom>\d+(_\d+)*))?|(?:\.(?P<decimal>\d*|\d+(_\d+)*))?(?:E(?P<exp>[-+]?\d+(_\d+)*))?)
    \s*\Z
''', re.VERBOSE | re.IGNORECASE)


class Fraction(numbers.Rational):
    def __new__(cls, numerator=0, denominator=None):
        self = super().__new__(cls)
        if denominator is None:
            if type(numerator) is int:
                self._numerator, self._denominator = numerator, 1
                return self
            if isinstance(numerator, numbers.Rational):
                self._numerator, self._denominator = numerator.numerator, numerator.denominator
                return self
            if isinstance(numerator, float):
                self._numerator, self._denominator = numerator.as_integer_ratio()
                return self
            if not isinstance(numerator, str):
                raise TypeError('argument should be a string or a Rational instance')
            found = _FORMAT.match(numerator)
            if found is None:
                raise ValueError(f'Invalid literal for Fraction: {numerator!r}')
            top, bottom = int(found['num'] or '0'), 1
            if found['denom']:
                bottom = int(found['denom'])
            else:
                if found['decimal']:
                    digits = found['decimal'].replace('_', '')
                    bottom = 10 ** len(digits)
                    top = top * bottom + int(digits)
                if found['exp']:
                    power = int(found['exp'])
                    if power >= 0:
                        top *= 10 ** power
                    else:
                        bottom *= 10 ** -power
            numerator, denominator = -top if found['sign'] == '-' else top, bottom
        elif isinstance(numerator, (int, Fraction)) and isinstance(denominator, (int, Fraction)) or (
                isinstance(numerator, numbers.Rational) and isinstance(denominator, numbers.Rational)):
            numerator, denominator = (numerator.numerator * denominator.denominator, denominator.numerator * numerator.denominator)
        else:
            raise TypeError('both arguments should be Rational instances')
        if denominator == 0:
            raise ZeroDivisionError(f'Fraction({numerator}, 0)')
        common = math.gcd(numerator, denominator)
        if denominator < 0:
            common = -common
        self._numerator, self._denominator = numerator // common, denominator // common
        return self

    @classmethod
    def from_float(cls, f):
        if isinstance(f, int):
            return cls(f)
        if not isinstance(f, float):
            raise TypeError(f'{cls.__name__}.from_float() only takes floats, not {f!r} ({type(f).__name__})')
        return cls(*f.as_integer_ratio())

    @property
    def numerator(self):
        return self._numerator

    @property
    def denominator(self):
        return self._denominator

    def as_integer_ratio(self):
        return self._numerator, self._denominator

    def limit_denominator(self, max_denominator=1000000):
        # The best of the continued fraction's convergents and the last step between two of them.
        if max_denominator < 1:
            raise ValueError('max_denominator should be at least 1')
        if self._denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._numerator, self._denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        between, last = Fraction(p0 + k * p1, q0 + k * q1), Fraction(p1, q1)
        return last if abs(last - self) <= abs(between - self) else between

    def __repr__(self):
        return f'{type(self).__name__}({self._numerator}, {self._denominator})'

    def __str__(self):
        return str(self._numerator) if self._denominator == 1 else f'{self._numerator}/{self._denominator}'

    def _with(exact, fallback):
        def forward(a, b):
            if isinstance(b, (int, Fraction)):
                return exact(a, b)
            if isinstance(b, float):
                return fallback(float(a), b)
            if isinstance(b, complex):
                return fallback(complex(a), b)
            return NotImplemented

        def reverse(b, a):
            if isinstance(a, numbers.Rational):
                return exact(a, b)
            if isinstance(a, numbers.Real):
                return fallback(float(a), float(b))
            if isinstance(a, numbers.Complex):
                return fallback(complex(a), complex(b))
            return NotImplemented
        forward.__name__, reverse.__name__ = f'__{fallback.__name__}__', f'__r{fallback.__name__}__'
        return forward, reverse

    def _add(a, b):
        return Fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)

    def _sub(a, b):
        return Fraction(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator)

    def _mul(a, b):
        return Fraction(a.numerator * b.numerator, a.denominator * b.denominator)

    def _div(a, b):
        return Fraction(a.numerator * b.denominator, a.denominator * b.numerator)

    def _floordiv(a, b):
        return a.numerator * b.denominator // (a.denominator * b.numerator)

    def _divmod(a, b):
        quotient, rest = divmod(a.numerator * b.denominator, a.denominator * b.numerator)
        return quotient, Fraction(rest, a.denominator * b.denominator)

    def _mod(a, b):
        return Fraction(a.numerator * b.denominator % (b.numerator * a.denominator), a.denominator * b.denominator)

    __add__, __radd__ = _with(_add, operator.add)
    __sub__, __rsub__ = _with(_sub, operator.sub)
    __mul__, __rmul__ = _with(_mul, operator.mul)
    __truediv__, __rtruediv__ = _with(_div, operator.truediv)
    __floordiv__, __rfloordiv__ = _with(_floordiv, operator.floordiv)
    __divmod__, __rdivmod__ = _with(_divmod, divmod)
    __mod__, __rmod__ = _with(_mod, operator.mod)

    def __pow__(a, b):
        if not isinstance(b, numbers.Rational):
            return float(a) ** b
        if b.denominator != 1:
            return float(a) ** float(b)
        power = b.numerator
        if power >= 0:
            return Fraction(a._numerator ** power, a._denominator ** power)
        return Fraction(a._denominator ** -power, a._numerator ** -power)

    def __rpow__(b, a):
        if b._denominator == 1 and b._numerator >= 0:
            return a ** b._numerator
        if isinstance(a, numbers.Rational):
            return Fraction(a.numerator, a.denominator) ** b
        return a ** b._numerator if b._denominator == 1 else a ** float(b)

    def __pos__(a):
        return Fraction(a._numerator, a._denominator)

    def __neg__(a):
        return Fraction(-a._numerator, a._denominator)

    def __abs__(a):
        return Fraction(abs(a._numerator), a._denominator)

    def __int__(a):
        return -(-a._numerator // a._denominator) if a._numerator < 0 else a._numerator // a._denominator

    __trunc__ = __int__

    def __floor__(a):
        return a._numerator // a._denominator

    def __ceil__(a):
        return -(-a._numerator // a._denominator)

    def __float__(a):
        return a._numerator / a._denominator

    def __complex__(a):
        return complex(float(a))

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, rest = divmod(self._numerator, self._denominator)
            if rest * 2 < self._denominator:
                return floor
            if rest * 2 > self._denominator:
                return floor + 1
            return floor if floor % 2 == 0 else floor + 1
        shift = 10 ** abs(ndigits)
        return Fraction(round(self * shift), shift) if ndigits > 0 else Fraction(round(self / shift) * shift)

    def __hash__(self):
        return hash(self._numerator) if self._denominator == 1 else hash((self._numerator, self._denominator))

    def __eq__(a, b):
        if type(b) is int:
            return a._numerator == b and a._denominator == 1
        if isinstance(b, numbers.Rational):
            return a._numerator == b.numerator and a._denominator == b.denominator
        if isinstance(b, complex) and b.imag == 0:
            b = b.real
        if isinstance(b, float):
            return 0.0 == b if math.isnan(b) or math.isinf(b) else a == Fraction(b)
        return NotImplemented

    def _compared(self, other, op):
        if isinstance(other, numbers.Rational):
            return op(self._numerator * other.denominator, self._denominator * other.numerator)
        if isinstance(other, float):
            return op(0.0, other) if math.isnan(other) or math.isinf(other) else op(self, Fraction(other))
        return NotImplemented

    def __lt__(a, b):
        return a._compared(b, operator.lt)

    def __gt__(a, b):
        return a._compared(b, operator.gt)

    def __le__(a, b):
        return a._compared(b, operator.le)

    def __ge__(a, b):
        return a._compared(b, operator.ge)

    def __bool__(a):
        return bool(a._numerator)

    def __reduce__(self):
        return type(self), (self._numerator, self._denominator)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self
