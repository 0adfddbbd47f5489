"""What random TorchScript programs are made of: constants, expressions and statements by kind. `{kind}` stands for another expression,
and what begins with `! ` is refused by the compiler."""

KINDS = [
    "Tensor", "int", "float", "bool", "str", "List[int]", "List[float]", "List[str]", "List[Tensor]", "Dict[str, int]", "Dict[int, float]", "Dict[str, Tensor]",
    "Tuple[int, str]", "Tuple[Tensor, float]", "Optional[int]", "Optional[str]", "Optional[Tensor]", "Pair", "Box", "List[List[int]]", "complex",
]
# How often a variable or a value of a kind is made.
WEIGHTS = [8, 8, 5, 4, 6, 5, 3, 3, 3, 4, 2, 2, 3, 2, 3, 2, 2, 3, 3, 1, 1]

CONSTANTS = {
    "Tensor": ["torch.ones(2, 3)", "torch.arange(6).reshape(2, 3)", "torch.tensor([1.5, -2.0, 3.25])", "torch.tensor(2)", "torch.zeros(3, dtype=torch.int64)", "torch.full((2, 2), 0.5)", "torch.tensor([[True, False, True]])", "torch.empty(0)", "torch.linspace(-1, 1, 3)", "torch.eye(3)"],
    "int": ["0", "1", "2", "3", "-1", "7", "10", "255", "9223372036854775807", "-4", "0x1f", "4611686018427387904"],
    "float": ["0.5", "1.0", "-2.5", "3.25", "1e3", "1e-7", "float('inf')", "-0.0", "0.1", "float('nan')", "math.pi", "1e20"],
    "bool": ["True", "False"],
    "str": ["''", "'a'", "'hello'", "'Ab c'", "'x,y,z'", "'  pad '", "'12'", "'2.5'", "\"it's\"", "'line\\nnext'", "'aXbXc'", "'{} and {}'"],
    "List[int]": ["[1, 2, 3]", "[3, 1, 2]", "[0]", "torch.jit.annotate(List[int], [])", "[5, 5, -1, 8]"],
    "List[float]": ["[0.5, 1.5]", "[3.0, -1.0, 2.25]", "torch.jit.annotate(List[float], [])"],
    "List[str]": ["['a', 'b']", "['x']", "['b', 'a', 'cc']", "torch.jit.annotate(List[str], [])"],
    "List[Tensor]": ["[torch.ones(2), torch.zeros(2)]", "[torch.tensor([1.0])]", "torch.jit.annotate(List[Tensor], [])"],
    "Dict[str, int]": ["{'a': 1, 'b': 2}", "torch.jit.annotate(Dict[str, int], {})", "{'k': -3}"],
    "Dict[int, float]": ["{1: 0.5, 2: 1.5}", "{0: -1.0}"],
    "Dict[str, Tensor]": ["{'a': torch.ones(2)}", "{'x': torch.tensor(1.5), 'y': torch.arange(3)}"],
    "Tuple[int, str]": ["(1, 'a')", "(-2, '')"],
    "Tuple[Tensor, float]": ["(torch.ones(2), 0.5)", "(torch.tensor(3), -1.0)"],
    "Optional[int]": ["torch.jit.annotate(Optional[int], None)", "torch.jit.annotate(Optional[int], 4)"],
    "Optional[str]": ["torch.jit.annotate(Optional[str], None)", "torch.jit.annotate(Optional[str], 'some')"],
    "Optional[Tensor]": ["torch.jit.annotate(Optional[Tensor], None)", "torch.jit.annotate(Optional[Tensor], torch.ones(1))"],
    "Pair": ["Pair(1, 2.5)", "Pair(first=-3, second=0.0)"],
    "Box": ["Box(1)", "Box(-5)"],
    "List[List[int]]": ["[[1], [2, 3]]", "[[0, 1, 2]]"],
    "complex": ["2j", "complex(1.0, -2.0)", "(1 + 0.5j)"],
}

