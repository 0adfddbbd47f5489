"""Random statements: simple ones, loops, `try`, `with`, `match`, functions, classes and generators. All of them end."""

from expressions import ERRORS, LETTERS, Expressions, Scope


class Statements(Expressions):
    def __init__(self, random):
        super().__init__(random)
        self.count = 0

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def block(self, scope, size, depth, **inside):
        lines = []
        for _ in range(self.random.randint(1, size)):
            lines += self.statement(scope, depth, **inside)
        return ["    " + line for line in lines]

    def statement(self, scope, depth, loop=False, function=False, generator=False):
        inside = {"loop": loop, "function": function, "generator": generator}
        makers = [self.assign] * 4 + [self.show] * 4 + [self.augmented, self.unpack, self.item, self.method, self.delete, self.check]
        if depth > 0:
            makers += [self.if_, self.for_, self.while_, self.try_, self.try_, self.with_, self.match_, self.def_, self.class_, self.generator_, self.try_star]
        if self.chance(0.08):
            makers = [self.raise_]
        if loop and self.chance(0.1):
            return [f"if {self.expression(scope, 'bool', 1)}: {self.pick(['break', 'continue'])}"]
        if function and self.chance(0.08):
            return [f"return {self.expression(scope)}"]
        if generator and self.chance(0.35):
            return [self.yield_(scope)]
        maker = self.pick(makers)
        if maker in (self.if_, self.for_, self.while_, self.try_, self.with_, self.match_):
            return maker(scope, depth - 1, inside)
        return maker(scope, depth - 1)

    # Simple statements -----------------------------------------------------------------------------------------------------

    def assign(self, scope, _depth):
        kind = self.kind()
        value = self.expression(scope, kind)
        name = self.fresh("v") if self.chance(0.15) else f"{LETTERS[kind]}{self.random.randrange(3)}"
        scope.names[name] = kind
        if self.chance(0.1):
            return [f"{name} = {kind}_copy = {value}"]
        return [f"{name}: {self.pick(['int', 'str', 'object'])} = {value}" if self.chance(0.1) else f"{name} = {value}"]

    def show(self, scope, _depth):
        values = []
        for _ in range(self.random.randint(1, 2)):
            kind = self.kind()
            value = self.expression(scope, kind)
            values.append(value)
        return [f"print({', '.join(values)}{self.pick(['', '', '', ', sep=chr(124)', ', end=chr(59) + chr(10)'])})"]

    def augmented(self, scope, _depth):
        names = [(name, kind) for name, kind in scope.names.items() if kind in ("int", "float", "str", "list", "set", "tuple")]
        if not names:
            return self.assign(scope, 0)
        name, kind = self.pick(names)
        operators = {"int": ["+=", "-=", "*=", "//=", "%=", "|=", "<<="], "float": ["+=", "*=", "/="], "str": ["+="], "list": ["+="], "tuple": ["+="], "set": ["|=", "&=", "-="]}
        operator = self.pick(operators[kind])
        return [f"{name} {operator} {self.expression(scope, kind, 1) if operator != '<<=' else self.random.randint(0, 9)}"]

    def unpack(self, scope, _depth):
        first, second = self.fresh("u"), self.fresh("u")
        pattern = self.pick([f"{first}, {second}", f"{first}, *{second}", f"*{first}, {second}", f"[{first}, ({second}, _)]", f"{first}, _, *{second}"])
        scope.names[first] = "int"
        scope.names[second] = "list" if f"*{second}" in pattern else "int"
        return [f"{pattern} = {self.expression(scope, self.pick(['list', 'tuple', 'str', 'dict']), 1)}"]

    def item(self, scope, _depth):
        names = [(name, kind) for name, kind in scope.all("names").items() if kind in ("list", "dict")]
        if not names:
            return self.assign(scope, 0)
        name, kind = self.pick(names)
        if kind == "dict":
            return [f"{name}[{self.expression(scope, self.pick(['str', 'int']), 1)}] = {self.expression(scope, None, 1)}"]
        if self.chance(0.4):
            return [f"{name}{self.subscript(scope, 1)} = {self.expression(scope, self.pick(['list', 'str', 'tuple']), 1)}"]
        return [f"{name}[{self.expression(scope, 'int', 0)}] {self.pick(['=', '=', '+='])} {self.expression(scope, 'int', 1)}"]

    def method(self, scope, _depth):
        names = [(name, kind) for name, kind in scope.all("names").items() if kind in ("list", "dict", "set")]
        if not names:
            return self.assign(scope, 0)
        name, kind = self.pick(names)
        e = lambda kind_: self.expression(scope, kind_, 1)
        calls = {
            "list": [lambda: f"append({e(None)})", lambda: f"extend({e('list')})", lambda: f"insert({e('int')}, {e('int')})", lambda: f"pop({self.pick(['', '0', '-1', e('int')])})", lambda: f"remove({e('int')})", lambda: "reverse()", lambda: "sort()", lambda: "sort(key=repr)"],
            "dict": [lambda: f"update({e('dict')})", lambda: f"setdefault({e('str')}, {e(None)})", lambda: f"pop({e('str')}{self.pick(['', ', None'])})", lambda: "popitem()", lambda: "copy()"],
            "set": [lambda: f"add({e('int')})", lambda: f"discard({e('int')})", lambda: f"remove({e('int')})", lambda: f"update({e('set')})"],
        }
        return [f"print({name}.{self.pick(calls[kind])()}, {name})"]

    def delete(self, scope, _depth):
        names = [(name, kind) for name, kind in scope.names.items() if kind in ("list", "dict", "int")]
        if not names:
            return self.assign(scope, 0)
        name, kind = self.pick(names)
        if kind == "int":
            if self.chance(0.7):
                return self.show(scope, 0)
            del scope.names[name]
            return [f"del {name}"]
        return [f"del {name}{self.subscript(scope, 1)}" if kind == "list" else f"del {name}[{self.expression(scope, 'str', 1)}]"]

    def check(self, scope, _depth):
        return [f"assert {self.expression(scope, 'bool', 1)}{self.pick(['', ', ' + self.expression(scope, 'str', 1)])}"]

    def raise_(self, scope, _depth):
        error = self.pick(ERRORS[:-1])
        call = f"{error}({self.pick(['', self.expression(scope, 'str', 1), self.expression(scope, 'int', 1) + ', 2'])})"
        return [f"if {self.expression(scope, 'bool', 1)}: raise {self.pick([call, call, error])}{self.pick(['', '', '', ' from None', ' from KeyError(1)', ' from ZeroDivisionError'])}"]

    # Blocks ----------------------------------------------------------------------------------------------------------------

    def if_(self, scope, depth, inside):
        lines = [f"if {self.expression(scope, 'bool')}:", *self.block(scope, 3, depth, **inside)]
        if self.chance(0.3):
            lines += [f"elif {self.expression(scope, None, 1)}:", *self.block(scope, 2, depth, **inside)]
        if self.chance(0.5):
            lines += ["else:", *self.block(scope, 2, depth, **inside)]
        return lines

    def for_(self, scope, depth, inside):
        name = self.fresh("i")
        kind = self.pick(["int", "int", "str", "pair"])
        sources = {"int": [f"range({self.random.randint(0, 4)})", "[4, 1, 3]", f"range({self.random.randint(0, 9)}, -3, -2)"], "str": ["'abc'", self.expression(scope, "str", 1) + "[:4]"], "pair": ["enumerate('xy')", "{'a': 1, 'b': 2}.items()", "zip((1, 2), 'pq')", self.expression(scope, "list", 1) + "[:4]"]}
        target = name
        if kind == "pair":
            target = f"{name}, {name}_"
            scope.names[f"{name}_"] = "any"
        lines = [f"for {target} in {self.pick(sources[kind])}:"]
        scope.names[name] = {"int": "int", "str": "str", "pair": "any"}[kind]
        lines += self.block(scope, 3, depth, **{**inside, "loop": True})
        if self.chance(0.25):
            lines += ["else:", *self.block(scope, 1, depth, **inside)]
        return lines

    def while_(self, scope, depth, inside):
        name = self.fresh("n")
        scope.names[name] = "int"
        lines = [f"{name} = 0", f"while {name} < {self.random.randint(1, 4)}{self.pick(['', ' and ' + self.expression(scope, 'bool', 1)])}:", f"    {name} += 1"]
        lines += [line.replace(f"{name} = ", "last = ").replace(f"{name} -= ", "last = ") for line in self.block(scope, 3, depth, **{**inside, "loop": True})]
        if self.chance(0.25):
            lines += ["else:", *self.block(scope, 1, depth, **inside)]
        return lines

    def try_(self, scope, depth, inside):
        lines = ["try:", *self.block(scope, 3, depth, **inside)]
        handlers = self.random.randint(0, 2)
        for i in range(handlers):
            name = f"e{self.random.randrange(3)}"
            types = self.pick([self.pick(ERRORS), f"({self.pick(ERRORS)}, {self.pick(ERRORS)})", "Exception"])
            lines.append(f"except {types} as {name}:")
            lines.append(f"    print({self.pick([f'type({name}).__name__, {name}', f'repr({name})', f'{name}.args', f'repr({name}.__context__)', f'repr({name}.__cause__)'])})")
            lines += self.block(scope, 2, depth, **inside)
            if self.chance(0.2):
                lines.append(f"    {self.pick(['raise', f'raise {self.pick(ERRORS[:-1])}(7) from {name}', f'raise {self.pick(ERRORS[:-1])}(8)', f'raise {name}', 'traceback.print_exc(file=sys.stdout)'])}")
        if handlers and self.chance(0.2):
            lines += ["except:", "    print(repr(sys.exc_info()[1]))"]
        if handlers and self.chance(0.3):
            lines += ["else:", *self.block(scope, 1, depth, **inside)]
        if not handlers or self.chance(0.3):
            lines += ["finally:", *self.block(scope, 2, depth, **inside)]
        return lines

    def try_star(self, scope, depth):
        errors = [f"{self.pick(ERRORS[:-1])}({i})" for i in range(self.random.randint(1, 4))]
        group = f"ExceptionGroup('g', [{', '.join(errors)}])"
        if self.chance(0.3):
            group = f"ExceptionGroup('h', [{group}, {self.pick(ERRORS[:-1])}('x')])"
        lines = ["try:", f"    raise {self.pick([group, group, errors[0]])}"]
        for i in range(self.random.randint(1, 2)):
            lines += [f"except* {self.pick([self.pick(ERRORS), f'({self.pick(ERRORS)}, {self.pick(ERRORS)})', 'Exception'])} as g{i}:", f"    print(repr(g{i}))"]
            if self.chance(0.3):
                lines.append(f"    {self.pick(['raise', f'raise {self.pick(ERRORS[:-1])}(9)', f'raise {self.pick(ERRORS[:-1])}(9) from g{i}'])}")
        if self.chance(0.2):
            lines += ["finally:", *self.block(scope, 1, 0)]
        if self.chance(0.7):
            lines = ["try:", *("    " + line for line in lines), "except BaseException:", "    traceback.print_exc(file=sys.stdout)"]
        return lines

    def with_(self, scope, depth, inside):
        name = self.fresh("m")
        scope.names[name] = "any"
        manager = lambda: self.pick([f"Manager({self.expression(scope, 'int', 1)})", f"Manager({self.expression(scope, 'str', 1)}, {self.pick(['True', 'False', self.pick(ERRORS)])})", f"managed({self.expression(scope, 'int', 0)})", f"contextlib.suppress({self.pick(ERRORS)})"])
        head = self.pick([f"with {manager()} as {name}:", f"with {manager()}, {manager()} as {name}:", f"with ({manager()}, {manager()} as {name}):", f"with {manager()}:"])
        if name not in head:
            del scope.names[name]
        return [head, *self.block(scope, 3, depth, **inside)]

    def pattern(self, depth=2):
        name = self.fresh("p")
        if depth == 0:
            return self.pick([name, "_", "1", "'a'", "None", "-1", "2.5", "True", "int()", f"str() as {name}"])
        p = lambda: self.pattern(depth - 1)
        return self.pick([
            lambda: name,
            lambda: f"[{p()}, {p()}]",
            lambda: f"({p()}, *{name})",
            lambda: f"[*_, {p()}]",
            lambda: f"{{'a': {p()}, **{name}}}",
            lambda: f"{{'k': {p()}, 1: {p()}}}",
            lambda: f"1 | 2 | {self.pick(['3', '-4', chr(39) + 'a' + chr(39)])}",
            lambda: f"int({name})",
            lambda: f"Point(x={p()}, y={p()})",
            lambda: f"Point({p()}, {p()})",
            lambda: f"({p()}) as {name}",
            lambda: f"{{}}",
            lambda: f"sys.maxsize",
        ])()

    def match_(self, scope, depth, inside):
        subject = self.pick([self.expression(scope, None, 1), self.expression(scope, "list", 1), self.expression(scope, "dict", 1), f"Point({self.expression(scope, 'int', 1)}, {self.expression(scope, 'str', 0)})"])
        lines = [f"match {subject}:"]
        for _ in range(self.random.randint(1, 4)):
            pattern = self.pattern()
            guard = f" if {self.expression(scope, 'bool', 1)}" if self.chance(0.3) or pattern.isidentifier() else ""
            lines.append(f"    case {pattern}{guard}:")
            bound = [each for each in ("".join(c if c.isalnum() or c == "_" else " " for c in pattern)).split() if each[0] == "p" and each[1:].isdigit()]
            lines.append(f"        print({', '.join(['chr(42)', *bound])})")
            lines += ["    " + line for line in self.block(scope, 1, depth, **inside)]
        if self.chance(0.5):
            lines += ["    case _:", *("    " + line for line in self.block(scope, 1, depth, **inside))]
        return lines

    # Functions, generators and classes ---------------------------------------------------------------------------------------

    def parameters(self, scope):
        """The text of the parameters, their names, and how many must be given."""
        names = list("abc"[: self.random.randint(0, 3)])
        texts = list(names)
        needed = len(names)
        if names and self.chance(0.4):
            texts[-1] += f"={self.expression(scope, 'int', 1)}"
            needed -= self.random.randint(0, 1)
        if self.chance(0.15) and len(names) > 1:
            texts.insert(1, "/")
        if self.chance(0.25):
            texts.append("*args")
            names.append("args")
        if self.chance(0.2):
            texts += (["*"] if "*args" not in texts else []) + [f"key={self.expression(scope, 'int', 1)}"]
            names.append("key")
        if self.chance(0.2):
            texts.append("**kwargs")
            names.append("kwargs")
        return ", ".join(texts), names, needed

    def inner(self, scope, names):
        inner = Scope(scope)
        for name in names:
            inner.names[name] = {"args": "tuple", "kwargs": "dict", "key": "int", "self": "any"}.get(name, "int")
        return inner

    def outer_names(self, scope):
        """A `global` or `nonlocal` declaration for a name outside, now and then."""
        outside = [name for name, kind in scope.names.items() if kind == "int" and scope.parent is not None]
        if outside and self.chance(0.4):
            name = self.pick(outside)
            return [f"    nonlocal {name}"], [name]
        return [], []

    def def_(self, scope, depth):
        name = self.fresh("f")
        texts, names, needed = self.parameters(scope)
        inner = self.inner(scope, names)
        lines = [f"def {name}({texts}):"]
        body = self.block(inner, 4, depth, function=True)
        decorator = [self.pick(["@traced", "@functools.wraps(len)", "@functools.lru_cache(None)"])] if self.chance(0.1) else []
        scope.functions[name] = needed
        result = [*decorator, *lines, *body, f"    return {self.expression(inner)}"]
        return [*result, f"print({name}({self.arguments(scope, needed, 1)}))"]

    def yield_(self, scope):
        return self.pick([
            lambda: f"yield {self.expression(scope)}",
            lambda: f"s = yield {self.expression(scope, 'int', 1)}",
            lambda: f"print('got', (yield {self.expression(scope, 'str', 1)}))",
            lambda: f"yield from {self.expression(scope, self.pick(['list', 'str', 'tuple']), 1)}",
            lambda: "yield",
        ])()

    def generator_(self, scope, depth):
        name, it = self.fresh("g"), self.fresh("it")
        inner = self.inner(scope, ["a"])
        lines = [f"def {name}(a=1):", *self.block(inner, 4, depth, function=True, generator=True), f"    {self.yield_(inner)}"]
        uses = [
            f"print(list({name}({self.random.randint(0, 3)})))",
            f"{it} = {name}()",
            f"print(next({it}, 'end'), next({it}, 'end'))",
        ]
        steps = [f"print({it}.send({self.expression(scope, 'int', 1)}))", f"print({it}.throw({self.pick(ERRORS[:-1])}('thrown')))", f"print({it}.close())", f"print([*{it}])", f"for q in {it}: print('q', q)"]
        return lines + uses + [self.pick(steps) for _ in range(self.random.randint(0, 2))]

    METHODS = ["__add__", "__eq__", "__lt__", "__len__", "__getitem__", "__contains__", "__iter__", "__call__", "__bool__", "__str__", "__radd__", "__getattr__", "__hash__", "__format__", "__iadd__", "__neg__"]

    def class_(self, scope, depth):
        name = self.fresh("C")
        bases = list(scope.all("classes"))
        chosen = self.random.sample(bases, min(len(bases), self.random.randint(0, 2))) if bases else []
        lines = [f"class {name}({', '.join(chosen)}):" if chosen else f"class {name}:"]
        body = [f"    z = {self.expression(scope, 'int', 1)}"]
        inner = self.inner(scope, ["self", "a"])
        inner.names["self.v"] = "int"
        if self.chance(0.8):
            body += ["    def __init__(self, a=0):", f"        self.v = {self.pick(['a', self.expression(self.inner(scope, ['a']), 'int', 1)])}"]
            if chosen and self.chance(0.6):
                body.append("        super().__init__(a)")
        body += ["    def __repr__(self):", f"        return f'{name}<{{getattr(self, chr(118), None)}}>'"]
        for method in self.random.sample(self.METHODS, self.random.randint(0, 3)):
            other = "" if method in ("__len__", "__iter__", "__bool__", "__str__", "__hash__", "__neg__") else ", a"
            value = {"__len__": "int", "__iter__": "list", "__bool__": "bool", "__str__": "str", "__hash__": "int", "__format__": "str", "__getattr__": "str"}.get(method)
            result = self.expression(self.inner(scope, ["a"] if other else []), value, 1)
            if method == "__iter__":
                result = f"iter({result})"
            if method == "__getattr__" and self.chance(0.5):
                body += [f"    def {method}(self{other}):", "        raise AttributeError(a)"]
            else:
                body += [f"    def {method}(self{other}):", *self.maybe_show(method), f"        return {self.pick([result, result, 'NotImplemented', 'self.v']) if value is None else result}"]
        if self.chance(0.4):
            body += ["    @property", "    def p(self):", f"        return {self.expression(inner, None, 1)}"]
            if self.chance(0.5):
                body += ["    @p.setter", "    def p(self, value):", "        self.v = value"]
        if self.chance(0.4):
            body += [self.pick(["    @classmethod", "    @staticmethod"]), "    def make(*a):", "        return len(a), getattr(a[0], '__name__', a[0]) if a else None"]
        if self.chance(0.5):
            body += [f"    def method(self, a=1, *args):", *("    " + line for line in self.block(inner, 2, min(depth, 1), function=True)), f"        return {self.pick(['self', 'a', 'super().method(a)' if chosen else 'args', 'self.z'])}"]
        if self.chance(0.15):
            body.append(f"    __slots__ = ('v', 'w')")
        scope.classes[name] = True
        o = self.fresh("o")
        lines += body + [f"{o} = {name}({self.pick(['', '1', self.expression(scope, 'int', 1)])})"]
        scope.names[o] = "any"
        uses = [f"print({o})", f"print({o}.method({self.random.randint(0, 3)}))", f"print({o} + {self.expression(scope, 'int', 1)})", f"print({o} == {self.expression(scope, 'int', 1)}, {o} == {o})", f"print(len({o}), bool({o}))", f"print({o}[{self.expression(scope, 'int', 1)}])", f"print({o}.p)", f"{o}.p = 3; print({o}.v)", f"print({o}.make(1), {name}.make())", f"print(list({o}))", f"print({o}.missing)", f"print([c.__name__ for c in {name}.__mro__])", f"print({o}(5))", f"print(1 in {o})", f"print(sorted([{o}, {name}()]) )", f"print(f'{{{o}!s:>12}}|{{{o}:5}}')", f"print(3 + {o}, -{o})", f"print({{{o}: 1}})", f"{o} += 2; print({o})", f"del {o}.v; print({o}.v)", f"print(vars({o}))", f"{o}.new = 1; print({o}.new)"]
        return lines + self.random.sample(uses, 3)

    def maybe_show(self, method):
        return [f"        print({method!r})"] if self.chance(0.3) else []
