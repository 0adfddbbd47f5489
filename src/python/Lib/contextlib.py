"""Helpers for `with`."""

import sys
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import _has
from functools import wraps
from types import GenericAlias, MethodType

__all__ = ['contextmanager', 'closing', 'nullcontext', 'AbstractContextManager', 'ContextDecorator', 'ExitStack',
           'redirect_stdout', 'redirect_stderr', 'suppress']


class AbstractContextManager(ABC):
    __class_getitem__ = classmethod(GenericAlias)

    def __enter__(self):
        return self

    @abstractmethod
    def __exit__(self, exc_type, exc_value, traceback):
        return None

    @classmethod
    def __subclasshook__(cls, C):
        return _has(C, '__enter__', '__exit__') if cls is AbstractContextManager else NotImplemented


class ContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @wraps(func)
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)
        return inner


class _GeneratorContextManager(AbstractContextManager, ContextDecorator):
    def __init__(self, func, args, kwds):
        self.gen = func(*args, **kwds)
        self.func, self.args, self.kwds = func, args, kwds
        self.__doc__ = getattr(func, '__doc__', None) or type(self).__doc__

    def _recreate_cm(self):
        return self.__class__(self.func, self.args, self.kwds)

    def __enter__(self):
        del self.args, self.kwds, self.func
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, typ, value, traceback):
        if typ is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        if value is None:
            value = typ()
        try:
            self.gen.throw(value)
        except StopIteration as exc:
            return exc is not value
        except RuntimeError as exc:
            if exc is value:
                exc.__traceback__ = traceback
                return False
            # The machine turns a StopIteration that leaves a generator into a RuntimeError.
            if isinstance(value, StopIteration) and exc.__cause__ is value:
                value.__traceback__ = traceback
                return False
            raise
        except BaseException as exc:
            if exc is not value:
                raise
            exc.__traceback__ = traceback
            return False
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(func):
    @wraps(func)
    def helper(*args, **kwds):
        return _GeneratorContextManager(func, args, kwds)
    return helper


class closing(AbstractContextManager):
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


class _RedirectStream(AbstractContextManager):
    def __init__(self, new_target):
        self._new_target = new_target
        self._old_targets = []

    def __enter__(self):
        self._old_targets.append(getattr(sys, self._stream))
        setattr(sys, self._stream, self._new_target)
        return self._new_target

    def __exit__(self, exctype, excinst, exctb):
        setattr(sys, self._stream, self._old_targets.pop())


class redirect_stdout(_RedirectStream):
    _stream = 'stdout'


class redirect_stderr(_RedirectStream):
    _stream = 'stderr'


class suppress(AbstractContextManager):
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, exctype, excinst, exctb):
        return exctype is not None and issubclass(exctype, self._exceptions)


class nullcontext(AbstractContextManager):
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass


class ExitStack(AbstractContextManager):
    def __init__(self):
        self._exit_callbacks = deque()

    def pop_all(self):
        new_stack = type(self)()
        new_stack._exit_callbacks, self._exit_callbacks = self._exit_callbacks, deque()
        return new_stack

    def push(self, exit):
        method = getattr(type(exit), '__exit__', None)
        self._exit_callbacks.append(exit if method is None else MethodType(method, exit))
        return exit

    def enter_context(self, cm):
        cls = type(cm)
        try:
            enter, exit = cls.__enter__, cls.__exit__
        except AttributeError:
            raise TypeError(f"'{cls.__module__}.{cls.__qualname__}' object does not support the context manager "
                            'protocol') from None
        result = enter(cm)
        self._exit_callbacks.append(MethodType(exit, cm))
        return result

    def callback(self, callback, /, *args, **kwds):
        self._exit_callbacks.append(lambda exc_type, exc, tb: callback(*args, **kwds) and False)
        return callback

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, *exc_details):
        received = exc_details[0] is not None
        outside = sys.exc_info()[1]
        suppressed = pending = False
        while self._exit_callbacks:
            exit = self._exit_callbacks.pop()
            try:
                if exit(*exc_details):
                    suppressed, pending = True, False
                    exc_details = None, None, None
            except BaseException as exc:
                # Its context is the exception before it, not the one around the whole statement.
                context, old = exc, exc_details[1]
                while context.__context__ is not None and context.__context__ not in (old, outside):
                    context = context.__context__
                if context.__context__ is not old and context is not old:
                    context.__context__ = old
                pending = True
                exc_details = type(exc), exc, exc.__traceback__
        if pending:
            fixed = exc_details[1].__context__
            try:
                raise exc_details[1]
            except BaseException:
                exc_details[1].__context__ = fixed
                raise
        return received and suppressed


