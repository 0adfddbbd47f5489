"""Random TorchScript programs: one function `f` over typed arguments, and three sets of arguments. All of its loops end."""

import random
import re

from grammar import CHANGES, CHARS, CONSTANTS, EXPRESSIONS, HEAD, INDICES, INT_DIVISORS, KINDS, SLICES, SMALL, WEIGHTS

HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
ARGUMENT_KINDS = KINDS[:12] + ["Tuple[int, str]", "Optional[int]", "Optional[Tensor]", "Pair"]
PLAIN = {"index": INDICES, "small": SMALL, "divisor": INT_DIVISORS, "char": CHARS}


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        # Some programs hold mistakes of kind: their errors are compared too.
        self.mistakes = self.random.choice([0, 0, 0, 0, 0.02])

    def pick(self, values):
        return self.random.choice(values)

    def chance(self, share):
        return self.random.random() < share

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def kind(self):
        return self.random.choices(KINDS, WEIGHTS)[0]

    # Expressions -------------------------------------------------------------------------------------------------------------

    def expression(self, names, kind, depth=2):
        if self.chance(self.mistakes):
            kind = self.kind()
        found = [name for name, of in names.items() if of == kind]
        if found and self.chance(0.75 if depth <= 0 else 0.3):
            return self.pick(found)
        if depth <= 0 or self.chance(0.1):
            return self.pick(CONSTANTS[kind])
        return self.filled(names, self.template(EXPRESSIONS[kind]), depth - 1)

    def template(self, templates):
        refused = self.chance(self.mistakes)
        found = [template for template in templates if template.startswith("! ") == refused]
        return self.pick(found or templates).removeprefix("! ")

    def filled(self, names, template, depth):
        def fill(match):
            hole = match[1]
            if hole is None:
                return match[0][0]
            if hole in PLAIN:
                return self.pick(PLAIN[hole])
            if hole == "slice":
                return self.filled(names, self.pick(SLICES), 0)
            return self.expression(names, hole, depth)

        return HOLE.sub(fill, template)

    # Statements --------------------------------------------------------------------------------------------------------------

    def block(self, names, depth, inside, most=3):
        """A block; what it defines first stays inside, except in one case of twenty."""
        inner = dict(names)
        lines = []
        for _ in range(self.random.randint(1, most)):
            lines += self.statement(inner, depth, inside)
        if self.chance(0.05):
            names.update(inner)
        return ["    " + line for line in lines]

    def statement(self, names, depth, inside):
        makers = [self.define] * 4 + [self.assign] * 3 + [self.change] * 4 + [self.show] * 3 + [self.unpack, self.check]
        if depth > 0:
            makers += [self.if_, self.if_, self.for_, self.for_, self.while_, self.refine, self.nested]
        if inside["loop"] and self.chance(0.12):
            return [f"if {self.expression(names, 'bool', 1)}:", f"    {self.pick(['break', 'continue'])}"]
        if self.chance(0.04):
            return [f"if {self.expression(names, 'bool', 1)}:", f"    return {self.expression(names, inside['returns'], 1)}"]
        if self.chance(0.02):
            return [f"if {self.expression(names, 'bool', 1)}:", f"    raise {self.pick(['ValueError', 'RuntimeError', 'Exception', 'IndexError', 'NotImplementedError'])}({self.expression(names, 'str', 1)})"]
        return self.pick(makers)(names, depth, inside)

    def define(self, names, depth, inside):
        kind, name = self.kind(), self.fresh("v")
        value = self.expression(names, kind)
        # A variable of an Optional needs its type, or the type of what it got first is its own.
        line = f"{name}: {kind} = {value}" if kind.startswith("Optional") or self.chance(0.15) else f"{name} = {value}"
        names[name] = kind
        return [line]

    def assign(self, names, depth, inside):
        name = self.pick(list(names))
        return [f"{name} = {self.expression(names, names[name])}"]

    def change(self, names, depth, inside):
        found = [name for name, kind in names.items() if kind in CHANGES and not name.startswith("k")]
        if not found:
            return self.define(names, depth, inside)
        name = self.pick(found)
        return [self.filled(names, self.template(CHANGES[names[name]]).replace("NAME", name), 1)]

    def show(self, names, depth, inside):
        shown = ", ".join(self.expression(names, self.kind(), 1) for _ in range(self.random.randint(1, 2)))
        return [f"print({shown})"]

    def unpack(self, names, depth, inside):
        first, second = self.fresh("u"), self.fresh("u")
        pattern, kind, kinds = self.pick([
            (f"{first}, {second}", "Tuple[int, str]", ("int", "str")), (f"({first}, {second})", "Tuple[Tensor, float]", ("Tensor", "float")), (f"{first}, {second}", "Pair", ("int", "float")),
            (f"{first}, {second}", "List[int]", ("int", "int")), (f"{first}, *{second}", "List[int]", ("int", "List[int]")), (f"{first}, {second}", "Tensor", ("Tensor", "Tensor")), (f"{first} = {second}", "int", ("int", "int")),
        ])
        line = f"{pattern} = {self.expression(names, kind, 1)}"
        names[first], names[second] = kinds
        return [line]

    def check(self, names, depth, inside):
        return [f"assert {self.expression(names, 'bool', 1)}{self.pick(['', ', ' + self.expression(names, 'str', 1)])}"]

    def if_(self, names, depth, inside):
        lines = [f"if {self.expression(names, 'bool')}:", *self.block(names, depth - 1, inside)]
        if self.chance(0.2):
            lines += [f"elif {self.expression(names, 'bool', 1)}:", *self.block(names, depth - 1, inside)]
        if self.chance(0.6):
            kind, name = self.kind(), self.fresh("w")
            both = self.chance(0.5)
            if both:
                lines.append(f"    {name} = {self.expression(names, kind, 1)}")
            lines += ["else:", *self.block(names, depth - 1, inside)]
            if both and not kind.startswith("Optional") and not any(line.startswith("elif") for line in lines):
                lines.append(f"    {name} = {self.expression(names, kind, 1)}")
                names[name] = kind
        return lines

    def for_(self, names, depth, inside):
        name = self.fresh("k")
        second = self.fresh("k")
        header, kinds = self.pick([
            (f"{name} in range({{small}})", {name: "int"}), (f"{name} in range({{int}} % 5)", {name: "int"}), (f"{name} in range({{small}}, {{small}}, {{divisor}})", {name: "int"}), (f"{name} in {{List[int]}}.copy()", {name: "int"}), (f"{name} in {{List[str]}}.copy()", {name: "str"}),
            (f"{name} in {{str}}", {name: "str"}), (f"{name} in {{Tensor}}", {name: "Tensor"}), (f"{name}, {second} in enumerate({{List[str]}}.copy())", {name: "int", second: "str"}), (f"{name}, {second} in zip({{List[int]}}.copy(), {{List[float]}}.copy())", {name: "int", second: "float"}),
            (f"{name} in {{Dict[str, int]}}.copy()", {name: "str"}), (f"{name}, {second} in {{Dict[str, int]}}.copy().items()", {name: "str", second: "int"}), (f"{name} in {{Dict[int, float]}}.copy().values()", {name: "float"}), (f"{name} in {{List[Tensor]}}.copy()", {name: "Tensor"}), (f"{name} in [{{int}}, {{int}}]", {name: "int"}),
            (f"{name} in ({{int}}, {{int}})", {name: "int"}), (f"{name}, {second} in enumerate({{str}}, {{small}})", {name: "int", second: "str"}),
        ])
        header = self.filled(names, header, 1)
        inner = {**names, **kinds}
        lines = [f"for {header}:", *self.block(inner, depth - 1, {**inside, "loop": True})]
        if self.chance(0.05):
            names.update(kinds)
        return lines

    def while_(self, names, depth, inside):
        name = self.fresh("k")
        test = self.pick([f"{name} < {self.random.randint(1, 4)}", f"{self.expression(names, 'bool', 1)} and {name} < 3", f"{name} < 3 and {self.expression(names, 'bool', 1)}"])
        inner = {**names, name: "int"}
        body = self.block(inner, depth - 1, {**inside, "loop": True})
        return [f"{name} = 0", f"while {test}:", f"    {name} += 1", *body]

    def refine(self, names, depth, inside):
        found = [name for name, kind in names.items() if kind.startswith("Optional")]
        if not found:
            return self.if_(names, depth, inside)
        name = self.pick(found)
        inner = {**names, name: names[name][9:-1]}
        if self.chance(0.25):
            names[name] = inner[name]
            return [self.pick([f"assert {name} is not None", f"{name} = torch.jit._unwrap_optional({name})"])]
        test = self.pick([f"{name} is not None", f"{name} is not None and {self.expression(inner, 'bool', 1)}", f"not {name} is None"])
        lines = [f"if {test}:", *self.block(inner, depth - 1, inside)]
        if self.chance(0.4):
            lines += ["else:", *self.block(names, depth - 1, inside)]
        return lines

    def nested(self, names, depth, inside):
        return [f"with torch.no_grad():", *self.block(names, depth - 1, inside)] if self.chance(0.3) else self.if_(names, depth, inside)

    # Programs ----------------------------------------------------------------------------------------------------------------

    def program(self):
        arguments = {f"{'abcde'[i]}": self.pick(ARGUMENT_KINDS) for i in range(self.random.randint(1, 4))}
        names = dict(arguments)
        returns = self.kind()
        inside = {"loop": False, "returns": returns}
        lines = []
        for _ in range(self.random.randint(2, 7)):
            lines += self.statement(names, 2, inside)
        result = self.expression(names, returns, 1)
        annotation = f" -> {returns}" if returns.startswith("Optional") or self.chance(0.3) else ""
        shown = ", ".join(f"{name}: {kind}" for name, kind in arguments.items())
        body = "\n".join("    " + line for line in [*lines, f"return {result}"])
        sets = [f"({''.join(self.argument(kind) + ', ' for kind in arguments.values())})" for _ in range(3)]
        return f"{HEAD}\n\ndef f({shown}){annotation}:\n{body}\n\n\ndef arguments():\n    return [{', '.join(sets)}]\n"

    def argument(self, kind):
        value = self.pick(CONSTANTS[kind])
        return re.sub(r"^torch\.jit\.annotate\(.*, (.*)\)$", r"\1", value)


def program(seed):
    return Maker(seed).program()
