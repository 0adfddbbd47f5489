"""Contexts as decorators of Python functions.

A generator does not run where it is called, but each time it is asked. So its context is entered for each such step and left again.
"""

import functools
import inspect
import sys
import warnings


def _wrap_generator(ctx_factory, func):
    @functools.wraps(func)
    def generator_context(*args, **kwargs):
        generator = func(*args, **kwargs)
        step, given = generator.send, (None,)
        while True:
            try:
                with ctx_factory():
                    answer = step(*given)
            except StopIteration as end:
                return end.value
            try:
                request = yield answer
            except GeneratorExit:
                with ctx_factory():
                    generator.close()
                raise
            except BaseException:
                step, given = generator.throw, sys.exc_info()
            else:
                step, given = generator.send, (request,)
    return generator_context


def context_decorator(ctx, func):
    """`func` inside a context that `ctx()` makes at each call."""
    if inspect.isclass(func):
        raise RuntimeError('Cannot decorate classes; it is ambiguous whether or not only the constructor or all methods should have the '
                           'context manager applied; additionally, decorating a class at definition-site will prevent use of the '
                           'identifier as a conventional type.  To specify which methods to decorate, decorate each of them individually.')
    if inspect.isgeneratorfunction(func):
        return _wrap_generator(ctx, func)

    @functools.wraps(func)
    def decorate_context(*args, **kwargs):
        with ctx():
            return func(*args, **kwargs)
    return decorate_context


def _decorate(orig_func, clone):
    if not inspect.isclass(orig_func):
        return context_decorator(clone, orig_func)
    warnings.warn('Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions or methods. '
                  'To preserve the current behavior of class decoration, you can directly decorate the `__init__` method and nothing else.',
                  FutureWarning, stacklevel=2)
    return context_decorator(clone, lambda *args, **kwargs: orig_func(*args, **kwargs))
