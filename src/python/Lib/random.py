"""Random numbers: CPython's own sequence for a seed."""

from _random import Random as _Generator
from bisect import bisect
from itertools import accumulate, repeat
from math import acos, ceil, cos, e, exp, floor, isfinite, log, pi, sin, sqrt
from operator import index
from collections.abc import Sequence
from warnings import warn

__all__ = ['Random', 'SystemRandom', 'betavariate', 'choice', 'choices', 'expovariate', 'gammavariate', 'gauss',
           'getrandbits', 'getstate', 'lognormvariate', 'normalvariate', 'paretovariate', 'randbytes', 'randint', 'random',
           'randrange', 'sample', 'seed', 'setstate', 'shuffle', 'triangular', 'uniform', 'vonmisesvariate',
           'weibullvariate']

TWOPI = 2.0 * pi
NV_MAGICCONST = 4 * exp(-0.5) / sqrt(2.0)
LOG4 = log(4.0)
SG_MAGICCONST = 1.0 + log(4.5)


def _integer(value, position):
    # A float that is whole is still accepted.
    try:
        return index(value)
    except TypeError:
        result = int(value)
        if result != value:
            warn('randrange() will raise TypeError in the future', DeprecationWarning, 3)
            raise ValueError(f'non-integer {("arg 1", "stop", "step")[position - 1]} for randrange()') from None
        warn('non-integer arguments to randrange() have been deprecated since Python 3.10 and will be removed in a subsequent '
             'version', DeprecationWarning, 3)
        return result