INT_DIVISORS = ["2", "3", "-2", "7", "10"]
SMALL = ["0", "1", "2", "3", "5"]
INDICES = ["0", "1", "-1", "2", "-2", "5"]
CHARS = ["'a'", "'Z'", "' '", "'0'"]
SLICES = ["1:", ":2", "::2", "-2:", ":-1", "1:3", ":", "0:5:2", "3:1", "{int}:", ":{int}"]

EXPRESSIONS = {
    "int": [
        "({int} + {int})", "({int} - {int})", "({int} * {int})", "({int} // {divisor})", "({int} // {int})", "({int} % {divisor})", "(-{int})", "! (~{int})", "({int} & {int})", "({int} | {int})",
        "({int} ^ {int})", "({int} << {small})", "({int} >> {small})", "abs({int})", "len({str})", "len({List[int]})", "len({Dict[str, int]})", "len({List[Tensor]})", "{List[int]}[{index}]",
        "{List[int]}[{int}]", "int({float})", "int({bool})", "int({str})", "ord({char})", "max({int}, {int})", "min({int}, {int})", "max({List[int]})", "min({List[int]})", "sum({List[int]})",
        "{str}.find({str})", "{str}.rfind({str})", "{str}.count({str})", "{str}.index({str})", "{List[int]}.index({int})", "{List[int]}.count({int})", "{Dict[str, int]}[{str}]", "{Tuple[int, str]}[0]",
        "{Pair}.first", "{Box}.value", "{Box}.grown({int})", "helper({int})", "{Tensor}.dim()", "{Tensor}.numel()", "{Tensor}.size({small})", "{Tensor}.shape[{index}]", "int({Tensor}.sum())",
        "{Tensor}.size(0)", "math.floor({float})", "math.ceil({float})", "math.gcd({int}, {int})", "({int} if {bool} else {int})", "{List[List[int]]}[{index}][{index}]", "len({List[List[int]]})", "{Box}.total({List[int]})",
        "{Optional[int]}", "! torch.iinfo(torch.int32).max", "{Tensor}.stride({small})", "len({Tensor})", "{List[int]}.pop()", "later({int}, flag={bool})", "later({int}, {bool})", "int({Tensor}.item())",
    ],
    "float": [
        "({float} + {float})", "({float} - {int})", "({int} * {float})", "({int} / {int})", "({float} / {float})", "({float} // {float})", "({float} % {float})", "({float} ** {small})", "({int} ** {int})", "(-{float})",
        "abs({float})", "float({int})", "float({str})", "float({bool})", "max({float}, {float})", "min({float}, {float})", "{List[float]}[{index}]", "sum({List[float]})", "max({List[float]})", "math.sqrt({float})",
        "math.exp({float})", "math.log({float})", "math.sin({float})", "math.pow({float}, {float})", "math.fabs({float})", "math.copysign({float}, {float})", "math.fmod({float}, {float})", "math.atan2({float}, {float})", "round({float})",
        "{Dict[int, float]}[{int}]", "{Pair}.second", "{Tuple[Tensor, float]}[1]", "float({Tensor}.sum())", "{Tensor}.sum().item()", "({float} if {bool} else {float})", "math.log1p({float})", "math.degrees({float})", "abs({complex})",
        "! math.hypot({float}, {float})", "scaled({float})", "scaled({float}, {float})", "scaled(x={float}, by={float})", "! torch.finfo(torch.float32).eps", "! {complex}.real", "math.ldexp({float}, {small})", "math.tanh({float})", "math.gamma({float})", "math.erf({float})",
    ],
    "bool": [
        "({int} < {int})", "({int} == {int})", "({float} >= {float})", "({int} != {float})", "({str} == {str})", "({str} < {str})", "(not {bool})", "({bool} and {bool})", "({bool} or {bool})", "({bool} == {bool})", "({int} in {List[int]})", "({str} in {Dict[str, int]})",
        "({str} in {List[str]})", "({str} not in {str})", "({int} not in {List[int]})", "({Optional[int]} is None)", "({Optional[str]} is not None)", "bool({int})", "bool({float})", "bool({str})", "{str}.startswith({str})", "{str}.endswith({str})",
        "{str}.isdigit()", "{str}.isalpha()", "{str}.islower()", "{str}.isupper()", "{str}.isspace()", "{str}.isalnum()", "{str}.istitle()", "{str}.isidentifier()", "{str}.isnumeric()", "{str}.isdecimal()", "({List[int]} == {List[int]})", "({List[str]} != {List[str]})", "any({List[int]})", "all({List[int]})", "bool({Tensor}.sum() > {int})",
        "math.isnan({float})", "math.isinf({float})", "isinstance({Optional[int]}, int)", "({Tensor}.dtype == torch.float32)", "{Tensor}.is_floating_point()", "({int} < {int} < {int})", "! torch.is_tensor({Tensor})", "({int} is {int})", "! ({List[int]} < {List[int]})",
        "! ({Dict[str, int]} == {Dict[str, int]})", "bool({List[int]})", "! ({Tuple[int, str]} == {Tuple[int, str]})", "torch.equal({Tensor}, {Tensor})", "any([{bool}, {bool}])", "hasattr({Box}, 'value')", "hasattr({Box}, 'none')", "({complex} == {complex})", "math.isfinite({float})", "({List[Tensor]} == {List[Tensor]})",
    ],
    "str": [
        "({str} + {str})", "! ({str} * {small})", "{str}.upper()", "{str}.lower()", "{str}.strip()", "{str}.lstrip()", "{str}.rstrip({str})", "{str}.title()", "{str}.capitalize()", "{str}.swapcase()", "{str}.replace({str}, {str})", "{str}.center({small})", "{str}.ljust(8, {char})",
        "{str}.rjust(6)", "{str}.zfill({small})", "{str}.expandtabs()", "{str}.join({List[str]})", "{str}[{index}]", "{str}[{slice}]", "str({int})", "str({float})", "str({bool})", "str({List[int]})", "chr({int})", "hex({int})", "oct({int})", "bin({int})", 'f"""{{ {int} }}"""', 'f"""v={{ {float} }}"""', 'f"""{{ {str} }}-{{ {int} }}"""',
        "'{{}} {{}}'.format({int}, {str})", "'{{}}'.format({float})", "{str}.format({int}, {int})", "'%s!' % {str}", "'%d of %s' % ({int}, {str})", "'%f' % {float}", "'%i' % {int}", "'%.2f' % {float}", "'%g' % {float}", "{List[str]}[{index}]", "{Tuple[int, str]}[1]", "{str}.split({char})[0]", "{str}.partition({char})[2]", "{str}.rpartition({char})[0]", "({str} if {bool} else {str})", "str({Tensor}.dim())",
        "{str}.splitlines()[0]", "! max({List[str]})", "named({int})", "'a' 'b'", "str({Dict[str, int]})", "str({Tuple[int, str]})", "! {str}.casefold()", "'{{0}}'.format({int})", "'{{:d}}'.format({int})", "str({Optional[int]})", "! {str}.encode()",
    ],
    "List[int]": [
        "({List[int]} + {List[int]})", "({List[int]} * {small})", "{List[int]}[{slice}]", "[{int}, {int}]", "list(range({small}))", "[{int} + k for k in {List[int]}]", "[k * 2 for k in range({small})]", "sorted({List[int]})", "{List[int]}.copy()", "list({List[int]})", "[ord(c) for c in {str}]", "list({Dict[str, int]}.values())",
        "{Tensor}.size()", "list({Tensor}.shape)", "{List[List[int]]}[{index}]", "({List[int]} if {bool} else {List[int]})", "list({Dict[int, float]}.keys())", "[len(w) for w in {List[str]}]", "[int(k) for k in {List[float]}]", "{Box}.items", "list({Dict[int, float]})", "! [k for k in {List[int]} if k > 1]", "! sorted({List[int]}, reverse={bool})", "! reversed({List[int]})",
    ],
    "List[float]": ["({List[float]} + {List[float]})", "[{float}, {float}]", "{List[float]}[{slice}]", "[float(k) for k in {List[int]}]", "sorted({List[float]})", "list({Dict[int, float]}.values())", "[k / 2 for k in {List[float]}]", "[{float}] * {small}"],
    "List[str]": ["({List[str]} + {List[str]})", "[{str}, {str}]", "{str}.split()", "{str}.split({char})", "{str}.rsplit({char}, {small})", "{str}.splitlines()", "[c for c in {str}]", "sorted({List[str]})", "list({Dict[str, int]}.keys())", "[str(k) for k in {List[int]}]", "list({str})", "{List[str]}[{slice}]", "{str}.split({char}, {int})", "[w + {str} for w in {List[str]}]"],
    "List[Tensor]": ["[{Tensor}, {Tensor}]", "({List[Tensor]} + {List[Tensor]})", "{Tensor}.unbind()", "{Tensor}.split(1)", "list(torch.chunk({Tensor}, 2))", "[t + 1 for t in {List[Tensor]}]", "[t * {float} for t in {List[Tensor]}]", "{List[Tensor]}[{slice}]", "list({Dict[str, Tensor]}.values())", "[t for t in {Tensor}]", "list({Tensor})"],
    "Dict[str, int]": ["{{'k': {int}, {str}: {int}}}", "{Dict[str, int]}.copy()", "dict([('p', {int}), ({str}, {int})])", "{{w: len(w) for w in {List[str]}}}", "dict({Dict[str, int]})", "{{'n': {int}}}", "dict(a={int}, b={int})"],
    "Dict[int, float]": ["{{{int}: {float}, {int}: {float}}}", "{Dict[int, float]}.copy()", "{{k: float(k) for k in {List[int]}}}"],
    "Dict[str, Tensor]": ["{{'a': {Tensor}, {str}: {Tensor}}}", "{Dict[str, Tensor]}.copy()"],
    "Tuple[int, str]": ["({int}, {str})", "split_up({str})", "(({int}, {str}) if {bool} else {Tuple[int, str]})", "! list({Dict[str, int]}.items())[0]", "{Tuple[int, str]}[:2]"],
    "Tuple[Tensor, float]": ["({Tensor}, {float})", "({Tensor}, {float}, 1)[:2]"],
    "Optional[int]": ["maybe({int})", "{Dict[str, int]}.get({str})", "{int}", "{Box}.spare"],
    "Optional[str]": ["{str}", "maybe_name({int})"],
    "Optional[Tensor]": ["{Tensor}", "{Dict[str, Tensor]}.get({str})"],
    "Pair": ["Pair({int}, {float})", "Pair(first={int}, second={float})", "Pair(second={float}, first={int})", "Pair({int})"],
    "Box": ["Box({int})", "Box({int}, {Optional[int]})", "{Box}.doubled()", "({Box} + {Box})", "Box.made({int})"],
    "List[List[int]]": ["[{List[int]}, {List[int]}]", "[[k] for k in {List[int]}]", "{List[List[int]]}[{slice}]", "[[k] * 2 for k in {List[int]}]", "{Tensor}.reshape(1, -1).to(torch.int64).tolist()"],
    "complex": ["({complex} + {complex})", "({complex} * {float})", "complex({float}, {float})", "(-{complex})", "({complex} / {complex})", "({int} - {complex})", "! ({complex} ** 2)"],
    "Tensor": [
        "({Tensor} + {Tensor})", "({Tensor} - {int})", "({Tensor} * {float})", "({float} * {Tensor})", "({Tensor} / {int})", "({int} - {Tensor})", "({Tensor} // {divisor})", "({Tensor} % {divisor})", "({Tensor} ** 2)", "(-{Tensor})", "({Tensor} > {int})", "({Tensor} == {Tensor})", "({Tensor} >= {float})", "{Tensor}.sum()",
        "{Tensor}.sum({small})", "{Tensor}.sum(dim=0, keepdim={bool})", "{Tensor}.to(torch.float32).mean()", "{Tensor}.abs()", "{Tensor}.clamp({int}, {int})", "{Tensor}.clamp(min={float})", "torch.relu({Tensor})", "{Tensor}.to(torch.int64)", "{Tensor}.float()", "{Tensor}.to({Tensor})", "{Tensor}.reshape(-1)", "{Tensor}.view(-1)", "{Tensor}.reshape([{int}, -1])",
        "{Tensor}.t()", "{Tensor}.transpose(0, 1)", "{Tensor}.permute(1, 0)", "{Tensor}.T", "{Tensor}.unsqueeze({small})", "{Tensor}.squeeze()", "{Tensor}[{index}]", "{Tensor}[{slice}]", "{Tensor}[..., {index}]", "{Tensor}[:, {index}]", "{Tensor}[None]", "{Tensor}[{slice}, {slice}]", "{Tensor}[{int}]", "{Tensor}[{Tensor} > 0]", "{Tensor}[[0, 1]]", "{Tensor}[torch.tensor([0, 1])]", "torch.cat([{Tensor}, {Tensor}])", "torch.cat({List[Tensor]})",
        "torch.stack({List[Tensor]})", "{List[Tensor]}[{index}]", "{Dict[str, Tensor]}[{str}]", "{Tuple[Tensor, float]}[0]", "torch.where({Tensor} > 0, {Tensor}, {Tensor})", "torch.zeros_like({Tensor})", "torch.ones({small}, {small})", "torch.full([{small}, 2], {float})", "torch.tensor({List[int]})", "torch.tensor({float})", "torch.tensor([{int}, {int}])", "torch.tensor({List[List[int]]})", "torch.arange({small})", "torch.arange({small}, {small}, 2)",
        "torch.matmul({Tensor}, {Tensor})", "({Tensor} @ {Tensor})", "torch.max({Tensor})", "torch.max({Tensor}, 0)[0]", "{Tensor}.max(dim=0).values", "{Tensor}.argmax()", "{Tensor}.sort()[0]", "torch.cumsum({Tensor}, 0)", "F.relu({Tensor})", "F.softmax({Tensor}.float(), dim=0)", "F.pad({Tensor}, [1, 1])", "{Tensor}.new_zeros([2, {small}])", "{Tensor}.expand([2, -1])", "{Tensor}.repeat(2, 1)", "({Tensor} if {bool} else {Tensor})", "shifted({Tensor})",
        "shifted({Tensor}, {int})", "torch.tanh({Tensor})", "torch.add({Tensor}, {Tensor}, alpha={int})", "{Tensor}.clone()", "{Tensor}.flatten()", "({Tensor} & {Tensor})", "(~{Tensor})", "! {Tensor}.bool()", "{Tensor}.any()", "torch.isnan({Tensor})", "{Tensor}.masked_fill({Tensor} > 1, {int})", "{Tensor}.type_as({Tensor})", "torch.einsum('i,j->ij', {Tensor}, {Tensor})", "{Tensor}.size(0) * {Tensor}", "torch.dot({Tensor}, {Tensor})", "{Tensor}.add({int}).mul_({int})", "{Tensor}.narrow(0, 0, {small})",
    ],
}

