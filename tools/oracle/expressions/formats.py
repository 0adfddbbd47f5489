"""Random expressions of formatting: `%`, `format`, `str.format`, f-strings."""


class Formats:
    def __init__(self, values):
        self.v = values

    def spec(self, types="bcdeEfFgGnosxX%"):
        v = self.v
        text = ""
        if v.chance(0.35):
            text += v.pick(["", "", "*", "é", "😀", "0", " "]) + v.pick(["<", ">", "^", "="])
        if v.chance(0.25):
            text += v.pick(["+", "-", " "])
        if v.chance(0.05):
            text += "z"
        if v.chance(0.2):
            text += "#"
        if v.chance(0.2):
            text += "0"
        if v.chance(0.6):
            text += str(v.random.randint(0, 25))
        if v.chance(0.2):
            text += v.pick([",", "_"])
        if v.chance(0.4):
            text += "." + str(v.random.choice([0, 1, 2, 3, 5, 10, 17, 20, 40, 120]) if v.chance(0.95) else "")
        if v.chance(0.75):
            text += v.random.choice(types)
        if v.chance(0.02):
            text += v.pick(["q", "d", "\x01", "{", "é"])
        return text

    def format(self):
        v = self.v
        kind = v.random.random()
        if kind < 0.4:
            return f"format({v.float()}, {self.spec('eEfFgGn%')!r})"
        if kind < 0.65:
            return f"format({v.int()}, {self.spec('bcdoxXneEfgG%')!r})"
        if kind < 0.8:
            return f"format({v.text()}, {self.spec('s')!r})"
        if kind < 0.87:
            return f"format({v.complex()}, {self.spec('eEfFgG')!r})"
        return f"format({v.any()}, {self.spec()!r})"

    def percent(self):
        v = self.v
        spec = "%" + "".join(v.random.sample("-+ #0", v.random.choice([0, 0, 1, 1, 2, 3])))
        arguments = []
        if v.chance(0.06):
            spec += "*"
            arguments.append(v.mostly(v.small))
        elif v.chance(0.5):
            spec += str(v.random.randint(0, 20))
        if v.chance(0.06):
            spec += ".*"
            arguments.append(v.mostly(v.small))
        elif v.chance(0.4):
            spec += "." + str(v.random.choice(["", 0, 1, 2, 3, 5, 10, 17, 30, 120]))
        if v.chance(0.05):
            spec += v.pick("hlL")
        kind = v.pick("diuoxXeEfFgGcrsa%")
        if v.chance(0.02):
            kind = v.pick("qzé(b")
        spec += kind
        if kind in "rsa":
            arguments.append(v.any())
        elif kind == "c":
            arguments.append(v.pick([v.text, lambda: v.small(60, 130), v.any])())
        else:
            arguments.append(v.mostly(v.real, 0.93))
        arguments += [v.any()] * (v.chance(0.03))
        text = v.pick(["", "x", "%%", "a "]) + spec + v.pick(["", "|", "%%", " end"])
        if len(arguments) == 1 and v.chance(0.5) and not arguments[0].startswith("("):
            return f"{text!r} % {v.pick(['', ''])}({arguments[0]})"
        return f"{text!r} % ({', '.join(arguments)},)"

    def percent_named(self):
        v = self.v
        name = v.pick(["a", "b", "a b", ""])
        return f"{'%(' + name + ')' + v.pick(['s', 'd', '5.2f', '-8s|', 'r', '']) !r} % {v.pick(['{' + repr(name) + ': ' + v.any() + '}', v.other()])}"

    def percent_bytes(self):
        v = self.v
        spec = "%" + v.pick(["", "-", "0", "+", "#"]) + v.pick(["", "5", "10"]) + v.pick(["", ".2", ".0"]) + v.pick("sbdxofgcra")
        return f"{ascii(spec.encode())} % ({v.pick([v.data, v.real, v.any])()},)"

    def field(self):
        v = self.v
        name = v.pick(["", "", "", "0", "1", "2", "a", "b", "a.real", "0.imag", "a[0]", "0[1]", "b[k]", "0.x", "a.", "a[", "[0]", "-1", "3"])
        conversion = v.pick(["", "", "", "!r", "!s", "!a", "!x", "!"]) if v.chance(0.4) else ""
        spec = ""
        if v.chance(0.6):
            spec = ":" + v.pick([self.spec(), self.spec("dfs"), "{}", ">{0}", "{a}", "{b}.2f", "{0}{1}", "{:{}}"])
        return "{" + name + conversion + spec + "}"

    def str_format(self):
        v = self.v
        text = v.pick(["", "x", "{{", "}}", "é"]) + self.field() + v.pick(["", " ", "{{}}"]) + (self.field() if v.chance(0.5) else "") + v.pick(["", "", "}", "{"] if v.chance(0.05) else [""])
        first = v.pick([v.float, v.text, lambda: v.small(0, 12), lambda: v.small(0, 12), lambda: "[1, 2]", v.other])()
        return f"{text!r}.format({first}, {v.pick([v.float, v.text, lambda: v.small(0, 9)])()}, a={v.pick([v.float, v.text, v.other, lambda: v.small(0, 9), lambda: '[5]'])()}, b={v.pick([lambda: v.small(0, 9), lambda: '{' + repr('k') + ': 5}'])()})"

    def f_string(self):
        v = self.v
        value = v.pick([v.real, lambda: v.text().replace("'", '"') if "'" not in v.text() else '"x"'])()
        if "\\" in value or "'" in value or "{" in value:
            value = v.float().replace("'", '"')
        spec = self.spec("dfsgex").replace("'", "").replace("{", "").replace("}", "")
        if "\\" in repr(spec):
            spec = ""
        return f"f'{{{value}{v.pick(['', '', '!r', '!s', '!a'])}{v.pick(['', ':' + spec, ':' + spec])}}}'"

    def expression(self):
        v = self.v
        return v.pick([self.format, self.format, self.format, self.percent, self.percent, self.percent_named, self.percent_bytes, self.str_format, self.str_format, self.f_string])()
