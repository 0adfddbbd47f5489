"""Measures how long a short piece of program runs."""

import time

__all__ = ['Timer', 'timeit', 'repeat', 'default_timer']

default_timer = time.perf_counter
default_number = 1000000
default_repeat = 5


class Timer:
    def __init__(self, stmt='pass', setup='pass', timer=default_timer, globals=None):
        self.timer = timer
        self._globals = {} if globals is None else globals
        self._setup, self._stmt = self._as_function(setup), self._as_function(stmt)

    def _as_function(self, what):
        if callable(what):
            return what
        if not isinstance(what, str):
            raise ValueError('stmt is neither a string nor callable')
        code = compile(what, '<timeit-src>', 'exec')
        return lambda: exec(code, self._globals)

    def timeit(self, number=default_number):
        run, timer = self._stmt, self.timer
        self._setup()
        begin = timer()
        for _ in range(number):
            run()
        return timer() - begin

    def repeat(self, repeat=default_repeat, number=default_number):
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self, callback=None):
        unit = 1
        while True:
            for number in (unit, unit * 2, unit * 5):
                taken = self.timeit(number)
                if callback:
                    callback(number, taken)
                if taken >= 0.2:
                    return number, taken
            unit *= 10


def timeit(stmt='pass', setup='pass', timer=default_timer, number=default_number, globals=None):
    return Timer(stmt, setup, timer, globals).timeit(number)


def repeat(stmt='pass', setup='pass', timer=default_timer, repeat=default_repeat, number=default_number, globals=None):
    return Timer(stmt, setup, timer, globals).repeat(repeat, number)