# Statements that change a variable of a kind; NAME is the variable.
CHANGES = {
    "Tensor": ["NAME += {Tensor}", "NAME *= {float}", "NAME -= {int}", "NAME /= {int}", "NAME[{index}] = {int}", "NAME[{slice}] = {Tensor}", "NAME[{index}] += {float}", "NAME.add_({int})", "NAME.zero_()", "NAME[NAME > 0] = {int}", "NAME[:, {index}] = {Tensor}", "NAME.copy_({Tensor})", "! NAME //= {divisor}", "! NAME.data = {Tensor}"],
    "int": ["NAME += {int}", "NAME -= {int}", "NAME *= {int}", "! NAME //= {int}", "NAME %= {divisor}", "NAME <<= {small}", "NAME |= {int}", "NAME &= {int}", "NAME ^= {int}", "NAME /= {int}", "NAME **= {small}", "NAME >>= {small}"],
    "float": ["NAME += {float}", "NAME *= {int}", "NAME /= {float}", "NAME -= {float}", "NAME **= 2.0", "NAME %= {float}"],
    "bool": ["NAME = not NAME"],
    "str": ["NAME += {str}", "! NAME *= {small}"],
    "List[int]": ["NAME.append({int})", "NAME.extend({List[int]})", "NAME.insert({int}, {int})", "NAME.pop()", "NAME.pop({index})", "NAME.remove({int})", "NAME.reverse()", "NAME.sort()", "NAME.sort(reverse={bool})", "NAME.clear()", "NAME[{index}] = {int}", "NAME[{int}] += {int}", "NAME += {List[int]}", "del NAME[{index}]", "! NAME[{slice}] = {List[int]}", "! del NAME[{slice}]", "NAME *= {small}", "NAME[{index}] *= {int}"],
    "List[float]": ["NAME.append({float})", "NAME[{index}] = {float}", "NAME.sort()", "NAME += {List[float]}", "! NAME.append({int})"],
    "List[str]": ["NAME.append({str})", "NAME.sort()", "NAME.extend({List[str]})", "NAME[{index}] = {str}", "NAME.remove({str})", "NAME.insert(0, {str})"],
    "List[Tensor]": ["NAME.append({Tensor})", "NAME[{index}] = {Tensor}", "NAME += [{Tensor}]", "NAME[{index}] += {int}", "NAME.pop()"],
    "Dict[str, int]": ["NAME[{str}] = {int}", "NAME['a'] = {int}", "NAME[{str}] += {int}", "NAME.update({Dict[str, int]})", "NAME.pop({str})", "del NAME[{str}]", "NAME.setdefault({str}, {int})", "NAME.clear()", "NAME.popitem()"],
    "Dict[int, float]": ["NAME[{int}] = {float}", "NAME.pop({int})", "del NAME[{int}]", "NAME[1] *= {float}"],
    "Dict[str, Tensor]": ["NAME[{str}] = {Tensor}", "NAME['a'] += {int}"],
    "Box": ["NAME.value = {int}", "NAME.value += {int}", "NAME.items.append({int})", "NAME.grow({int})", "NAME.spare = {Optional[int]}", "! NAME.value = {str}", "! NAME.other = {int}"],
    "List[List[int]]": ["NAME.append({List[int]})", "NAME[{index}].append({int})", "NAME[{index}][{index}] = {int}"],
}

