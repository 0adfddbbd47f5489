"""Functions that run when the program has ended, the last one first."""

import sys
import _machine

_functions = []


def register(func, /, *args, **kwargs):
    if not callable(func):
        raise TypeError('the first argument must be callable')
    _functions.append((func, args, kwargs))
    _machine.at_exit(_run_exitfuncs)
    return func


def unregister(func, /):
    _functions[:] = [it for it in _functions if it[0] != func]


def _clear():
    _functions.clear()


def _ncallbacks():
    return len(_functions)


def _run_exitfuncs():
    while _functions:
        func, args, kwargs = _functions.pop()
        try:
            func(*args, **kwargs)
        except Exception:
            import traceback
            sys.stderr.write(f'Exception ignored in atexit callback: {func!r}\n')
            traceback.print_exc()
