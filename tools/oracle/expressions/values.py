"""Random literals of Python: numbers at the edges of their formats, texts of several scripts, bytes, small containers."""

INTS = [0, 1, -1, 2, 3, 5, 7, 10, -10, 16, 100, 255, 256, -256, 1000, 2**31 - 1, 2**31, -(2**31), 2**32, 2**52, 2**53 - 1, 2**53, 2**53 + 1, -(2**53), -(2**53) - 1, 2**62, 2**63 - 1, 2**63, -(2**63), 2**64, 2**64 + 1, 10**15, 10**16, 10**17, 10**22, 10**23, 10**30, -(10**30), 2**100, 3**60, 10**308, 10**309]
FLOATS = ["0.0", "-0.0", "0.5", "1.5", "2.5", "-2.5", "3.5", "0.1", "0.2", "0.3", "1.0", "-1.0", "2.0", "10.0", "100.0", "1e15", "1e16", "1e17", "123456789.123", "1e22", "1e23", "1e100", "-1e100", "1e300", "1e308", "1.7976931348623157e308", "5e-324", "2.2250738585072014e-308", "1e-4", "1e-5", "0.00012345", "0.125", "2.675", "1.005", "0.045", "9.5", "99.5", "999999.5", "1e-10", "9007199254740993.0", "4503599627370496.5", "float('inf')", "-float('inf')", "float('nan')", "1/3", "2/3", "22/7"]
WORDS = ["", "a", "b", "ab", "abc", "aa", "abab", "abcabc", "Hello World", "hello", " ", "  x ", "\t", "a\tb\tc", "line\nbreak", "a\r\nb\rc\n", "x y  z", "  lead", "trail  ", "UPPER", "lower", "Title Case", "MiXeD cAsE", "123", "-5", "+7", "12.5", "0", "007", "é", "ß", "straße", "ÀÉ", "日本語", "日", "😀", "a😀b😀", "😀😀", "ﬁn", "ΑΣ", "ΟΔΟΣ ΣΑΣ", "ǆ", "ı", "İ", "²", "٣", "٣٤", "½", "一", "\u00a0", "\u2028", "\x1c", "\x85", "a'b", 'a"b', "a'b\"c", "\\", "{}", "%", "\x00", "\x7f", "\u200b", "\ud800", "they're bill's", "x=1,y=2", "a,b,,c", ",", ",,", "::", "a::b", "_x1", "class", "1a", "A", "Z", "\U0010ffff", "ᾳ", "ŉ", "Ⅷ", "ⓐ", "\u0345"]
ALPHABET = "abcAB12 ,.-_:xyé日😀\tß"


class Values:
    def __init__(self, random):
        self.random = random

    def pick(self, values):
        return self.random.choice(values)

    def chance(self, share):
        return self.random.random() < share

    def int(self):
        if self.chance(0.4):
            return str(self.random.randint(-20, 20))
        if self.chance(0.5):
            return str(self.pick(INTS) + self.random.randint(-1, 1))
        return str(self.random.choice([-1, 1]) * self.random.getrandbits(self.random.choice([8, 31, 33, 53, 54, 64, 90, 200])))

    def small(self, low=-4, high=12):
        return str(self.random.randint(low, high))

    def float(self):
        if self.chance(0.5):
            return self.pick(FLOATS)
        value = self.random.choice([self.random.uniform(-10, 10), self.random.gauss(0, 1) * 10.0 ** self.random.randint(-20, 20), self.random.randint(-1000, 1000) / self.pick([2, 4, 8, 10, 100, 1000])])
        return repr(value)

    def real(self):
        return self.pick([self.int, self.float, self.int, self.float, lambda: self.pick(["True", "False"])])()

    def complex(self):
        return self.pick(["1j", "2j", "-1j", "(1+2j)", "(3-4j)", "(0.5+0.25j)", "(-0.0+1j)", "(1e200+1e200j)", "0j", f"({self.pick(FLOATS)}+{abs(self.random.randint(0, 9))}j)"])

    def number(self):
        return self.complex() if self.chance(0.06) else self.real()

    def word(self):
        if self.chance(0.6):
            return self.pick(WORDS)
        return "".join(self.random.choice(ALPHABET) for _ in range(self.random.randint(0, 9)))

    def text(self):
        return ascii(self.word()) if self.chance(0.3) else repr(self.word())

    def data(self):
        if self.chance(0.7):
            return ascii(self.word().encode("utf-8", "replace"))
        return repr(bytes(self.random.randrange(256) for _ in range(self.random.randint(0, 6))))

    def other(self):
        """A value of a type that the place does not expect."""
        return self.pick(["None", "1", "1.5", "'a'", "b'a'", "[]", "[1, 2]", "(1,)", "{}", "{'a': 1}", "True", "1j", "...", "(1, 'a')"])

    def any(self):
        return self.pick([self.real, self.text, self.data, self.number, self.other])()

    def mostly(self, make, share=0.94):
        """What `make` gives, or sometimes a value of another type."""
        return make() if self.chance(share) else self.other()

    def bound(self):
        if self.chance(0.06):
            return self.pick(["None", "10**30", "-10**30", "True", "1.5", "'a'"])
        return self.small(-8, 10)

    def slice(self):
        bounds = ["" if self.chance(0.3) else self.bound() for _ in range(2)]
        step = "" if self.chance(0.6) else ":" + ("" if self.chance(0.2) else self.pick(["1", "2", "-1", "-2", "3", "-3", "0", "10**20", "None"]))
        return ":".join(bounds) + step