HEAD = '''\
import math
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


class Pair(NamedTuple):
    first: int
    second: float = 0.5


@torch.jit.script
class Box:
    def __init__(self, value: int, spare: Optional[int] = None):
        self.value = value
        self.spare = spare
        self.items = [value, 1]

    def grown(self, by: int) -> int:
        return self.value + by

    def grow(self, by: int):
        self.value += by
        self.items.append(by)

    def total(self, more: List[int]) -> int:
        total = 0
        for item in self.items + more:
            total += item
        return total

    def doubled(self) -> "Box":
        return Box(self.value * 2, self.spare)

    def __add__(self, other: "Box") -> "Box":
        return Box(self.value + other.value, None)

    @staticmethod
    def made(value: int) -> "Box":
        return Box(value, None)


def helper(n: int) -> int:
    if n > 100 or n < -100:
        return n // 2
    return n * 3 + 1


def later(n: int, flag: bool = False) -> int:
    while n > 10:
        n -= 7
        if flag and n % 2 == 0:
            break
        if n > 1000:
            return -1
    return n


def scaled(x: float, by: float = 2.0) -> float:
    return x * by


def named(n: int) -> str:
    return "n" + str(n)


def split_up(s: str) -> Tuple[int, str]:
    return len(s), s[:1]


def maybe(n: int) -> Optional[int]:
    if n > 2:
        return n
    return None


def maybe_name(n: int) -> Optional[str]:
    return "name" if n > 0 else None


def shifted(x: Tensor, by: int = 1) -> Tensor:
    return x + by if by > 0 else x
'''
