# ---- precedence
def f(a, b, c):
    return a + b * c - d ** e ** g // h % -x @ ~y | p & q ^ r << 2 >> s

# ---- comparisons
def f(a, b):
    return a < b and b >= c or not a == b and a is not None or b is None or a not in xs or b in xs

# ---- unary
def f(a):
    return -1, - a, -1.5, - - 2, ~a, not a, -(3), -2 ** 2, 2 ** -1

# ---- ternary
def f(a, b):
    return a if a > b else b if b else a + 1

# ---- numbers
def f():
    return 0, 1., .5, 1e5, 1E-3, 0x1F, 0xfe, 2j, 1.5e3j, 007, 1.5

# ---- strings
def f():
    return "a" 'b' """c
d""", 'it\'s', "\n\t\\", '\101', '''x''', "é"

# ---- calls
def f(x):
    return torch.add(x, y=2, z=[1, 2]).sum(dim=-1)(x)[0].t(*xs, x)

# ---- subscripts
def f(x):
    return x[0], x[1:2], x[:], x[::2], x[1::], x[:, 1], x[..., None], x[a:b:c, 1], x[1, 2:], x[-1:]

# ---- containers
def f(x):
    return [], [1, 2,], (), (1,), (1, 2), {}, {"a": 1, "b": [2]}, [i * i for i in xs], {k: v for k in xs}, [[1], [2]]

# ---- assignments
def f(x):
    a = 1
    b: int = 2
    c: List[int]
    d = e = 3
    g, h = 1, 2
    (i, j), *k = l
    x[0] = 1
    x.y.z = 2
    x += 1
    x -= 1
    x *= 2
    x /= 2
    x %= 2
    x |= 1
    x &= 1
    x ^= 1
    x <<= 1
    x >>= 1
    x **= 2
    t = 1,

# ---- statements
def f(x):
    global a, b
    pass
    assert x, "message"
    assert x
    raise ValueError("no")
    del x[0], y
    print(x)
    return

# ---- control
def f(x, n: int):
    if x:
        a = 1
    elif y:
        a = 2
    elif z:
        a = 3
    else:
        a = 4
    while x and a < n:
        x = x + 1
        if a:
            break
        continue
    for i in range(n):
        pass
    for i, (j, k) in enumerate(xs), ys:
        print(i)
    with a as b, c:
        pass
    return x

# ---- declarations
def f(self, a: int, b: List[Tuple[int, str]] = [], *, c: Optional[Dict[str, int]] = None, d=-1) -> Tuple[int, Tensor]:
    return a

# ---- one_line
def f(x): return x + 1

# ---- type_comment
def f(self, a, b):
    # type: (int, List[str]) -> Tensor
    return a

# ---- nested_def
def f(x):
    def g(y: int) -> int:
        return y
    return g(x)

# ---- comments
def f(x):  # a comment

    # a comment
    y = x + \
        1
        # deeper

    z = (x +
  1)

    return y # end

# ---- annotated_union
def f(x: int | None, y: Union[int, str]) -> int | str:
    return y

# ---- greedy_not_in
def f(x):
    return not inside, x is notes

# ---- hex_float
def f(x):
    return 0x1p4, 0xee, 1_000

# ---- names
def f(x):
    return isa + nota + importx + Nonet + Ellipsis + NoneType + Trues

# ---- bad_indent
def f(x):
        a = 1
    return a

# ---- bad_token
def f(x):
    return x $ 1

# ---- bad_string
def f(x):
    return "abc

# ---- bad_escape_x
def f(x):
    return "\x41"

# ---- bad_escape_u
def f(x):
    return a + "abc \u0041"

# ---- bad_escape_octal
def f(x):
    return "\8"

# ---- unclosed
def f(x):
    return (x + 1

# ---- empty_body
def f(x):

# ---- missing_colon
def f(x)
    return x

# ---- missing_else
def f(x):
    return 1 if x

# ---- augmented_tuple
def f(x):
    a, b += 1, 2

# ---- annotated_chain
def f(x):
    a: int = b = 1

# ---- two_comprehensions
def f(x):
    return [i for i in x, j for j in x]

# ---- type_comment_count
def f(self, a, b):
    # type: (int) -> Tensor
    return a

# ---- lambda
def f(x):
    return lambda y: y

# ---- try
def f(x):
    try:
        pass
    except:
        pass

# ---- semicolon
def f(x):
    a = 1; b = 2
    return a

# ---- not_a_function
x = 1
