"""Random expressions of texts and bytes: indexing, slicing, operators, methods, codecs."""


class Texts:
    def __init__(self, values):
        self.v = values

    def spaced(self):
        v = self.v
        return repr("".join(v.random.choice("ab \t\n\u00a0,") for _ in range(v.random.randint(0, 12))))

    def part(self):
        v = self.v
        return v.mostly(v.text, 0.95)

    def range(self):
        v = self.v
        return v.pick(["", f", {v.bound()}", f", {v.bound()}, {v.bound()}"])

    def method(self):
        v = self.v
        text = v.text()
        return f"{text}." + v.pick([
            lambda: v.pick(["upper", "lower", "title", "capitalize", "swapcase", "casefold"]) + "()",
            lambda: "is" + v.pick(["alpha", "alnum", "digit", "decimal", "numeric", "lower", "upper", "title", "space", "printable", "identifier", "ascii"]) + "()",
            lambda: f"{v.pick(['find', 'rfind', 'index', 'rindex', 'count'])}({self.part()}{self.range()})",
            lambda: f"{v.pick(['startswith', 'endswith'])}({self.part()}{self.range()})",
            lambda: f"{v.pick(['startswith', 'endswith'])}(({v.text()}, {self.part()}){self.range()})",
            lambda: f"replace({self.part()}, {self.part()}{v.pick(['', ', ' + v.small(-1, 3)])})",
            lambda: f"{v.pick(['removeprefix', 'removesuffix'])}({self.part()})",
            lambda: f"{v.pick(['partition', 'rpartition'])}({self.part()})",
            lambda: f"{v.pick(['split', 'rsplit'])}({v.pick(['', self.part(), 'None', 'None, ' + v.small(-1, 3), self.part() + ', ' + v.small(-1, 3), 'maxsplit=' + v.small(-1, 3)])})",
            lambda: f"splitlines({v.pick(['', 'True', 'keepends=True', 'False'])})",
            lambda: f"{v.pick(['strip', 'lstrip', 'rstrip'])}({v.pick(['', 'None', self.part()])})",
            lambda: f"{v.pick(['center', 'ljust', 'rjust'])}({v.mostly(lambda: v.small(-2, 15))}{v.pick(['', '', ', ' + self.part()])})",
            lambda: f"zfill({v.mostly(lambda: v.small(-2, 12))})",
            lambda: f"expandtabs({v.pick(['', v.small(-1, 9)])})",
            lambda: f"join({v.pick(['[' + self.part() + ', ' + v.text() + ']', v.text(), '(' + self.part() + ',)', self.part(), '[]', v.other()])})",
            lambda: f"translate({{{v.pick(['97', '98', '233', v.small(90, 110)])}: {v.pick(['None', '98', repr('xy'), v.other()])}, 'b': 'q'}})",
            lambda: f"translate(str.maketrans({v.pick([repr('abc') + ', ' + repr('xyz'), repr('a') + ', ' + repr('é') + ', ' + repr('bc'), self.part(), self.part() + ', ' + self.part(), repr('x') + ': 1'])}))" if False else f"translate(str.maketrans({v.pick(['abc', 'a', 'é日'])!r}, {v.pick(['xyz', 'a', 'é日', '😀b'])!r}{v.pick(['', ', ' + self.part()])}))",
            lambda: f"encode({v.pick(['', repr(v.pick(['utf-8', 'ascii', 'latin-1', 'utf8', 'UTF-8', 'nope'])), repr(v.pick(['ascii', 'latin-1', 'utf-8'])) + ', ' + repr(v.pick(['strict', 'ignore', 'replace', 'backslashreplace', 'xmlcharrefreplace', 'nope']))])})",
            lambda: f"__{v.pick(['add', 'mul', 'contains', 'eq', 'lt', 'getitem', 'mod', 'rmul'])}__({v.any()})",
            lambda: v.pick(["foo()", "upper(1)", "split(1, 2, 3)", "find()", "center()", "replace('a')", "split(x=1)", "splitlines(keepends=1, x=2)", "encode(errors=5)", "startswith()", "count('a', 1, 2, 3)", "zfill()", "join()", "strip('a', 'b')", "expandtabs('x')", "encode(encoding=5)", "partition()", "title(3)"]),
        ])()

    def subscript(self):
        v = self.v
        owner = v.pick([v.text, v.text, v.data, lambda: "[1, 2, 3, 4, 5]", lambda: "(1, 2, 3)"])()
        key = v.slice() if v.chance(0.75) else v.mostly(lambda: v.small(-6, 6), 0.85)
        return f"{owner}[{key}]"

    def operator(self):
        v = self.v
        return v.pick([
            lambda: f"{v.text()} + {self.part()}",
            lambda: f"{v.text()} * {v.mostly(lambda: v.small(-1, 4))}",
            lambda: f"{v.mostly(lambda: v.small(-1, 4))} * {v.text()}",
            lambda: f"{v.text()} {v.pick(['<', '<=', '==', '!=', '>', '>='])} {v.mostly(v.text)}",
            lambda: f"{v.mostly(v.text)} {v.pick(['in', 'not in'])} {v.text()}",
            lambda: f"{v.data()} {v.pick(['+', '<', '==', '!=', '>='])} {v.mostly(v.data)}",
            lambda: f"{v.data()} * {v.mostly(lambda: v.small(-1, 4))}",
            lambda: f"{v.mostly(v.data, 0.7)} in {v.data()}",
            lambda: f"{v.any()} {v.pick(['+', '-', '*', '/', '//', '%', '@', '&', '|', '<', '<=', '==', '**', '<<'])} {v.other()}",
            lambda: f"[1, 2] {v.pick(['+', '*', '==', '<'])} {v.any()}",
            lambda: f"(1, 2) {v.pick(['+', '*', '==', '<'])} {v.any()}",
            lambda: f"len({v.any()})",
            lambda: f"list({v.pick([v.text, v.data, v.other])()})",
            lambda: f"{v.pick(['repr', 'ascii', 'str', 'bool'])}({v.any()})",
            lambda: f"ord({v.mostly(v.text)})",
            lambda: f"str({v.data()}, {v.pick(['utf-8', 'ascii', 'latin-1'])!r}, {v.pick(['replace', 'ignore', 'strict'])!r})",
            lambda: f"str({v.any()}, 'utf-8')",
            lambda: f"bytes({v.pick(['3', '[1, 2, 255]', '[256]', repr('é') + ', ' + repr('utf-8'), v.other(), v.data(), '-1', repr('a')])})",
            lambda: f"bytearray({v.pick(['3', v.data(), '[1, 2]'])})",
            lambda: f"slice({v.bound()}, {v.bound()}).indices({v.small(0, 9)})",
            lambda: f"slice({v.bound()}, {v.bound()}, {v.pick(['None', '2', '-1', '0'])}).indices({v.small(0, 9)})",
        ])()

    def bytes_part(self):
        v = self.v
        return v.mostly(v.data, 0.93)

    def bytes_method(self):
        v = self.v
        data = v.data() if v.chance(0.8) else f"bytearray({v.data()})"
        return f"{data}." + v.pick([
            lambda: v.pick(["upper", "lower", "title", "capitalize", "swapcase"]) + "()",
            lambda: "is" + v.pick(["alpha", "alnum", "digit", "lower", "upper", "title", "space", "ascii"]) + "()",
            lambda: f"{v.pick(['find', 'rfind', 'index', 'rindex', 'count'])}({v.pick([self.bytes_part(), v.small(0, 120)])}{self.range()})",
            lambda: f"{v.pick(['startswith', 'endswith'])}({v.pick([self.bytes_part(), '(' + v.data() + ', ' + self.bytes_part() + ')'])}{self.range()})",
            lambda: f"replace({self.bytes_part()}, {self.bytes_part()}{v.pick(['', ', ' + v.small(-1, 3)])})",
            lambda: f"{v.pick(['removeprefix', 'removesuffix', 'partition', 'rpartition'])}({self.bytes_part()})",
            lambda: f"{v.pick(['split', 'rsplit'])}({v.pick(['', self.bytes_part(), 'None, ' + v.small(-1, 3), self.bytes_part() + ', ' + v.small(-1, 3)])})",
            lambda: f"splitlines({v.pick(['', 'True'])})",
            lambda: f"{v.pick(['strip', 'lstrip', 'rstrip'])}({v.pick(['', 'None', self.bytes_part()])})",
            lambda: f"{v.pick(['center', 'ljust', 'rjust'])}({v.small(-2, 15)}{v.pick(['', ', ' + v.pick([repr(b'x'), self.bytes_part()])])})",
            lambda: f"zfill({v.small(-2, 12)})",
            lambda: f"expandtabs({v.pick(['', v.small(-1, 9)])})",
            lambda: f"join([{self.bytes_part()}, {v.data()}])",
            lambda: f"hex({v.pick(['', repr(':'), repr('-') + ', ' + v.small(-3, 3), repr('::'), repr('é')])})",
            lambda: f"decode({v.pick(['', repr(v.pick(['utf-8', 'ascii', 'latin-1', 'nope'])), repr(v.pick(['ascii', 'utf-8'])) + ', ' + repr(v.pick(['strict', 'ignore', 'replace', 'backslashreplace', 'nope']))])})",
            lambda: f"fromhex({v.pick(['', '00ff', '0 1', 'zz', 'a b c', '0a 0B', '1', ' 12 ', 'é'])!r})",
            lambda: f"translate({v.pick(['None', 'bytes(range(256))', 'bytes(3)'])}, {self.bytes_part()})",
        ])()

    def expression(self):
        v = self.v
        if v.chance(0.03):
            return f"{self.spaced()}.{v.pick(['split', 'rsplit'])}(None, {v.small(-1, 4)})"
        return v.pick([self.method, self.method, self.method, self.subscript, self.operator, self.bytes_method])()
