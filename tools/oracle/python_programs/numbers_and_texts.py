# Small programs on numbers, texts and bytes. Each begins at a line with four dashes and its name; none needs another.

# ---- operators ask both sides
class Length:
    def __init__(self, metres):
        self.metres = metres

    def __add__(self, other):
        if isinstance(other, Length):
            return type(self)(self.metres + other.metres)
        return NotImplemented

    def __radd__(self, other):
        return f"{other!r} + {self}" if isinstance(other, (int, list, str)) else NotImplemented

    def __mul__(self, other):
        return type(self)(self.metres * other) if isinstance(other, (int, float)) else NotImplemented

    __rmul__ = __mul__

    def __iadd__(self, other):
        self.metres += other.metres
        return self

    def __pow__(self, exponent, modulus=None):
        return ("pow", exponent, modulus)

    def __rpow__(self, base):
        return ("rpow", base)

    def __divmod__(self, other):
        return ("divmod", other)

    def __rdivmod__(self, other):
        return ("rdivmod", other)

    def __neg__(self):
        return type(self)(-self.metres)

    def __abs__(self):
        return abs(self.metres)

    def __round__(self, digits=None):
        return round(self.metres, digits)

    def __index__(self):
        return int(self.metres)

    def __float__(self):
        return float(self.metres)

    def __format__(self, spec):
        return format(self.metres, spec or ".1f") + "m"

    def __repr__(self):
        return f"{type(self).__name__}({self.metres})"


class Track(Length):
    def __radd__(self, other):
        return ("Track first", other)


a, b, c = Length(3), Length(4.5), Track(1)
print(a + b, a + c, c + a, 5 + a, [1] + a, "x" + a)
print(a * 2, 2 * a, "ab" * a, a ** 2, 2 ** a, pow(a, 2, 5), divmod(a, 2), divmod(2, a), -a, abs(-b), round(b), round(b, 1))
print(f"{a} {b:8.3f} {c!r:>10}", "{:.2f}|{}".format(a, b), "%s %d %5.1f %x" % (a, a, b, a), hex(a), "abcdef"[a], "abcdef"[:a], float(a), int(b))
x = a
x += b
print(x is a, a)
for action in (lambda: a + 1.5, lambda: 1.5 + a, lambda: a - 1, lambda: a @ 2, lambda: +a, lambda: ~a, lambda: a * "z", lambda: pow(2, a, 3), lambda: a < b, lambda: "x" % a):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)

# ---- operators in place
values = [1]
same = values
values += (2, 3)
values *= 2
print(values, values is same)
text = "ab"
text += "c"
text *= 2
text %= ()
print(text)
n = 7
n //= 2
n **= 3
n <<= 2
n |= 3
n ^= 5
n -= 1
n >>= 1
n &= 0xff
print(n)
n /= 4
n %= 3
n += 0.5
print(n)
for operation in ("n += 'a'", "n @= 2", "n **= 'a'", "n <<= 1", "values -= 1", "values += 1", "text += 1", "text *= 'a'", "n //= 0", "n %= 0"):
    try:
        exec(operation)
    except Exception as error:
        print(operation, type(error).__name__, error)

# ---- ints without end
from_one = 1
for i in range(1, 41):
    from_one *= i
