"""The coefficients of src/aten/cpu/vec/{trigonometry,inverse_trigonometry,erf,lgamma}.ts and of erf in src/c10/util/math.ts: polynomials with the least greatest error (Remez's exchange),
a fraction for normal_cdf, and 1 / pi in parts. Prints each with its greatest error, as a power of two.

    python tools/oracle/fit_vector_functions.py            (mpmath 1.3.0)
"""

import mpmath as mp

mp.mp.dps = 120


def remez(f, weight, a, b, degree, grid=1000):
    """c with the least greatest |weight(x) (f(x) - sum c_i x^i)| from a to b, and that."""
    def chebyshev(count):
        return [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * i / count) for i in range(count + 1)]

    xs = chebyshev(grid)
    fs = [f(x) for x in xs]
    ws = [weight(x) for x in xs]
    points = chebyshev(degree + 1)
    while True:
        m = len(points)
        system = mp.matrix(m, m)
        for i, x in enumerate(points):
            for j in range(degree + 1):
                system[i, j] = x**j
            system[i, m - 1] = (-1) ** i / weight(x)
        solved = list(mp.lu_solve(system, mp.matrix([f(x) for x in points])))
        coefficients, level = solved[:-1], abs(solved[-1])
        errors = [w * (y - mp.polyval(coefficients[::-1], x)) for x, y, w in zip(xs, fs, ws)]
        # The places of the greatest errors, of alternating signs.
        places = []
        for i, error in enumerate(errors):
            if not places or (error > 0) != (errors[places[-1]] > 0):
                places.append(i)
            elif abs(error) > abs(errors[places[-1]]):
                places[-1] = i
        while len(places) > m:
            places.pop(0 if abs(errors[places[0]]) < abs(errors[places[-1]]) else -1)
        greatest = max(map(abs, errors))
        if len(places) < m or greatest < level * (1 + mp.mpf(1) / 1000):
            return coefficients, greatest
        points = [xs[i] for i in places]


def lawson(f, weight, end, degrees, grid=120, rounds=100):
    """p and q, q's highest coefficient 1, with nearly the least greatest |weight(x) (f(x) - p(x^2) / q(x^2))| from 0 to end, and that.
    Least squares again and again, with more emphasis where the error was great."""
    m, n = degrees
    unknown = m + n + 1
    xs = [end * (1 - mp.cos(mp.pi * (2 * i + 1) / (2 * grid))) / 2 for i in range(grid)]
    ws = [weight(x) for x in xs]
    rows = [[x ** (2 * j) for j in range(m + 1)] + [-f(x) * x ** (2 * j) for j in range(n + 1)] for x in xs]
    emphasis, below = [mp.mpf(1)] * grid, [mp.mpf(1)] * grid
    best = (None, None, mp.inf)
    for _ in range(rounds):
        normal, right = mp.matrix(unknown, unknown), mp.matrix(unknown, 1)
        for row, e, w, v in zip(rows, emphasis, ws, below):
            scale = e * (w / v) ** 2
            for i in range(unknown):
                right[i] -= scale * row[i] * row[unknown]
                for j in range(unknown):
                    normal[i, j] += scale * row[i] * row[j]
        solved = list(mp.lu_solve(normal, right)) + [mp.mpf(1)]
        below = [mp.polyval(solved[:m:-1], x * x) for x in xs]
        errors = [w * abs(mp.polyval(solved[m::-1], x * x) / v + row[m + 1]) for x, w, v, row in zip(xs, ws, below, rows)]
        if max(errors) < best[2]:
            best = (solved[: m + 1], solved[m + 1 :], max(errors))
        mean = sum(map(mp.fmul, emphasis, errors))
        emphasis = [e * error / mean for e, error in zip(emphasis, errors)]
    return best


def show(name, fitted):
    coefficients, error = fitted
    print(f"{name}   2^{float(mp.log(error, 2)):.1f}")
    for c in coefficients:
        print(f"  {float(c)!r}")


TINY = mp.mpf(10) ** -40


def sine(z):
    """(sin r / r - 1) / r^2, z = r^2"""
    r = mp.sqrt(z)
    return (mp.sin(r) / r - 1) / z if z > TINY else -mp.mpf(1) / 6


def sine_weight(z):
    r = mp.sqrt(z)
    return z * r / mp.sin(r) if z > TINY else TINY


def arcus_tangent(z):
    """(atan t / t - 1) / t^2, z = t^2"""
    t = mp.sqrt(z)
    return (mp.atan(t) / t - 1) / z if z > TINY else -mp.mpf(1) / 3


def arcus_tangent_weight(z):
    t = mp.sqrt(z)
    return z * t / mp.atan(t) if z > TINY else TINY


def erf_near(z):
    """erf x / x - 1, z = x^2"""
    x = mp.sqrt(z)
    return (mp.erf(x) / x if z > TINY else 2 / mp.sqrt(mp.pi)) - 1


def erfc_scaled(t):
    """e^(x^2) erfc x, t = (x - 2.5) / (x + 2.5)"""
    x = mp.mpf(5) / 2 * (1 + t) / (1 - t)
    return mp.exp(x * x) * mp.erfc(x)


