# ---- pointwise | t(3) t(3)
def f(x, y):
    return torch.exp(x) * y - torch.cos(y)
# ---- broadcast_grad | t(2,3)! t(3)!
def f(x, y):
    a = x * y + y
    return torch.tanh(a) / (x * x + 1.0)
# ---- one_node | t(4)!
def f(x):
    return x.sigmoid()
# ---- matmul_grad | t(2,3)! t(3,4)! t(4)!
def f(x, w, b):
    h = torch.mm(x, w) + b
    return torch.relu(h).mean()
# ---- linear_norm | t(2,3)! t(4,3)! t(4)!
def f(x, w, b):
    h = torch.nn.functional.linear(x, w, b)
    s = torch.softmax(h, 1)
    return (s * s).sum()
# ---- branch_grad | t(3)! i(1)
def f(x, n: int):
    y = x * 2
    if n > 0:
        y = y.sin() + x
    else:
        y = y.cos() * x
    return y * x
# ---- loop_grad | t(3)! i(3)
def f(x, n: int):
    y = x
    for i in range(n):
        y = y * x + i
    return y
# ---- while_grad | t(3)!
def f(x):
    y = x
    k = 0
    while k < 2:
        y = torch.sigmoid(y) * x
        k += 1
    return y + x
# ---- two_outputs | t(4)! t(4)
def f(x, y):
    a = torch.exp(x) * y
    b = torch.log(a + 2) - x
    return a, b
# ---- views_grad | t(2,6)!
def f(x):
    a, b = torch.chunk(x, 2, 1)
    c = torch.cat([a * b, b], 1)
    return c.t().sum(0) * c.view(-1)[0]
# ---- in_place | t(3)!
def f(x):
    y = x * 2
    y.add_(1)
    z = y * y
    return z.relu() + x
# ---- optional | t(3)! n
def f(x, b: Optional[Tensor]):
    y = x * x
    if b is not None:
        y = y + b
    return y.exp() * x
# ---- lists_grad | t(3)! t(3)!
def f(x, y):
    l = [x * y, x + y, y - x]
    s = torch.stack(l, 0)
    return (s * s).sum(0)
# ---- calls_grad | t(3)!
def g(x, k: int):
    return x * k + torch.abs(x)

def f(x):
    return g(g(x, 2), 3) * x
# ---- no_grad_inside | t(3)!
def f(x):
    with torch.no_grad():
        y = x * 2 + x
    return y * x + x * x
# ---- printing | t(3)!
def f(x):
    y = x * x + x
    print(y.size(0))
    return y * y - x
# ---- some_grads | t(3)! t(3) t(3)!
def f(x, y, z):
    a = x * y
    b = y * y + 1
    return a * b / (z + 3)
# ---- clamp_where | t(4)!
def f(x):
    a = torch.clamp(x, -1.0, 1.0)
    b = torch.where(a > 0, a * x, a - x)
    return b.pow(2) + a
# ---- addmm | t(2,2)! t(2,3)! t(3,2)
def f(x, a, b):
    return torch.addmm(x, a, b).tanh() * x
# ---- dtypes | t(3)!
def f(x):
    y = x.to(torch.float64) * 2.0
    return y.to(torch.float32) + x.type_as(x) * x
# ---- unroll | t(3)
def f(x):
    y = x
    for i in range(5):
        y = y + i * x
    return y
# ---- tuples | t(3) i(2)
def f(x, n: int):
    p = (x, n)
    q = (p[0] * p[1], p[1] + 1)
    return q[0] + q[1]
# ---- dicts | t(3)
def f(x):
    d = {'a': x * 2, 'b': x + 1}
    s = x
    for k in d:
        s = s + d[k]
    return s
