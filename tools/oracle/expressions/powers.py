"""Finds powers that the C library does not round to the nearest double. CPython leaves `x ** y` of floats to it, and its last bit is no rule."""

import ast
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
getcontext().Emin = -(10**6)
getcontext().Emax = 10**6


def nearest(x, y):
    """x ** y for a positive x, rounded once."""
    if y.is_integer() and abs(y) <= 64:
        return float(Fraction(x) ** int(y))
    return float((Decimal(x).ln() * Decimal(y)).exp())


def is_rounded(base, exponent):
    if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0:
        return True
    try:
        x, y = abs(float(base)), float(exponent)
        result = abs(float(base) ** float(exponent))
        if x == 0 or isinstance(float(base) ** float(exponent), complex):
            return True
        return result == nearest(x, y)
    except (ArithmeticError, ValueError, TypeError):
        return True


def has_unrounded_power(text):
    """Whether an expression calculates a power whose last bit the C library chose otherwise."""
    if "**" not in text and "pow(" not in text:
        return False
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            pair = node.left, node.right
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "pow" and len(node.args) == 2:
            pair = node.args
        else:
            continue
        try:
            base, exponent = (eval(compile(ast.Expression(part), "", "eval")) for part in pair)
        except Exception:
            continue
        if not is_rounded(base, exponent):
            return True
    return False
