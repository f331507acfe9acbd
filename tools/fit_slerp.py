#!/usr/bin/env python3
"""Fits the polynomials of src/math/lanes_math.h and prints them as C++ with their errors.

Chebyshev interpolation in double: within a small factor of the best polynomial, which is more than float needs.
Run without arguments; needs nothing but Python 3.
"""
import math
import struct


def to_float(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def arc(y):
    """(theta / 2)^2 / y where y = sin(theta / 2)^2: turns the squared half chord into the squared half angle."""
    if y < 1e-12:
        return 1.0
    return math.asin(math.sqrt(y)) ** 2 / y


def sinc(x):
    """sin(a) / a where x = a^2."""
    if x < 1e-12:
        return 1.0
    a = math.sqrt(x)
    return math.sin(a) / a


def inverse_sinc(y):
    """theta / sin(theta) where y = sin(theta / 2)^2: what the unscaled slerp must be multiplied by to be unit."""
    if y < 1e-12:
        return 1.0
    a = 2 * math.asin(math.sqrt(y))
    return a / math.sin(a)


def versine_ratio(x):
    """theta / sin(theta) where x = 1 - cos(theta)."""
    return inverse_sinc(x / 2)


def fit(f, hi, degree, exact_at_zero, lo=0.0):
    """Coefficients, lowest first, of a polynomial for f on [lo, hi]; with exact_at_zero the first is f(0)."""
    if exact_at_zero:
        f0 = f(0.0)
        rest = fit(lambda x: (f(x) - f0) / x, hi, degree - 1, False)
        return [f0] + rest
    n = degree + 1
    xs = [lo + (hi - lo) / 2 * (1 + math.cos(math.pi * (2 * k + 1) / (2 * n))) for k in range(n)]
    # Newton's divided differences, then expanded into powers.
    table = [f(x) for x in xs]
    for j in range(1, n):
        for k in range(n - 1, j - 1, -1):
            table[k] = (table[k] - table[k - 1]) / (xs[k] - xs[k - j])
    poly = [0.0]
    for k in range(n - 1, -1, -1):
        shifted = [0.0] + poly
        scaled = [-xs[k] * c for c in poly] + [0.0]
        poly = [a + b for a, b in zip(shifted, scaled)]
        poly[0] += table[k]
    return poly[:n]


def report(name, f, hi, degree):
    coefficients = [to_float(c) for c in fit(f, hi, degree, True)]
    worst = 0.0
    for i in range(20001):
        x = hi * i / 20000
        value = 0.0
        for c in reversed(coefficients):
            value = value * x + c
        worst = max(worst, abs(value - f(x)) / max(f(x), 0.1))
    numbers = ", ".join("%.9gf" % c for c in coefficients)
    print(f"// {name} on [0, {hi}], degree {degree}: relative error {worst:.1e}\n{{{numbers}}}\n")


def cosine(x):
    """cos(a) where x = a^2."""
    return math.cos(math.sqrt(x))


def slerp_rest(s, y):
    """(r - 1 - (2 / 3) p) / (p y) where r = sin(u theta) / (u sin(theta)), p = (1 - s) y, s = u^2, y = sin(theta / 2)^2.

    That is what is left of r beside its first two terms and the zero that r - 1 has at u = 1. The power series of r is
    the hypergeometric function 2F1(1 - u, 1 + u; 3/2; y).
    """
    total, term = 0.0, 2 / 3
    for k in range(2, 80):
        term *= (k * k - s) * 2 / (k * (2 * k + 1))
        total += term
        term *= y
    return total


def report_slerp(lo, hi, y_degree, s_degree):
    """Fits slerp_rest in y at a few s, then each coefficient in s. Prints a row for each power of s.

    The fit may begin above y = 0: there the factor y^2 makes little of its error.
    """
    n = s_degree + 1
    nodes = [(1 + math.cos(math.pi * (2 * k + 1) / (2 * n))) / 2 for k in range(n)]
    at_node = {s: fit(lambda y: slerp_rest(s, y), hi, y_degree, False, lo) for s in nodes}
    nearest = lambda s: min(nodes, key=lambda node: abs(node - s))
    columns = [fit(lambda s: at_node[nearest(s)][k], 1.0, s_degree, False) for k in range(y_degree + 1)]
    rows = [[to_float(column[j]) for column in columns] for j in range(n)]
    worst = 0.0
    for u in [i / 100 for i in range(101)]:
        s = u * u
        powers = [sum(rows[j][k] * s**j for j in range(n)) for k in range(y_degree + 1)]
        for y in [hi * i / 400 for i in range(401)]:
            rest, p = sum(c * y**k for k, c in enumerate(powers)), (1 - s) * y
            worst = max(worst, u * abs((rest - slerp_rest(s, y)) * p * y))
    print(f"// sin(u theta) / sin(theta) on [0, {hi}]: error {worst:.1e}")
    for row in rows:
        print("{" + ", ".join("%.9gf" % c for c in row) + "},")
    print()


report("arc", arc, 0.501, 7)
report("sinc", sinc, 2.5, 4)
report("versine_ratio", versine_ratio, 0.08, 3)
report("inverse_sinc", inverse_sinc, 0.501, 5)
report("inverse_sinc", inverse_sinc, 0.501, 9)
report("cosine", cosine, 2.5, 5)
report_slerp(0.05, 0.167, 3, 3)
report_slerp(0.1, 0.501, 7, 3)
