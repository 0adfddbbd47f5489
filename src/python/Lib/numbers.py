"""The kinds of numbers as abstract classes."""

from abc import ABCMeta, abstractmethod

__all__ = ['Number', 'Complex', 'Real', 'Rational', 'Integral']


class Number(metaclass=ABCMeta):
    __slots__ = ()
    __hash__ = None


def _kind(name, base, methods, **more):
    return ABCMeta(name, (base,), {'__module__': 'numbers', '__slots__': (),
                                   **{it: abstractmethod(lambda self, *args: None) for it in methods.split()}, **more})


Complex = _kind('Complex', Number, '__complex__ real imag __add__ __radd__ __neg__ __pos__ __mul__ __rmul__ __truediv__ '
                '__rtruediv__ __pow__ __rpow__ __abs__ conjugate __eq__', __bool__=lambda self: self != 0,
                __sub__=lambda self, other: self + -other, __rsub__=lambda self, other: -self + other)
Real = _kind('Real', Complex, '__float__ __trunc__ __floor__ __ceil__ __round__ __floordiv__ __rfloordiv__ __mod__ __rmod__ '
             '__lt__ __le__', __complex__=lambda self: complex(float(self)), real=property(lambda self: +self),
             imag=property(lambda self: 0), conjugate=lambda self: +self,
             __divmod__=lambda self, other: (self // other, self % other))
Rational = _kind('Rational', Real, 'numerator denominator', __float__=lambda self: int(self.numerator) / int(self.denominator))
Integral = _kind('Integral', Rational, '__int__ __lshift__ __rlshift__ __rshift__ __rrshift__ __and__ __rand__ __xor__ '
                 '__rxor__ __or__ __ror__ __invert__', __index__=lambda self: int(self), __float__=lambda self: float(int(self)),
                 numerator=property(lambda self: +self), denominator=property(lambda self: 1))
Complex.register(complex)
Real.register(float)
Integral.register(int)