print(from_one, from_one.bit_length(), from_one % 1000007, -from_one // 7, from_one >> 100)
print(2 ** 200 - 1, (2 ** 200 - 1) / 2 ** 199, 10 ** 25 // 3, -10 ** 25 % 7, divmod(-10 ** 20, 10 ** 10 + 1))
print(9007199254740991 + 1, 9007199254740992 + 1, 9007199254740993 - 2, -9007199254740992 - 1, 3037000500 ** 2, 94906267 ** 2)
print(pow(3, -1, 7), pow(10, 100, 97), pow(2, 1000, 10 ** 9 + 7), pow(-5, 3, 7), pow(5, 3, -7))
print(0xffff_ffff_ffff_ffff & -2, ~10 ** 20, 1 << 70 | 1, -1 >> 80, 5 ^ 2 ** 64)
print(int("1" * 30), int("-0b1_01", 0), int("zz", 36), int(b" 12 "), int(1e20), int(-2.9), int(True))
print(float(10 ** 22), float(10 ** 23), 10 ** 23 == 1e23, 10 ** 22 == 1e22, 2 ** 53 + 1 == float(2 ** 53 + 1), 10 ** 30 < 1e30, 10 ** 400 > 1e308)
try:
    print(len(str(10 ** 4299)), str(10 ** 4300))
except ValueError as error:
    print(error)

# ---- floats to the last digit
print(0.1 + 0.2, 1 / 3, 2 / 3, 1e16, 123456789012345680.0, 1e-5, 0.0001, 5e-324, 1.7976931348623157e308, -0.0, 1e22, 1e23)
print(round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1e22, -21), round(1234.5678, -2), round(0.5), round(1.5, 0))
print(7.5 // 2, -7.5 // 2, 7.5 % -2, -7.5 % 2, divmod(-7.5, 2), 1e300 * 1e10, -1e300 * 1e10, float("inf") - float("inf"))
print(2 ** 0.5, 10 ** -3, 1.1 ** 10, 2.0 ** -1074, (-8) ** 3.0, 0.0 ** 0, abs(-1.5), (-2.0) ** 2, 4 ** 0.5, 7 ** -2)
print((0.1).as_integer_ratio(), (0.1).hex(), float.fromhex("0x1.8p1"), (2.0).is_integer(), (1e300).is_integer(), float("  -1_0.5e1 "))
print(sum([0.1] * 10), max(1, 1.0), min(2.0, 2), 1 == 1.0 == True, hash(2) == hash(2.0), {1: "a", 1.0: "b"})
for action in (lambda: 1 / 0, lambda: 1.0 // 0, lambda: 1 % 0.0, lambda: 0.0 ** -1, lambda: 2.0 ** 5000, lambda: int(float("nan")), lambda: round(float("inf")), lambda: float("1e"), lambda: int("1.5"), lambda: int("12", 1), lambda: 1 << -1, lambda: float(10 ** 400), lambda: 10 ** 400 / 3, lambda: chr(-1)):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)

# ---- complex numbers
z = 3 + 4j
print(z, abs(z), z.real, z.imag, z.conjugate(), -z, z * z, z / 2j, z ** 2, z ** -1, z == 3 + 4j, 1j ** 2, complex("1-2j"), complex(1, 2), bool(0j))
print(f"{z:.2f} {z:>12}", [1j, 2 + 0j], hash(2 + 0j) == hash(2), 2 + 0j == 2, {1: "x"}[1 + 0j])
for action in (lambda: z < 1, lambda: z // 1, lambda: z % 2, lambda: int(z), lambda: float(z), lambda: z / 0, lambda: complex("x")):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)

# ---- texts count code points
text = "a😀é日"
print(len(text), text[1], text[::-1], text[1:3], text.find("é"), text.rindex("日"), list(text), text.center(10, "·"), f"{text:>6}|{text:.2}|")
print([ord(c) for c in text], "".join(chr(ord(c) + 1) for c in "HAL"), text.encode(), text.encode("utf-8").decode(), text.isprintable())
print("straße".upper(), "ΟΔΥΣΣΕΥΣ".lower(), "ǆ".title(), "ﬁ".capitalize(), "ŉ".upper(), "İ".lower().encode(), "SS".casefold() == "ß".casefold(), "hello wORLD's".title(), "aBc".swapcase())
print("²".isdigit(), "²".isdecimal(), "½".isnumeric(), "٣".isdecimal(), int("٣٤"), "一".isnumeric(), "_x".isidentifier(), "1x".isidentifier(), "\u2028".isspace(), "Ab C".istitle())
print("a" < "b" < "é" < "日" < "😀", sorted(["b", "A", "é", "_", "1", "😀", "日"]), max("hello"), min("hello"))
print(repr("it's"), repr('say "hi"'), repr("both ' and \""), repr("tab\t nul\0 bell\a é \u200b \U0001f600 \udc80".replace("\udc80", "")), ascii("é😀"))

# ---- splitting and joining
line = "  name = value # comment  "
print(line.split(), line.split("="), line.partition("="), line.strip().rpartition(" "), line.split(None, 1), line.rsplit(None, 1), line.lstrip(" n"))
print("a,b,,c".split(","), "a,b,,c".split(",", 2), "a,b,,c".rsplit(",", 2), "".split(), "".split(","), "abc".split("abc"), "a\nb\r\nc\x0bd\u2028e".splitlines(), "a\n\nb\n".splitlines(True))
print("-".join("abc"), "".join(map(str, range(5))), ", ".join(sorted({"x": 1, "y": 2})), "ab".join([]), "|".join(c for c in "xyz" if c != "y"))
print("banana".count("an"), "banana".replace("a", "o", 2), "banana".replace("", "-"), "banana".translate({97: "4", 98: None, 110: 78}), "banana".translate(str.maketrans("bn", "BN", "a")))
print("x".zfill(3), "-5".zfill(4), "+5".zfill(2), "a\tbc\td".expandtabs(4), "TestCase".removeprefix("Test"), "TestCase".removesuffix("x"), "ab" in "cabd", "" in "", "abc".startswith(("x", "ab")), "abc".endswith("bc", 1), "abc".startswith("b", 1, 2))
for action in (lambda: "a".join([1]), lambda: "a".split(""), lambda: "a".index("b"), lambda: "abc"[5], lambda: "abc"["a"], lambda: "a" + 1, lambda: "a" * 1.5, lambda: "a".center(5, "xy"), lambda: 1 in "a", lambda: "a".find(1), lambda: "a".encode("nope"), lambda: "é".encode("ascii"), lambda: "a".replace("b"), lambda: "a".startswith(1), lambda: ord("ab"), lambda: "abc"[::0]):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)

# ---- a table
rows = [("apple", 3, 0.5), ("kiwi", 12, 0.25), ("watermelon", 1, 3.999)]
print(f"{'name':<12}|{'count':^7}|{'price':>8}")
for name, count, price in rows:
    print(f"{name:<12}|{count:^7d}|{price:>8.2f}")
print("-" * 29)
print("{:<12}|{:^7}|{:>8.2f}".format("total", sum(r[1] for r in rows), sum(r[1] * r[2] for r in rows)))
print("%-12s|%7d|%8.2f" % ("percent", 5, 12.345), "%5.1f%%" % 45.678, "%+d % d %05d %x %X %o %#x %e %g %c %r" % (5, 5, 5, 255, 255, 8, 255, 12345.678, 0.00001, "z", "q"))
width, precision = 12, 3
print(f"{3.14159265:{width}.{precision}f}|{42:#010b}|{1234567.891:,.2f}|{1e6:_}|{0.256:.1%}|{-5:+d}|{255:x}|{'é':*^5}|{True:>6}|{None!s:>6}")
print("{0[1]} {0[0]} {1.real} {k[a]} {{}} {!r:>6}".replace("{!r:>6}", "{2!r:>6}").format([1, 2], 5, "s", k={"a": 9}), "{:>{}}".format("x", 4), "{a}{b}".format(**{"a": 1, "b": 2}))

# ---- errors of formats
for action in (lambda: "{".format(), lambda: "{}".format(), lambda: "{0}{}".format(1), lambda: "{a}".format(), lambda: "{:d}".format("x"), lambda: "{:s}".format(1), lambda: format(1.5, "d"), lambda: format("a", "+"), lambda: format(1, ",x"), lambda: format([], "x"), lambda: "%d" % "a", lambda: "%s %s" % 1, lambda: "%s" % (1, 2), lambda: "%(a)s" % 1, lambda: "%q" % 1, lambda: "%" % 1, lambda: f"{1:q}", lambda: "{0.x}".format(1), lambda: "{!z}".format(1), lambda: "%c" % "ab", lambda: "%x" % 1.5, lambda: format(1, "5.2"), lambda: f"{'x':=5}"):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)

# ---- bytes
data = bytes([104, 105, 0, 255]) + b"\n'"
print(data, len(data), data[0], data[1:3], list(data[:2]), data.hex(), data.hex(" ", 2), bytes.fromhex("00 ff"), b"a" in data, 104 in data, data.find(b"i"), b"-".join([b"a", b"b"]))
print(b"Hello World".lower().split(), b"a,b".partition(b","), b"x" * 3, b"ab" < b"b", b"abc".replace(b"b", b""), b"  x ".strip(), b"%s=%d %.1f" % (b"k", 5, 2.5), "é".encode("latin-1"), b"\xc3\xa9".decode(), str(b"x"), b"ab".upper().isupper())
buffer = bytearray(b"abc")
buffer[0] = 122
buffer.append(33)
buffer += b"xy"
buffer[1:2] = b"QQ"
del buffer[-1]
print(buffer, buffer.pop(), len(buffer), bytes(buffer), buffer == b"zQQc!", buffer.find(b"Q"), bytearray(2))
print((1000).to_bytes(2, "big"), int.from_bytes(b"\x03\xe8", "big"), (-2).to_bytes(2, "little", signed=True), {b"k": 1}[b"k"])
for action in (lambda: b"a" + "b", lambda: b"a"[3], lambda: bytes([256]), lambda: bytes("a"), lambda: b"\xff".decode(), lambda: b"a".join(["b"]), lambda: b"%s" % "a", lambda: hash(bytearray()), lambda: bytes.fromhex("xy"), lambda: (300).to_bytes(1, "big"), lambda: b"a".find("a")):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)

# ---- programs with numbers and texts
def roman(n):
    result = ""
    for value, sign in zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split()):
        while n >= value:
            result += sign
            n -= value
    return result


