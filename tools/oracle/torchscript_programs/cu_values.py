# ---- scalars
def f(i: int, a: float, b: bool, c: complex):
    return i // 2 + i % 3, a ** i, i / 2, -a, not b, c * 2, i & 3 | 4 ^ 1, i << 2 >> 1, 1

# ---- casts
def f(x, s: str):
    return int(x), float(x), bool(x), int(s), float(s), str(1.5), int(2.7), bool(3)

# ---- number_functions
def f(a: float, i: int):
    return abs(a), abs(i), max(a, 1.0), min(i, 2), round(a), pow(a, 2), divmod(i, 3), max([1, i]), min([a, 2.0])

# ---- strings
def f(s: str):
    a = s.upper() + s[1:3] + s[-1]
    b = "{} and {}".format(a, 3)
    return a, b, s.split(","), ",".join([a, b]), s.find("x"), len(s), "a" in s, "%d %s" % (1, s), ord("a"), chr(98)

# ---- lists
def f(xs: List[int]):
    xs.append(3)
    xs.extend([4, 5])
    ys = xs + [1]
    ys[0] = 9
    ys[1] += 2
    del ys[2]
    return xs[1:], ys.pop(), ys * 2, sorted(xs), len(ys), 3 in ys, ys == xs, ys[-2:], ys[::2]

# ---- dicts
def f(d: Dict[str, int]):
    d["a"] = 1
    d["b"] += 2
    k = d.get("c", 3)
    del d["a"]
    return k, list(d.keys()), list(d.values()), len(d), "b" in d, d.pop("b"), dict(d)

# ---- tuples
def f(t: Tuple[int, float, Tensor]):
    a, b, c = t
    (d, e), g = (a, b), c
    h, *rest = t
    return t[0], t[1:], t[-1], (a, b) + (c,), (d, e, g), len(t), h

# ---- empty_containers
def f():
    a: List[float] = []
    b: Dict[str, Tensor] = {}
    c = torch.jit.annotate(List[int], [])
    d: Optional[int] = None
    return a, b, c, d

# ---- subscripts
def f(x, i: int, idx):
    a = x[0]
    b = x[i, 1:]
    c = x[..., None]
    d = x[:, ::2]
    e = x[idx]
    g = x[1:i, idx, -1]
    return a, b, c, d, e, g

# ---- subscript_assignment
def f(x, i: int, m):
    x[0] = 1
    x[i, 1:] = m
    x[m > 0] = 2.5
    x[0] += 1
    return x

# ---- attributes
def f(x):
    return x.shape, x.dtype, x.device, x.T, x.ndim, x.requires_grad, x.grad, x.is_cuda, x.size(), x.size(0), x.data

# ---- methods
def f(x, y):
    a = x.view(-1, 2).t().contiguous()
    b = x.sum(dim=[0, 1], keepdim=True)
    c = x.add_(y).mul(2).to(torch.int64)
    return a, b, c, x.max(1), x.topk(2, dim=0), x.item()

# ---- augmented
def f(x, n: int, l: List[int]):
    x += 1
    x *= n
    n -= 2
    l += [n]
    return x, n, l

# ---- builtins
def f(x, y):
    return torch.add(x, y, alpha=2), torch.cat([x, y], 0), torch.zeros(2, 3), torch.zeros([2, 3]), torch.ones_like(x), torch.where(x > 0, x, y)

# ---- implicit_conversions
def f(x, n: int):
    a: float = 2.0
    return torch.full([n], 2), x.clamp(min=0), torch.sum(x, 1), x.expand(n, 2), x.permute(1, 0), torch.conv2d(x, x, None, 1, 0)

# ---- comparisons
def f(x, a: int, b: float):
    return x > a, a < b < 3, a == 2 and b != 1, a is None, x is not None, not (a >= b), a in [1, 2]

# ---- default_arguments
def g(x, k: int = 3, *, scale: float = 2.0, names: Optional[List[str]] = None):
    return x * k * scale

def f(x):
    return g(x), g(x, 4), g(x, scale=1.0, k=2), g(x, names=["a"])

# ---- complex_numbers
def f(z: complex, x):
    return abs(z), z + 1j, complex(1.0, 2.0), x * 2j

# ---- device_dtype
def f(x):
    d = x.device
    return torch.zeros([2], dtype=x.dtype, device=d), d.type, x.to("cpu"), torch.device("cpu")

# ---- shadowed_types
def f(Tensor: Tensor, y: List[int]) -> Tuple[Tensor, int]:
    return Tensor, y[0]

# ---- type_comment
def f(x, y):
    # type: (Tensor, List[int]) -> Tuple[Tensor, int]
    return x, y[0]
