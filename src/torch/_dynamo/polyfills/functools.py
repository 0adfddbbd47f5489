"""Functions of `functools` as Python texts. Mirrors torch/_dynamo/polyfills/functools.py."""

_missing = object()


def reduce(function, iterable, initial=_missing, /):
    it = iter(iterable)
    if initial is _missing:
        try:
            value = next(it)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    else:
        value = initial
    for element in it:
        value = function(value, element)
    return value