class Random(_Generator):
    VERSION = 3

    def __init__(self, x=None):
        self.seed(x)
        self.gauss_next = None

    def seed(self, a=None, version=2):
        if version == 1:
            raise NotImplementedError('random.seed(version=1) is not in this Python')
        super().seed(a)
        self.gauss_next = None

    def getstate(self):
        return self.VERSION, super().getstate(), self.gauss_next

    def setstate(self, state):
        version = state[0]
        if version != 3:
            raise ValueError(f'state with version {version} passed to Random.setstate() of version {self.VERSION}')
        super().setstate(state[1])
        self.gauss_next = state[2]

    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, 'little')

    def randrange(self, start, stop=None, step=1):
        start = _integer(start, 1)
        if stop is None:
            if step != 1:
                raise TypeError('Missing a non-None stop argument')
            if start > 0:
                return self._randbelow(start)
            raise ValueError('empty range for randrange()')
        stop, step = _integer(stop, 2), _integer(step, 3)
        width = stop - start
        if step == 1:
            if width > 0:
                return start + self._randbelow(width)
            raise ValueError(f'empty range for randrange() ({start}, {stop}, {width})')
        if step == 0:
            raise ValueError('zero step for randrange()')
        n = (width + step - (1 if step > 0 else -1)) // step
        if n <= 0:
            raise ValueError('empty range for randrange()')
        return start + step * self._randbelow(n)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError('Cannot choose from an empty sequence')
        return seq[self._randbelow(len(seq))]

    def shuffle(self, x):
        for i in reversed(range(1, len(x))):
            j = self._randbelow(i + 1)
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k, *, counts=None):
        if not isinstance(population, Sequence):
            raise TypeError('Population must be a sequence.  For dicts or sets, use sorted(d).')
        n = len(population)
        if counts is not None:
            sums = list(accumulate(counts))
            if len(sums) != n:
                raise ValueError('The number of counts does not match the population')
            total = sums.pop() if sums else 0
            if not isinstance(total, int):
                raise TypeError('Counts must be integers')
            if total <= 0:
                raise ValueError('Total of counts must be greater than zero')
            return [population[bisect(sums, s)] for s in self.sample(range(total), k=k)]
        if not 0 <= k <= n:
            raise ValueError('Sample larger than population or is negative')
        # A small population is copied and its chosen places are filled again; a large one is asked until a place is new.
        setsize = 21
        if k > 5:
            setsize += 4 ** ceil(log(k * 3, 4))
        result = [None] * k
        if n <= setsize:
            pool = list(population)
            for i in range(k):
                j = self._randbelow(n - i)
                result[i] = pool[j]
                pool[j] = pool[n - i - 1]
        else:
            chosen = set()
            for i in range(k):
                j = self._randbelow(n)
                while j in chosen:
                    j = self._randbelow(n)
                chosen.add(j)
                result[i] = population[j]
        return result

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if cum_weights is None:
            if weights is None:
                n += 0.0
                return [population[floor(self.random() * n)] for _ in repeat(None, k)]
            try:
                cum_weights = list(accumulate(weights))
            except TypeError:
                if not isinstance(weights, int):
                    raise
                raise TypeError(f'The number of choices must be a keyword argument: k={weights!r}') from None
        elif weights is not None:
            raise TypeError('Cannot specify both weights and cumulative weights')
        if len(cum_weights) != n:
            raise ValueError('The number of weights does not match the population')
        total = cum_weights[-1] + 0.0
        if total <= 0.0:
            raise ValueError('Total of weights must be greater than zero')
        if not isfinite(total):
            raise ValueError('Total of weights must be finite')
        return [population[bisect(cum_weights, self.random() * total, 0, n - 1)] for _ in repeat(None, k)]

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        try:
            c = 0.5 if mode is None else (mode - low) / (high - low)
        except ZeroDivisionError:
            return low
        if u > c:
            u, c = 1.0 - u, 1.0 - c
            low, high = high, low
        return low + (high - low) * sqrt(u * c)

    def normalvariate(self, mu=0.0, sigma=1.0):
        while True:
            u1 = self.random()
            u2 = 1.0 - self.random()
            z = NV_MAGICCONST * (u1 - 0.5) / u2
            if z * z / 4.0 <= -log(u2):
                return mu + z * sigma

    def gauss(self, mu=0.0, sigma=1.0):
        z = self.gauss_next
        self.gauss_next = None
        if z is None:
            x2pi = self.random() * TWOPI
            g2rad = sqrt(-2.0 * log(1.0 - self.random()))
            z = cos(x2pi) * g2rad
            self.gauss_next = sin(x2pi) * g2rad
        return mu + z * sigma

    def lognormvariate(self, mu, sigma):
        return exp(self.normalvariate(mu, sigma))

    def expovariate(self, lambd):
        return -log(1.0 - self.random()) / lambd

    def vonmisesvariate(self, mu, kappa):
        if kappa <= 1e-6:
            return TWOPI * self.random()
        s = 0.5 / kappa
        r = s + sqrt(1.0 + s * s)
        while True:
            z = cos(pi * self.random())
            d = z / (r + z)
            u2 = self.random()
            if u2 < 1.0 - d * d or u2 <= (1.0 - d) * exp(d):
                break
        q = 1.0 / r
        f = (q + z) / (1.0 + q * z)
        return (mu + acos(f)) % TWOPI if self.random() > 0.5 else (mu - acos(f)) % TWOPI

    def gammavariate(self, alpha, beta):
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError('gammavariate: alpha and beta must be > 0.0')
        if alpha > 1.0:
            ainv = sqrt(2.0 * alpha - 1.0)
            bbb = alpha - LOG4
            ccc = alpha + ainv
            while True:
                u1 = self.random()
                if not 1e-7 < u1 < 0.9999999:
                    continue
                u2 = 1.0 - self.random()
                v = log(u1 / (1.0 - u1)) / ainv
                x = alpha * exp(v)
                z = u1 * u1 * u2
                r = bbb + ccc * v - x
                if r + SG_MAGICCONST - 4.5 * z >= 0.0 or r >= log(z):
                    return x * beta
        if alpha == 1.0:
            return -log(1.0 - self.random()) * beta
        while True:
            u = self.random()
            b = (e + alpha) / e
            p = b * u
            x = p ** (1.0 / alpha) if p <= 1.0 else -log((b - p) / alpha)
            u1 = self.random()
            if p > 1.0:
                if u1 <= x ** (alpha - 1.0):
                    return x * beta
            elif u1 <= exp(-x):
                return x * beta

    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0

    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * (-log(1.0 - self.random())) ** (1.0 / beta)


class SystemRandom(Random):
    def seed(self, *args, **kwds):
        super().seed(None)


_inst = Random()
for _name in __all__[2:]:
    globals()[_name] = getattr(_inst, _name)