def erfc_scaled_for_doubles(t):
    """(1 + 2 x) e^(x^2) erfc x, t = (x - 15/4) / (x + 15/4)"""
    x = mp.mpf(15) / 4 * (1 + t) / (1 - t)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def erfinv_ratio(u):
    """erfinv(x) / x, u = -log2(1 - x^2)"""
    x = mp.sqrt(1 - mp.mpf(2) ** -u)
    return mp.erfinv(x) / x if u > TINY else mp.sqrt(mp.pi) / 2


def lgamma_at_2(w):
    """(log Gamma(2 + w) - w (1 - gamma)) / w^2"""
    return (mp.loggamma(2 + w) - (1 - mp.euler) * w) / w**2 if abs(w) > mp.mpf(10) ** -12 else (mp.zeta(2) - 1) / 2


def stirling(z):
    """x times what Stirling's formula lacks of log Gamma(x), z = 1 / x^2"""
    if z < mp.mpf(10) ** -8:
        return mp.mpf(1) / 12 - z / 360
    x = 1 / mp.sqrt(z)
    return (mp.loggamma(x) - ((x - 0.5) * (mp.log(x) - 1) - 0.5 + mp.log(2 * mp.pi) / 2)) * x


def sine_of_pi(z):
    """sin(pi r) / r, z = r^2"""
    r = mp.sqrt(z)
    return mp.sin(mp.pi * r) / r if z > TINY else mp.pi


def normal_share(x):
    """(Phi(x) - 1/2) / x, of the normal distribution"""
    return mp.erf(x / mp.sqrt(2)) / (2 * x)


def parts_of_one_by_pi():
    """2^(27 j) / pi modulo 2: multiples of 2^-28, of 2^-57, and the rest."""
    for j in range(4):
        c = mp.mpf(2) ** (27 * j) / mp.pi
        c -= 2 * mp.nint(c / 2)
        first = mp.nint(c * 2**28) / 2**28
        second = mp.nint((c - first) * 2**57) / 2**57
        print(f"  {float(first)!r} {float(second)!r} {float(c - first - second)!r}")


def main():
    print("1 / pi")
    parts_of_one_by_pi()
    high = mp.nint(mp.pi * 2**26) / 2**26
    print(f"pi\n  {float(high)!r} {float(mp.pi - high)!r}")
    mp.mp.dps = 50
    show("sin", remez(sine, sine_weight, mp.mpf(0), (mp.pi / 2) ** 2 * mp.mpf("1.00001"), 4))
    eighth = mp.sqrt(2) - 1
    show("atan", remez(arcus_tangent, arcus_tangent_weight, mp.mpf(0), eighth**2 * mp.mpf("1.00001"), 6))
    bound = mp.mpf("0.875")
    show("erf, near", remez(erf_near, lambda z: 1 / (1 + erf_near(z)), mp.mpf(0), bound**2, 5))
    show("erf, far", remez(lambda x: mp.log(mp.erfc(x)) + 2 * x, mp.erfc, bound, mp.mpf(4), 6))
    end = mp.mpf("10.2")
    show("erfc", remez(erfc_scaled, lambda t: 1 / erfc_scaled(t), mp.mpf(-1), (end - 2.5) / (end + 2.5), 12))
    show("erf of doubles, near", remez(erf_near, lambda z: 1 / (1 + erf_near(z)), mp.mpf(0), bound**2, 11))
    *fraction, error = lawson(normal_share, lambda x: max(x, mp.mpf("0.3")), mp.mpf("5.4"), (5, 5))
    for name, coefficients in zip(("above", "below"), fraction):
        show(f"normal_cdf, {name}", (coefficients, error))
    middle_of_logs, most = mp.mpf("6.5"), mp.mpf("23.01")
    show("erfinv, near", remez(erfinv_ratio, lambda u: 1 / erfinv_ratio(u), mp.mpf(0), middle_of_logs, 12, 400))
    roots = (mp.sqrt(middle_of_logs), mp.sqrt(most))
    show("erfinv, far", remez(lambda s: erfinv_ratio(s * s), lambda s: 1 / erfinv_ratio(s * s), *roots, 12, 400))
    show("lgamma", remez(lgamma_at_2, lambda _: mp.mpf(1), mp.mpf("-0.5"), mp.mpf("0.5"), 13, 200))
    show("lgamma, far", remez(stirling, lambda _: mp.mpf(1), mp.mpf(0), 1 / mp.mpf("4.5") ** 2, 6, 200))
    show("sin pi", remez(sine_of_pi, lambda z: 1 / sine_of_pi(z), mp.mpf(0), mp.mpf("0.25"), 7, 200))
    middle, low, high = mp.mpf("3.75"), mp.mpf("0.5"), mp.mpf(28)
    ends = [(x - middle) / (x + middle) for x in (low, high)]
    show("erfc of doubles", remez(erfc_scaled_for_doubles, lambda t: 1 / erfc_scaled_for_doubles(t), *ends, 23, 600))


if __name__ == "__main__":
    main()
