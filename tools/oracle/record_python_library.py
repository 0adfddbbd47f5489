"""Records what CPython 3.11 computes where a program can only show examples: functions of `math` on many arguments, and regular expressions.

    python3.11 tools/oracle/record_python_library.py test/fixtures/python/library.json.gz
"""

import gzip
import json
import math
import random
import re
import sys
import warnings

warnings.simplefilter("ignore")

SPECIAL = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 0.5, -0.5, 2.0, 1e308, 5e-324, 1e-300, 2**60, 10**400, -3, 7, True, "x", None, 1e16, 171.5, 709.9, -745.2, 23.0, 24]
ONE = "acos acosh asin asinh atan atanh cbrt ceil cos cosh degrees erf erfc exp exp2 expm1 fabs floor frexp gamma isfinite isinf isnan lgamma log log10 log1p log2 modf radians sin sinh sqrt tan tanh trunc ulp factorial isqrt".split()
TWO = "atan2 copysign fmod ldexp log nextafter pow remainder comb perm gcd lcm hypot isclose".split()


def encoded(value):
    """A value with its kind: JSON has one kind of number."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, float):
        return {"float": repr(value)}
    return [encoded(it) for it in value]


def called(name, args):
    try:
        result = {"result": encoded(getattr(math, name)(*args))}
    except Exception as e:
        result = {"error": f"{type(e).__name__}: {e}"}
    return {"name": name, "args": encoded(args), **result}


def arguments_of_one(name, rng):
    if name == "factorial":
        return rng.randint(-2, 200)
    if name == "isqrt":
        return rng.getrandbits(rng.randint(1, 300))
    return rng.choice([rng.uniform(-1, 1), rng.uniform(-30, 30), rng.uniform(-200, 200), math.ldexp(rng.random(), rng.randint(-1000, 1000))])


def arguments_of_two(name, rng):
    if name in ("comb", "perm"):
        return [rng.randint(0, 90), rng.randint(0, 90)]
    if name in ("gcd", "lcm"):
        return [rng.getrandbits(80) * rng.choice([1, -1]), rng.getrandbits(70)]
    if name == "ldexp":
        return [rng.uniform(-3, 3), rng.randint(-1100, 1030)]
    if name == "isclose":
        x = rng.uniform(-3, 3)
        return [x, x * (1 + rng.choice([1e-8, 1e-9, 1e-10]))]
    return [rng.choice([rng.uniform(-9, 9), rng.uniform(-1000, 1000), 10 ** rng.uniform(-100, 100)]), rng.choice([rng.uniform(-9, 9), rng.randint(-20, 20)])]


def math_calls():
    rng = random.Random(11)
    rows = []
    for name in ONE:
        small = name == "factorial"
        rows += [called(name, [x]) for x in SPECIAL if not (small and isinstance(x, int) and x > 1000)]
        rows += [called(name, [arguments_of_one(name, rng)]) for _ in range(60)]
    for name in TWO:
        small = name in ("comb", "perm")
        for _ in range(80):
            args = rng.choices(SPECIAL, k=2)
            if not (small and any(isinstance(x, int) and x > 1000 for x in args)):
                rows.append(called(name, args))
        rows += [called(name, arguments_of_two(name, rng)) for _ in range(60)]
    for _ in range(80):
        rows.append(called("fsum", [[rng.choice([1e16, -1e16, 1.0, rng.random(), 1e100, -1e100, rng.random() * 2 ** rng.randint(-60, 60)]) for _ in range(rng.randint(0, 12))]]))
        k = rng.randint(1, 5)
        rows.append(called("dist", [[rng.uniform(-9, 9) for _ in range(k)], [rng.uniform(-9, 9) for _ in range(k)]]))
        rows.append(called("hypot", [rng.uniform(-9, 9) * 10 ** rng.randint(-200, 200) for _ in range(k)]))
        rows.append(called("prod", [[rng.choice([rng.randint(-9, 9), rng.uniform(-2, 2)]) for _ in range(k)]]))
    return rows


PATTERNS = r"""a
a*
a+?
a??b
(a|b)*c
(?P<x>\d+)-(?P<y>\w+)
(?P<q>['"]).*?(?P=q)
^\s*(\w+)\s*=\s*(.*?)\s*$
\b\w+\b
\B
\b|\w+
[a-z]+|\d
[^a-z]
[]a]
[^]a]
[a\-z]
[a-]
[-a]
[\w.]+@[\w.]+
[\W_]+
[^\W\d]+
[\D]
(?i)hello
(?s)a.b
(?m)^a|b$
(?x) a  b # comment
(?x)a\ b [ ]
a{2}
a{2,}
a{,2}
a{1,2}?
a{,}
a{
a{x}
a{1
x{}y
(?:a|ab)(?:c|bcd)(d*)
(a)(b)?
(a)(b)?(c)?
((a)(b))
(a(b(c)))
(?=a)b|a
(?!a)\w
(?<=a)b
(?<!a)b
(?<=ab|cd)e
(?<=a+)b
(?<=a|bc)d
(?>a+)b
a++b
(?:ab)?+c
(a+)+$
\.
\/
\-
\x41
\u0041\U0001F600
\n|\t
\0
\07
\101
\1
(a)\1
(a)(b)\2\1
(a\1)
(?P<n>a)(?P<n>b)
(?P<1a>b)
(?P<>b)
(?P<a
(?P=x)
(?P>x)
(?P
(?Z)
(?
(
)
a)
(a
[
[a
[z-a]
[a-\d]
[\d-a]
*
+a
a**
a*+?
a{2}{3}
^*
(?:)*
\
\q
[\q]
\8
\400
(?i:a)b
a(?i)b
(?#comment)a
(?#comment
(?-i:a)
(?s:.)x
(?<a)
(?<
.
$
^
\Z
\A
a$
^a
.*
.+?
x*
(x*)y?
|a
a||b
(|a)+
\s+
\S+
,
, ?
(,)
(-)|(,)
\d{3}-\d{4}
(?P<year>\d{4})-(?P<month>\d\d)
[A-Z][a-z]*
([A-Z])
_
(?<=[a-z])(?=[A-Z])
^layers?\.(\d+)\.(weight|bias)$
(.+)\.(\d+)$
[\s,]+
[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?
"(?:[^"\\]|\\.)*"
(?P<k>\w+)=(?P<v>[^;]*);?
é+
[é-ü]
\w+
(?a)\w+
(?u)\w
[😀-😂]
.😀
(?L)a
(?au)a
(?ii)a
(?P<a>x)(?P<b>y)?
(?:x(?P<b>y))+
a|b|
(?<!\d)\d{2}(?!\d)
(?-s:a
(?i-i:a)
(?x-:a)
(?-
(?i
[[:alpha:]]
[a&&b]
[a||b--c~~d]
a.c
#
 a
~
a#b
[{}()*+?.^$|/]
\ 
\#
(?:(?:a))
((((a))))
(a)|(b)|(c)
(?P<x>a)|(?P<y>b)
(a*)*
(a*)+
(a|b|)+
(?:a?)*?y
\w\W\d\D\s\S
[\b]
\f\v\a\r
(?=(a))a
((?=a)a)
(?!)
(?:)
()
()\1
x(?=y)*
x(?=y){0,1}z
A
ſ
(?i)ß
(?i)É
(?i)[a-f]+
(?i)\w
(?i)[^a]
(?i)İ""".split("\n")
TEXTS = ["", "a", "aab aaab", "abc", "a=1; b=22;c=x", "'q' \"r\"", "hello HELLO Hello", "a\nb\na", "foo-12 34-bar", "x.y@z.com", "éàü É", "a😀b😀😂", "layers.3.weight", "  key =  value  ", "CamelCaseString", "1e5 -3.25 +7.", "a,b, c,,d", "\x00\x07A", "xyxyz"]


def found(match):
    if match is None:
        return None
    spans = [match.span(i) for i in range(match.re.groups + 1)]
    return {"spans": spans, "lastindex": match.lastindex, "lastgroup": match.lastgroup}


def attempt(run):
    try:
        return run()
    except re.error as e:
        return {"error": f"error: {e}"}
    except Exception as e:
        return {"error": f"{type(e).__name__}: {e}"}


def uses(pattern, text):
    return [
        attempt(lambda: found(pattern.match(text))),
        attempt(lambda: found(pattern.search(text))),
        attempt(lambda: found(pattern.fullmatch(text))),
        attempt(lambda: pattern.findall(text)),
        attempt(lambda: pattern.split(text)),
        attempt(lambda: pattern.sub("<\\g<0>>", text)),
        attempt(lambda: pattern.sub(r"[\1]", text, 2)),
        attempt(lambda: found(pattern.match(text, 1, 3))),
    ]


def regular_expressions():
    rows = []
    for pattern in PATTERNS:
        compiled = attempt(lambda: re.compile(pattern))
        if isinstance(compiled, dict):
            rows.append({"pattern": pattern, **compiled})
        else:
            about = {"flags": compiled.flags, "groups": compiled.groups, "names": dict(compiled.groupindex), "repr": repr(compiled)}
            rows.append({"pattern": pattern, "about": about, "uses": [[text, *uses(compiled, text)] for text in TEXTS]})
    return rows


def main(path):
    if sys.version_info[:2] != (3, 11):
        sys.exit(f"the reference is CPython 3.11; this is {sys.version}")
    about = {"python": sys.version.split()[0], "script": "tools/oracle/record_python_library.py"}
    with gzip.GzipFile(path, "wb", mtime=0) as out:
        out.write(json.dumps({**about, "math": math_calls(), "re": regular_expressions()}, separators=(",", ":")).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
