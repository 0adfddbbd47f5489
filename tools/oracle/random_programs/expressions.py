"""Random expressions over the variables of a scope, by the kind of value that they should give; now and then another kind comes out."""

KINDS = ["int", "float", "str", "list", "dict", "tuple", "set", "bool", "any"]
# Variables of each kind begin with this letter.
LETTERS = {"int": "i", "float": "f", "str": "s", "list": "l", "dict": "d", "tuple": "t", "set": "z", "bool": "b"}
CONSTANTS = {
    "int": ["0", "1", "2", "3", "-1", "7", "10", "255", "2**40", "10**20", "-(3**50)", "0x1f", "1_000"],
    "float": ["0.5", "1.0", "-2.5", "3.25", "1e3", "1e-7", "2.0**60", "float('inf')", "-0.0", "0.1"],
    "str": ["''", "'a'", "'hello'", "'Ab c'", "'x,y,z'", "'  pad '", "'12'", "'é日😀'", "'%s and %d'", "'{} {!r:>5}'", "'line\\nnext'", "\"it's\""],
    "list": ["[]", "[1, 2, 3]", "['a', 'b']", "[3, 1, 2]", "[[1], [2, 3]]", "[None, True, 2.5]", "list(range(6))"],
    "dict": ["{}", "{'a': 1, 'b': 2}", "{1: 'x', 2: 'y'}", "{'k': [1, 2]}", "dict(zip('abc', range(3)))"],
    "tuple": ["()", "(1,)", "(1, 2)", "('a', 1, None)", "((1, 2), 3)"],
    "set": ["set()", "{1, 2, 3}", "{5, 40, 9}", "frozenset({1, 2})", "set(range(0, 20, 3))"],
    "bool": ["True", "False"],
    "any": ["None", "...", "1j", "b'ab'", "range(3)", "slice(1, 3)", "int", "len", "type(None)"],
}
SPECS = {
    "int": ["d", "5d", "<6", ">+8", "^9,", "#x", "#010b", "o", "_", "+", "08.3f", "e", "c", "%", "n", "=+6", "s", "*^7d"],
    "float": ["", ".2f", "10.3e", "+.1%", "g", "#.3g", "<10", "^+12.4f", "010.2f", ",.2f", "_", "r", "d"],
    "str": ["", "10", ">8", "^9", "*<6", ".2", "-^7.3", "s", "d", "=5"],
}
ERRORS = ["ValueError", "TypeError", "KeyError", "IndexError", "ZeroDivisionError", "AttributeError", "RuntimeError", "LookupError", "ArithmeticError", "Exception", "StopIteration", "NameError", "AssertionError", "OSError", "NotImplementedError", "UnicodeError"]


class Scope:
    """The names that a place sees, with the kind of their values."""

    def __init__(self, parent=None):
        self.parent = parent
        self.names = {}
        self.functions = {}
        self.classes = {}

    def all(self, field):
        found = dict(self.parent.all(field)) if self.parent else {}
        return {**found, **getattr(self, field)}


