"""Averages and spreads, computed with exact fractions and rounded once."""

import math
import random
from bisect import bisect_left, bisect_right
from collections import Counter, namedtuple

__all__ = ['NormalDist', 'StatisticsError', 'correlation', 'covariance', 'fmean', 'geometric_mean', 'harmonic_mean',
           'linear_regression', 'mean', 'median', 'median_grouped', 'median_high', 'median_low', 'mode', 'multimode',
           'pstdev', 'pvariance', 'quantiles', 'stdev', 'variance']


class StatisticsError(ValueError):
    pass


def _ratio(x):
    # An int or float as numerator and denominator; what is not finite has the denominator None.
    try:
        return x.as_integer_ratio()
    except (OverflowError, ValueError):
        return x, None
    except AttributeError:
        raise TypeError(f"can't convert type '{type(x).__name__}' to numerator/denominator") from None


def _kind(T, S):
    return S if T is int or T is bool else T


def _exact_sum(data):
    kind, partials, count = int, {}, 0
    for x in data:
        count += 1
        kind = float if type(x) is float else kind
        n, d = _ratio(x)
        partials[d] = partials.get(d, 0) + n
    if None in partials:
        return kind, (partials[None], None), count
    low = max(partials, default=1)
    low = math.lcm(low, *partials)
    return kind, (sum(n * (low // d) for d, n in partials.items()), low), count


def _convert(n, d, kind):
    if d is None:
        return n
    return n // d if kind is int and n % d == 0 else n / d


def mean(data):
    kind, (n, d), count = _exact_sum(data)
    if count < 1:
        raise StatisticsError('mean requires at least one data point')
    return n if d is None else _convert(n, d * count, kind)


def fmean(data, weights=None):
    data = list(data)
    if weights is None:
        if not data:
            raise StatisticsError('fmean requires at least one data point')
        return math.fsum(data) / len(data)
    weights = list(weights)
    if len(data) != len(weights):
        raise StatisticsError('data and weights must be the same length')
    total = math.fsum(weights)
    if not total:
        raise StatisticsError('sum of weights must be non-zero')
    return math.fsum(x * w for x, w in zip(data, weights)) / total


def geometric_mean(data):
    try:
        return math.exp(fmean(map(math.log, data)))
    except ValueError:
        raise StatisticsError('geometric mean requires a non-empty dataset containing positive numbers') from None


def harmonic_mean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError('harmonic_mean requires at least one data point')
    weights = [1] * len(data) if weights is None else list(weights)
    if len(weights) != len(data):
        raise StatisticsError('Number of weights does not match data size')
    if any(x < 0 for x in data):
        raise StatisticsError('harmonic mean does not support negative values')
    if len(data) == 1 and weights == [1]:
        return data[0]
    if any(x == 0 for x in data):
        return 0
    kind, (n, d), count = _exact_sum(w / x if w else 0 for w, x in zip(weights, data))
    kind, (tn, td), count = _exact_sum(weights)
    return _convert(tn * d, td * n, float)


def median(data):
    data = sorted(data)
    n = len(data)
    if n == 0:
        raise StatisticsError('no median for empty data')
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def median_low(data):
    data = sorted(data)
    if not data:
        raise StatisticsError('no median for empty data')
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = sorted(data)
    if not data:
        raise StatisticsError('no median for empty data')
    return data[len(data) // 2]


def median_grouped(data, interval=1):
    data = sorted(data)
    n = len(data)
    if not n:
        raise StatisticsError('no median for empty data')
    x = data[n // 2]
    i, j = bisect_left(data, x), bisect_right(data, x)
    return float(x) - float(interval) / 2.0 + float(interval) * (n / 2 - i) / (j - i)


def mode(data):
    pairs = Counter(iter(data)).most_common(1)
    try:
        return pairs[0][0]
    except IndexError:
        raise StatisticsError('no mode for empty data') from None


def multimode(data):
    counts = Counter(iter(data))
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]


def quantiles(data, *, n=4, method='exclusive'):
    if n < 1:
        raise StatisticsError('n must be at least 1')
    data = sorted(data)
    ld = len(data)
    if ld < 2:
        raise StatisticsError('must have at least two data points')
    if method == 'inclusive':
        m, result = ld - 1, []
        for i in range(1, n):
            j, delta = divmod(i * m, n)
            result.append((data[j] * (n - delta) + data[j + 1] * delta) / n)
        return result
    if method == 'exclusive':
        m, result = ld + 1, []
        for i in range(1, n):
            j = min(max(i * m // n, 1), ld - 1)
            delta = i * m - j * n
            result.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
        return result
    raise ValueError(f'Unknown method: {method!r}')


def _squares(data, c):
    # The exact sum of squared distances, as a fraction, and the count.
    data = list(data)
    kind, (n, d), count = _exact_sum(data)
    if d is None or c is not None and _ratio(c)[1] is None:
        return kind, (math.nan, None), count
    squares, low = 0, 1
    if c is None:
        cn, cd = n, d * max(count, 1)
    else:
        cn, cd = _ratio(c)
        kind = _kind(kind, type(c))
    terms = {}
    for x in data:
        xn, xd = _ratio(x)
        terms[xd] = terms.get(xd, 0) + (xn * cd - cn * xd) ** 2
    low = math.lcm(1, *terms)
    total = sum(term * (low // xd) ** 2 for xd, term in terms.items())
    return kind, (total, (low * cd) ** 2), count


def _variance(data, c, count_less, message, least):
    kind, (n, d), count = _squares(data, c)
    if count < least:
        raise StatisticsError(message)
    return kind, n, d if d is None else d * (count - count_less)


def variance(data, xbar=None):
    kind, n, d = _variance(data, xbar, 1, 'variance requires at least two data points', 2)
    return _convert(n, d, kind)


def pvariance(data, mu=None):
    kind, n, d = _variance(data, mu, 0, 'pvariance requires at least one data point', 1)
    return _convert(n, d, kind)


def _root(n, d):
    # The square root of a fraction, rounded once: enough bits, and the last one set if the root is not exact.
    if d is None:
        return n
    shift = (n.bit_length() - d.bit_length() - 109) // 2
    if shift >= 0:
        a, b = n, d << 2 * shift
    else:
        a, b = n << -2 * shift, d
    root = math.isqrt(a // b)
    root |= root * root * b != a
    return root * (1 << shift) / 1 if shift >= 0 else root / (1 << -shift)


def stdev(data, xbar=None):
    kind, n, d = _variance(data, xbar, 1, 'stdev requires at least two data points', 2)
    return _root(n, d)


def pstdev(data, mu=None):
    kind, n, d = _variance(data, mu, 0, 'pstdev requires at least one data point', 1)
    return _root(n, d)


def _two(x, y, name):
    n = len(x)
    if len(y) != n:
        raise StatisticsError(f'{name} requires that both inputs have same number of data points')
    if n < 2:
        raise StatisticsError(f'{name} requires at least two data points')
    xbar, ybar = math.fsum(x) / n, math.fsum(y) / n
    return n, xbar, ybar


def covariance(x, y, /):
    n, xbar, ybar = _two(x, y, 'covariance')
    return math.fsum((xi - xbar) * (yi - ybar) for xi, yi in zip(x, y)) / (n - 1)


def correlation(x, y, /):
    n, xbar, ybar = _two(x, y, 'correlation')
    sxy = math.fsum((xi - xbar) * (yi - ybar) for xi, yi in zip(x, y))
    sxx = math.fsum((d := xi - xbar) * d for xi in x)
    syy = math.fsum((d := yi - ybar) * d for yi in y)
    try:
        return sxy / math.sqrt(sxx * syy)
    except ZeroDivisionError:
        raise StatisticsError('at least one of the inputs is constant')


LinearRegression = namedtuple('LinearRegression', ('slope', 'intercept'))


def linear_regression(x, y, /, *, proportional=False):
    n, xbar, ybar = _two(x, y, 'linear regression')
    if proportional:
        xbar = ybar = 0.0
    sxy = math.fsum((xi - xbar) * (yi - ybar) for xi, yi in zip(x, y))
    sxx = math.fsum((d := xi - xbar) * d for xi in x)
    try:
        slope = sxy / sxx
    except ZeroDivisionError:
        raise StatisticsError('x is constant')
    return LinearRegression(slope=slope, intercept=0.0 if proportional else ybar - slope * xbar)


class NormalDist:
    def __init__(self, mu=0.0, sigma=1.0):
        if sigma < 0.0:
            raise StatisticsError('sigma must be non-negative')
        self._mu, self._sigma = float(mu), float(sigma)

    @classmethod
    def from_samples(cls, data):
        data = list(data)
        return cls(fmean(data), stdev(data))

    mean = property(lambda self: self._mu)
    median = property(lambda self: self._mu)
    mode = property(lambda self: self._mu)
    stdev = property(lambda self: self._sigma)
    variance = property(lambda self: self._sigma * self._sigma)

    def samples(self, n, *, seed=None):
        gauss = random.gauss if seed is None else random.Random(seed).gauss
        return [gauss(self._mu, self._sigma) for _ in range(n)]

    def pdf(self, x):
        variance = self._sigma * self._sigma
        if not variance:
            raise StatisticsError('pdf() not defined when sigma is zero')
        diff = x - self._mu
        return math.exp(diff * diff / (-2.0 * variance)) / math.sqrt(2.0 * math.pi * variance)

    def cdf(self, x):
        if not self._sigma:
            raise StatisticsError('cdf() not defined when sigma is zero')
        return 0.5 * (1.0 + math.erf((x - self._mu) / (self._sigma * math.sqrt(2.0))))

    def zscore(self, x):
        if not self._sigma:
            raise StatisticsError('zscore() not defined when sigma is zero')
        return (x - self._mu) / self._sigma

    def __add__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu + other._mu, math.hypot(self._sigma, other._sigma))
        return NormalDist(self._mu + other, self._sigma)

    def __sub__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu - other._mu, math.hypot(self._sigma, other._sigma))
        return NormalDist(self._mu - other, self._sigma)

    def __mul__(self, other):
        return NormalDist(self._mu * other, self._sigma * math.fabs(other))

    def __truediv__(self, other):
        return NormalDist(self._mu / other, self._sigma / math.fabs(other))

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other):
        if not isinstance(other, NormalDist):
            return NotImplemented
        return self._mu == other._mu and self._sigma == other._sigma

    def __hash__(self):
        return hash((self._mu, self._sigma))

    def __repr__(self):
        return f'{type(self).__name__}(mu={self._mu!r}, sigma={self._sigma!r})'
