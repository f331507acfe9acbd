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


def fit(f, hi, degree, exact_at_zero):
    """Coefficients, lowest first, of a polynomial for f on [0, hi]; with exact_at_zero the first is f(0)."""
    if exact_at_zero:
        f0 = f(0.0)
        rest = fit(lambda x: (f(x) - f0) / x, hi, degree - 1, False)
        return [f0] + rest
    n = degree + 1
    xs = [hi / 2 * (1 + math.cos(math.pi * (2 * k + 1) / (2 * n))) for k in range(n)]
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


report("arc", arc, 0.501, 7)
report("sinc", sinc, 2.5, 4)
report("inverse_sinc", inverse_sinc, 0.501, 5)
report("inverse_sinc", inverse_sinc, 0.501, 9)
report("cosine", cosine, 2.46, 5)
