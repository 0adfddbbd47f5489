"""Random expressions of numbers: operators, comparisons, functions and methods."""

OPERATORS = ["+", "-", "*", "/", "//", "%", "&", "|", "^", "+", "-", "*"]


class Numbers:
    def __init__(self, values):
        self.v = values

    def operand(self, depth):
        v = self.v
        if depth == 0 or v.chance(0.4):
            if v.chance(0.03):
                return v.any()
            return v.number()
        return f"({self.tree(depth - 1)})"

    def tree(self, depth=2):
        v = self.v
        kind = v.random.random()
        if kind < 0.08:
            return f"{self.operand(depth)} {v.pick(['<<', '>>'])} {v.pick([v.small(-1, 70), '10**20']) if v.chance(0.06) else v.small(0, 70)}"
        if kind < 0.18:
            return self.power()
        if kind < 0.28:
            return f"{v.pick(['-', '+', '~', '-', 'not '])}{self.operand(depth)}"
        return f"{self.operand(depth)} {v.pick(OPERATORS)} {self.operand(depth)}"

    def power(self):
        v = self.v
        base = v.pick([v.real, v.float, v.int, v.complex])() if v.chance(0.95) else v.other()
        exponent = v.pick([lambda: v.small(-5, 9), v.float, lambda: v.pick(["0.5", "-0.5", "1.5", "2.0", "-1.0", "3.0"])])()
        return f"({base}) ** {exponent}" if not exponent.startswith("-") else f"({base}) ** ({exponent})"

    def comparison(self):
        v = self.v
        signs = ["<", "<=", "==", "!=", ">", ">="]
        parts = [v.mostly(v.real, 0.97) for _ in range(v.random.choice([2, 2, 3]))]
        return "".join(p if i == 0 else f" {v.pick(signs)} {p}" for i, p in enumerate(parts))

    def function(self):
        v = self.v
        return v.pick([
            lambda: f"divmod({v.real()}, {v.mostly(v.real)})",
            lambda: f"abs({v.mostly(v.number)})",
            lambda: f"round({v.mostly(v.real)})",
            lambda: f"round({v.real()}, {v.mostly(lambda: v.small(-5, 6), 0.97)})",
            lambda: f"round({v.float()}, {v.small(-20, 20)})",
            lambda: f"pow({v.int()}, {v.small(-3, 50)}, {v.mostly(v.int)})",
            lambda: f"pow({v.real()}, {v.small(-3, 9)})",
            lambda: f"hash({v.number()})",
            lambda: f"{v.pick(['hex', 'oct', 'bin'])}({v.mostly(v.int)})",
            lambda: f"bool({v.any()})",
            lambda: f"int({v.mostly(v.real)})",
            lambda: f"float({v.mostly(v.real)})",
            lambda: f"complex({v.mostly(v.number)})",
            lambda: f"complex({v.number()}, {v.mostly(v.number)})",
            lambda: f"{v.pick(['repr', 'str', 'ascii'])}({v.number()})",
            lambda: f"sum([{v.number()}, {v.number()}, {v.mostly(v.number)}])",
            lambda: f"chr({v.mostly(v.int)})",
            lambda: f"{v.pick(['min', 'max'])}({v.real()}, {v.real()}, {v.mostly(v.real)})",
        ])()

    def spelled(self):
        """Text that may spell a number."""
        v = self.v
        digits = "".join(v.random.choice("0123456789" if v.chance(0.7) else "01") for _ in range(v.random.randint(0, 12)))
        text = v.pick(["", "", "+", "-", " ", "- "]) + v.pick(["", "", "", "0x", "0b", "0o", "0X"]) + digits
        for _ in range(v.random.choice([0, 0, 0, 1, 2])):
            at = v.random.randint(0, len(text))
            text = text[:at] + v.pick(["_", "_", ".", "e", "e5", "E-3", "f", "a", " ", "٣", "inf", "nan", "+", "z"]) + text[at:]
        return text + v.pick(["", "", "", " ", "\n"])

    def reading(self):
        v = self.v
        text = repr(self.spelled())
        if v.chance(0.1):
            text = ascii(self.spelled().encode())
        return v.pick([
            lambda: f"int({text})",
            lambda: f"int({text}, {v.pick(['0', '2', '8', '10', '16', '36', '7', '1', '37', '0'])})",
            lambda: f"float({text})",
            lambda: f"float({v.pick(['1e', '0.', '.5', '123.', '1_0.5', '12e-3_0'])!r} + {text})",
            lambda: f"float.fromhex({v.pick(['0x1.8p3', '-0x.8', '0x1p-1074', '1.8', 'inf', '-nan', '0x', '0x1.fffffffffffff8p0', '0x1.00000000000008p1023', ' 0x1p3 ', '0x1p1024', '0x1p-1080', '1p2p'])!r})",
        ])()

    def method(self):
        v = self.v
        whole = f"({v.int()})"
        real = f"({v.float()})"
        return v.pick([
            lambda: f"{whole}.bit_length()",
            lambda: f"{whole}.bit_count()",
            lambda: f"{whole}.{v.pick(['real', 'imag', 'numerator', 'denominator'])}",
            lambda: f"{whole}.as_integer_ratio()",
            lambda: f"{whole}.to_bytes({v.small(0, 20)}, {v.pick(['little', 'big', 'big', 'x'])!r}, signed={v.pick(['True', 'False'])})",
            lambda: f"int.from_bytes({v.mostly(v.data)}, {v.pick(['little', 'big'])!r}, signed={v.pick(['True', 'False'])})",
            lambda: f"{whole}.__{v.pick(['add', 'radd', 'sub', 'rsub', 'mul', 'floordiv', 'mod', 'truediv', 'and', 'lt', 'eq', 'divmod', 'rdivmod'])}__({v.any()})",
            lambda: f"{real}.__{v.pick(['add', 'radd', 'sub', 'rsub', 'mul', 'floordiv', 'mod', 'truediv', 'lt', 'eq', 'divmod', 'rdivmod'])}__({v.any()})",
            lambda: f"{real}.is_integer()",
            lambda: f"{real}.as_integer_ratio()",
            lambda: f"{real}.hex()",
            lambda: f"{real}.{v.pick(['real', 'imag', 'conjugate()'])}",
            lambda: f"{real}.__{v.pick(['floor', 'ceil', 'trunc', 'int', 'float', 'bool', 'abs', 'neg', 'repr', 'hash'])}__()",
            lambda: f"{whole}.__{v.pick(['floor', 'ceil', 'trunc', 'int', 'float', 'bool', 'abs', 'neg', 'invert', 'repr', 'hash', 'index'])}__()",
            lambda: f"({v.complex()}).{v.pick(['real', 'imag', 'conjugate()'])}",
            lambda: f"{whole}.{v.pick(['bit_length(1)', 'foo', 'bit_count(2)', 'to_bytes(x=1)'])}",
        ])()

    def expression(self):
        return self.v.pick([self.tree, self.tree, self.tree, self.comparison, self.function, self.function, self.reading, self.method])()