def caesar(text, shift):
    return "".join(chr((ord(c) - 97 + shift) % 26 + 97) if c.islower() else chr((ord(c) - 65 + shift) % 26 + 65) if c.isupper() else c for c in text)


def digits_of_e(count):
    n = count + 10
    digits = [1] * n
    result = []
    for _ in range(count):
        carry = 0
        for i in range(n - 1, 0, -1):
            total = digits[i] * 10 + carry
            carry, digits[i] = divmod(total, i + 1)
        result.append(carry)
    return "2." + "".join(map(str, result))


def is_prime(n):
    return n > 1 and all(pow(a, n - 1, n) == 1 for a in (2, 3, 5, 7) if n % a) and all(n % p for p in (2, 3, 5, 7, 11, 13) if p < n)


print([roman(n) for n in (1, 4, 9, 14, 40, 1994, 2026)], caesar("Hello, World!", 3), caesar(caesar("abcxyz", 7), -7), digits_of_e(30))
print([n for n in range(60) if is_prime(n)], is_prime(2 ** 61 - 1), sum(int(d) for d in str(2 ** 100)), bin(37)[2:].count("1"), int("".join(reversed("12321"))) == 12321)
counts = {}
for word in "the cat and the dog and the bird".split():
    counts[word] = counts.get(word, 0) + 1
print(", ".join(f"{word}: {n}" for word, n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))))
x = 1.0
for _ in range(6):
    x = (x + 2 / x) / 2
print(x, x * x, f"{x:.30f}", round(x, 10))