class Expressions:
    def __init__(self, random):
        self.random = random

    def pick(self, values):
        return self.random.choice(values)

    def chance(self, share):
        return self.random.random() < share

    def kind(self):
        return self.pick(KINDS[:-1])

    def expression(self, scope, kind=None, depth=2):
        if kind is None or self.chance(0.04):
            kind = self.pick(KINDS)
        if depth <= 0 or self.chance(0.2):
            return self.leaf(scope, kind)
        makers = [getattr(self, f"{kind}_expression"), self.common]
        return self.pick([makers[0], makers[0], makers[1]])(scope, kind, depth - 1)

    def leaf(self, scope, kind):
        names = [name for name, of in scope.all("names").items() if of == kind]
        if names and self.chance(0.7):
            return self.pick(names)
        return self.pick(CONSTANTS[kind])

    def common(self, scope, kind, depth):
        e = lambda kind_=kind: self.expression(scope, kind_, depth)
        functions = list(scope.all("functions").items())
        choice = self.random.randrange(9)
        if choice == 0:
            return f"({e()} if {e('bool')} else {e()})"
        if choice == 1:
            return f"({e()} {self.pick(['and', 'or'])} {e()})"
        if choice == 2 and functions:
            name, arguments = self.pick(functions)
            return f"{name}({self.arguments(scope, arguments, depth)})"
        if choice == 3:
            return f"(lambda a, b={e()}: {self.pick(['a', 'b', '(a, b)', '[b, a]'])})({e()})"
        if choice == 4:
            return f"[{e()}, {e()}][{self.pick(['0', '1', '-1', e('int')])}]"
        if choice == 5:
            return f"{e('dict')}.get({e('any' if self.chance(0.2) else 'str')}, {e()})"
        if choice == 6:
            return f"next(iter({e('list')}), {e()})"
        if choice == 7:
            target = f"w{self.random.randrange(3)}"
            return f"({target} := {e()})"
        return e()

    def arguments(self, scope, arguments, depth):
        given = [self.expression(scope, None if self.chance(0.2) else "int", depth) for _ in range(arguments)]
        choice = self.random.randrange(12)
        if choice == 0 and given:
            given.pop()
        elif choice == 1:
            given.append(self.expression(scope, None, depth))
        elif choice == 2:
            given.append(f"*{self.expression(scope, 'list', depth)}")
        elif choice == 3:
            given.append(f"**{self.expression(scope, 'dict', depth)}")
        elif choice == 4:
            given.append(f"{self.pick(['a', 'b', 'c', 'key'])}={self.expression(scope, None, depth)}")
        return ", ".join(given)

    # Numbers ---------------------------------------------------------------------------------------------------------------

    def int_expression(self, scope, _kind, depth):
        e = lambda kind: self.expression(scope, kind, depth)
        small = self.random.randint(0, 9)
        return self.pick([
            lambda: f"({e('int')} {self.pick(['+', '-', '*', '//', '%', '&', '|', '^'])} {e('int')})",
            lambda: f"({e('int')} {self.pick(['<<', '>>', '**'])} {small})",
            lambda: f"len({e(self.pick(['str', 'list', 'dict', 'tuple', 'set']))})",
            lambda: f"{self.pick(['-', '~', '+'])}{e('int')}",
            lambda: f"int({e(self.pick(['float', 'str', 'bool', 'int']))})",
            lambda: f"sum({e('list')})",
            lambda: f"{self.pick(['min', 'max'])}({e('int')}, {e('int')})",
            lambda: f"{e('list')}.{self.pick(['index', 'count'])}({e('int')})",
            lambda: f"{e('str')}.{self.pick(['find', 'count', 'index', 'rfind'])}({e('str')})",
            lambda: f"ord({e('str')}[:1] or 'q')",
            lambda: f"divmod({e('int')}, {e('int')})[{self.random.randint(0, 1)}]",
            lambda: f"abs(hash({e('int')}))",
            lambda: f"pow({e('int')}, {small}, {e('int')})",
            lambda: f"round({e('float')})",
        ])()

    def float_expression(self, scope, _kind, depth):
        e = lambda kind: self.expression(scope, kind, depth)
        number = self.pick(["int", "float"])
        return self.pick([
            lambda: f"({e('float')} {self.pick(['+', '-', '*', '/', '//', '%'])} {e(number)})",
            lambda: f"({e(number)} / {e(number)})",
            lambda: f"float({e(self.pick(['int', 'str', 'float']))})",
            lambda: f"round({e('float')}, {self.random.randint(-2, 4)})",
            lambda: f"abs({e('float')})",
            lambda: f"sum([{e('float')}, {e(number)}])",
            lambda: f"-{e('float')}",
        ])()

    def bool_expression(self, scope, _kind, depth):
        e = lambda kind: self.expression(scope, kind, depth)
        kind = self.kind()
        return self.pick([
            lambda: f"({e(kind)} {self.pick(['==', '!=', 'is not', '==', '!='])} {e(kind)})" if kind not in ("set",) else f"({e('set')} <= {e('set')})",
            lambda: f"({e('int')} {self.pick(['<', '<=', '>', '>='])} {e(self.pick(['int', 'float', 'int']))})",
            lambda: f"({e('int')} < {e('int')} <= {e('float')} != {e('int')})",
            lambda: f"not {e(kind)}",
            lambda: f"({e('any')} is None)",
            lambda: f"({e('str')} {self.pick(['in', 'not in'])} {e(self.pick(['str', 'list', 'dict', 'tuple']))})",
            lambda: f"isinstance({e(kind)}, {self.pick(['int', 'str', '(list, tuple)', 'dict', 'int | str'])})",
            lambda: f"{self.pick(['any', 'all', 'bool'])}({e('list')})",
            lambda: f"({e('list')} < {e('list')})",
            lambda: f"{e('str')}.{self.pick(['isdigit', 'isalpha', 'isupper', 'isidentifier', 'isspace'])}()",
            lambda: f"{e('str')}.{self.pick(['startswith', 'endswith'])}({e(self.pick(['str', 'tuple']))})",
        ])()

    # Texts -----------------------------------------------------------------------------------------------------------------

    def str_expression(self, scope, _kind, depth):
        e = lambda kind: self.expression(scope, kind, depth)
        kind = self.kind()
        return self.pick([
            lambda: f"({e('str')} + {e('str')})",
            lambda: f"({e('str')} * {self.random.randint(0, 3)})",
            lambda: self.f_string(scope, depth),
            lambda: self.f_string(scope, depth),
            lambda: f"{self.pick(['str', 'repr', 'ascii'])}({e(kind if kind != 'set' else 'list')})",
            lambda: f"{e('str')}{self.subscript(scope, depth)}",
            lambda: f"{e('str')}.{self.pick(['upper', 'lower', 'title', 'strip', 'swapcase', 'capitalize', 'casefold', 'lstrip'])}()",
            lambda: f"{e('str')}.join(map(str, {e('list')}))",
            lambda: f"{e('str')}.replace({e('str')}, {e('str')})",
            lambda: f"{e('str')}.{self.pick(['center', 'ljust', 'zfill', 'rjust'])}({self.random.randint(0, 12)})",
            lambda: f"({self.pick(['%s', '%5s', '%r', '%d', '%-6d|', '%+.2f', '%x', '%05.1f', '%c', '%%'])!r} % {e(self.pick(['int', 'float', 'str', 'tuple']))})",
            lambda: f"'{self.pick(['{}', '{0}-{0}', '{:>8}', '{!r}', '{a}', '{0[0]}', '{:{}}'])}'.format({e(kind if kind != 'set' else 'int')})",
            lambda: f"format({e('int')}, {self.pick(SPECS['int'])!r})",
            lambda: f"type({e(kind)}).__name__",
            lambda: f"{self.pick(['hex', 'bin', 'oct', 'chr'])}({e('int')})",
        ])()

    def f_string(self, scope, depth):
        parts = []
        for _ in range(self.random.randint(1, 3)):
            if self.chance(0.3):
                parts.append(self.pick(["x=", " ", "{{}}", "é", "%"]))
            kind = self.pick(["int", "float", "str"])
            value = self.expression(scope, kind, depth - 1)
            if any(quote in value for quote in "\"\\") or "lambda" in value or ":=" in value or "f'" in value:
                value = self.leaf(scope, "int")
            equals = self.pick(["", "", "", "=", " = "])
            conversion = self.pick(["", "", "", "!r", "!s", "!a"])
            spec = self.pick(["", ":" + self.pick(SPECS[kind])])
            if self.chance(0.1):
                spec = f":>{{{self.random.randint(1, 12)}}}"
            if value.startswith("{"):
                value = f" {value}"
            if "!=" in value or ":" in value:
                value = f"({value})"
            parts.append("{" + value + equals + conversion + spec + "}")
        return 'f"' + "".join(parts) + '"'

    # Containers ------------------------------------------------------------------------------------------------------------

    def subscript(self, scope, depth):
        e = lambda: self.expression(scope, "int", 0) if self.chance(0.4) else str(self.random.randint(-4, 5))
        return self.pick([
            lambda: f"[{e()}]",
            lambda: f"[{e()}:{e()}]",
            lambda: f"[{e()}:]",
            lambda: f"[:{e()}]",
            lambda: f"[::{self.pick(['1', '-1', '2', '-2', e()])}]",
            lambda: f"[{e()}:{e()}:{self.pick(['1', '-1', '2'])}]",
        ])()

    def clauses(self, scope, depth):
        """The clauses of a comprehension, and the scope of its element."""
        inner = Scope(scope)
        text = ""
        for i in range(self.pick([1, 1, 1, 2])):
            name = f"{self.pick('xyz')}{i}"
            kind = "str" if self.chance(0.2) else "int"
            source = self.expression(scope if i == 0 else inner, "str", 1) if kind == "str" else self.pick([f"range({self.random.randint(0, 5)})", self.pick(CONSTANTS["list"][1:4:2]), self.expression(scope, "list", 0)])
            source = source if ":=" not in source else "range(2)"
            text += f" for {name} in {source}"
            inner.names[name] = kind
            if self.chance(0.4):
                condition = self.expression(inner, "bool", 1)
                text += f" if {condition}" if ":=" not in condition else ""
        return text, inner

    def element(self, scope, kind, depth):
        value = self.expression(scope, kind, depth)
        return value if ":=" not in value else self.leaf(scope, kind)

    def list_expression(self, scope, _kind, depth):
        e = lambda kind: self.expression(scope, kind, depth)
        clauses, inner = self.clauses(scope, depth)
        return self.pick([
            lambda: f"[{self.element(inner, self.kind(), depth)}{clauses}]",
            lambda: f"[{self.element(inner, 'int', depth)}{clauses}]",
            lambda: f"[{e('int')}, *{e(self.pick(['list', 'tuple', 'str']))}, {e(self.kind())}]",
            lambda: f"({e('list')} + {e('list')})",
            lambda: f"({e('list')} * {self.random.randint(-1, 3)})",
            lambda: f"{e('list')}{self.subscript(scope, depth)}",
            lambda: f"sorted({e(self.pick(['list', 'set', 'str']))}{self.pick(['', ', reverse=True', ', key=str', ', key=lambda v: -v'])})",
            lambda: f"list({self.pick(['map', 'filter'])}({self.pick(['str', 'bool', 'len', 'None', 'lambda v: v + v'])}, {e('list')}))",
            lambda: f"list(zip({e('list')}, {e('str')}{self.pick(['', ', strict=True'])}))",
            lambda: f"list(enumerate({e(self.pick(['list', 'str', 'tuple']))}{self.pick(['', ', 5', ', start=-1'])}))",
            lambda: f"{e('str')}.{self.pick(['split', 'splitlines', 'rsplit'])}()",
            lambda: f"list({e('dict')}.{self.pick(['items', 'keys', 'values'])}())",
            lambda: f"list(reversed({e('list')}))",
            lambda: f"list({self.element(inner, 'int', depth)}{clauses})",
        ])()

    def dict_expression(self, scope, _kind, depth):
        e = lambda kind: self.expression(scope, kind, depth)
        clauses, inner = self.clauses(scope, depth)
        return self.pick([
            lambda: f"{{{self.element(inner, self.pick(['int', 'str']), depth)}: {self.element(inner, self.kind(), depth)}{clauses}}}",
            lambda: f"{{{e('str')}: {e(self.kind())}, **{e('dict')}}}",
            lambda: f"({e('dict')} | {e('dict')})",
            lambda: f"dict({e('list')})",
            lambda: f"dict.fromkeys({e(self.pick(['str', 'list', 'tuple']))}, {e('int')})",
            lambda: f"{{{e('int')}: {e('str')}, {e(self.pick(['bool', 'float', 'tuple', 'list']))}: {e('int')}}}",
        ])()

    def tuple_expression(self, scope, _kind, depth):
        e = lambda kind: self.expression(scope, kind, depth)
        return self.pick([
            lambda: f"({e(self.kind())}, {e('int')})",
            lambda: f"({e('tuple')} + {e('tuple')})",
            lambda: f"tuple({e(self.pick(['list', 'str', 'dict']))})",
            lambda: f"{e('tuple')}{self.subscript(scope, depth)}",
            lambda: f"(*{e('list')}, {e('str')})",
            lambda: f"divmod({e('int')}, {e('int')})",
            lambda: f"{e('str')}.partition({e('str')})",
            lambda: f"({e('tuple')} * {self.random.randint(0, 3)})",
        ])()

    def set_expression(self, scope, _kind, depth):
        e = lambda kind: self.expression(scope, kind, depth)
        return self.pick([
            lambda: f"({e('set')} {self.pick(['|', '&', '-', '^'])} {e('set')})",
            lambda: f"{{{e('int')}, {e('int')}}}",
            lambda: f"set(v for v in range({self.random.randint(0, 12)}) if v % {self.random.randint(1, 4)} == 0)",
            lambda: f"{e('set')}.{self.pick(['union', 'difference', 'intersection'])}({self.pick(['[1, 2]', 'range(4)', '(3,)'])})",
        ])()

    def any_expression(self, scope, _kind, depth):
        return self.expression(scope, self.kind(), depth)
