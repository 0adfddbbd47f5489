# ---- nested_loops
def f(x, n: int):
    s = 0
    for i in range(n):
        for j in range(i, n, 2):
            if (i + j) % 2 == 0:
                continue
            s += i * j
        if s > 20:
            break
    return x + s, s

# ---- early_returns
def f(x, n: int):
    if n < 0:
        return x - 1
    elif n == 0:
        return x
    for i in range(n):
        if i == 3:
            return x * i
        x = x + 1
    return x

# ---- while_else_flag
def f(n: int):
    found = False
    k = 0
    while not found and k < n:
        if k * k > n:
            found = True
        else:
            k += 1
    return found, k

# ---- unrolled_tuple
def f(x):
    out = x
    for k in (1, 2.5, x):
        out = out * k
    return out

# ---- zip_enumerate
def f(xs: List[int], ys: List[float]):
    total = 0.0
    for i, (a, b) in enumerate(zip(xs, ys)):
        total += a * b + i
    return total

# ---- list_comprehension
def f(xs: List[Tensor], n: int):
    a = [x + n for x in xs]
    b = [i * i for i in range(n)]
    return a, b

# ---- dict_comprehension
def f(xs: List[int]):
    d = {x: str(x) for x in xs}
    for k in d:
        d[k] += "!"
    for k, v in d.items():
        print(k, v)
    return d

# ---- ternary_refinement
def f(x: Optional[Tensor], n: Optional[int]):
    a = x if x is not None else torch.zeros(2)
    if n is None:
        k = 1
    else:
        k = n + 1
    return a * k

# ---- assert_refinement
def f(x: Optional[int]):
    assert x is not None, "no x"
    return x + 1

# ---- isinstance_refinement
def f(x: Union[int, str, List[int]]):
    if isinstance(x, int):
        return x + 1
    elif isinstance(x, str):
        return len(x)
    else:
        return x[0]

# ---- raise_in_branch
def f(x, n: int):
    if n > 3:
        raise ValueError("too big")
    return x * n

# ---- uninitialized
def f(n: int):
    if n > 0:
        a = 1
    else:
        raise RuntimeError("n is", n)
    return a

# ---- with_no_grad
def f(x):
    with torch.no_grad():
        y = x * 2
    return y

# ---- closure_fork
def f(x):
    def g():
        return x + x
    fut = torch.jit._fork(g)
    return torch.jit._wait(fut)
