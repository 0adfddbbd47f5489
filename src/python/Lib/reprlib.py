"""Texts of containers that hold themselves."""

__all__ = ['recursive_repr']


def recursive_repr(fillvalue='...'):
    def decorate(function):
        running = set()

        def wrapper(self):
            key = id(self)
            if key in running:
                return fillvalue
            running.add(key)
            try:
                return function(self)
            finally:
                running.discard(key)
        for name in ('__module__', '__doc__', '__name__', '__qualname__'):
            setattr(wrapper, name, getattr(function, name))
        return wrapper
    return decorate


