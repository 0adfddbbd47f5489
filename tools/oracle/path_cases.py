"""Cases for record_paths.py: lines of Python, each run after SETUP."""

SETUP = """
x, y = torch.randn(3, 4, requires_grad=True), torch.randn(3, 4, requires_grad=True)
r, s = torch.randn(4, requires_grad=True), torch.randn([], requires_grad=True)
w = torch.randn(4, 2, requires_grad=True)
b = torch.randn(2, 3, 4, requires_grad=True)
h = x.mul(1.5)
d = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
p, q, v = torch.randn(3, 4), torch.randn(3, 4), torch.randn(4)
u, n = torch.tensor(2.5), torch.randn(4, 3).t()
i, k = torch.arange(12).reshape(3, 4), torch.tensor([2, 0])
m, o = p.gt(0), torch.empty(3, 4)
e = torch.empty(3, 4, device="meta")
t = torch.tensor([1, 0, 3])
""".strip()

LINES = """
x + y
x + 1
x + 1.5
1 + x
x + r
x + u
x + d
i + p
i + 1.5
x.add(y, alpha=2)
x - y
2 - x
x - 1
x * 2
2 * x
x * s
x * i
x / y
x / 2
1 / x
i / 2
torch.div(p, q, rounding_mode="floor")
torch.div(p, 2, rounding_mode="trunc")
x ** 2
x ** y
2 ** x
p ** 0.5
-x
abs(x)
x @ w
torch.mul(p, q, out=o)
torch.sub(p, q, alpha=2, out=o)
torch.exp(p, out=o)
torch.add(p, i, out=o)
torch.mul(p, q, out=torch.empty(0))
p.mul_(q)
p.mul_(2)
p.sub_(v)
p.div_(2)
p.pow_(2)
h.mul_(y)
h.add_(1)
h.exp_()
h.relu_()
h.zero_()
h.fill_(2)
h.fill_(u)
h.copy_(y)
p.copy_(d)
p.copy_(i)
p.copy_(v)
n.copy_(p)
p.neg_()
p.clamp_(min=0)
i.add_(1)
h.t_()
h.squeeze_()
h.unsqueeze_(0)
h.transpose_(0, 1)
x.exp()
x.log()
x.sqrt()
x.rsqrt()
x.reciprocal()
x.sigmoid()
x.tanh()
x.relu()
x.abs()
x.sgn()
x.neg()
i.exp()
i.neg()
i.sqrt()
torch.clamp(x, 0, 1)
torch.clamp(x, min=0)
torch.clamp(x, max=0.5)
torch.clamp(x, p, q)
torch.clamp_min(x, 0)
torch.clamp_max(x, q)
torch.maximum(x, y)
torch.minimum(x, q)
torch.max(x, y)
torch.min(p, q)
torch.where(m, x, y)
torch.where(m, x, 0.0)
torch.where(m, 0.0, x)
torch.where(m, 1.0, 0.0)
torch.threshold(x, 0.1, 20)
x > 0
x == y
x != 1
x <= y
p.lt_(0)
torch.eq(p, q, out=m)
x.isnan()
x.isinf()
x.isfinite()
torch.equal(p, q)
torch.logical_not(p)
torch.logical_and(m, p)
torch.logical_or(m, m)
torch.bitwise_not(m)
torch.bitwise_and(i, 3)
torch.bitwise_or(i, i)
x.sum(0)
x.sum(1, keepdim=True)
x.sum([0, 1])
x.sum(dtype=torch.float64)
i.sum()
m.sum()
x.sum(0, dtype=torch.float64)
torch.sum(p, 0, out=v)
n.sum(1)
x.mean()
x.mean(1)
x.mean([0], keepdim=True)
torch.mean(i, dtype=torch.float32)
x.max()
x.max(1)
x.min(0, keepdim=True)
x.min()
i.max()
x.amax(1)
x.amin([0, 1], keepdim=True)
x.argmax()
x.argmax(1, keepdim=True)
p.argmin()
m.all()
m.all(1)
m.any()
m.any(0, keepdim=True)
p.any()
x.sum_to_size(1, 4)
torch.softmax(x, 0)
torch.softmax(i, 1, dtype=torch.float32)
torch.softmax(x, 1, dtype=torch.float64)
F.softmax(b, -1)
torch.log_softmax(x, 1)
x.log_softmax(1, dtype=torch.float64)
F.softmax(n, 1)
F.cross_entropy(x, t)
F.cross_entropy(x, t, weight=v.abs())
F.cross_entropy(x, t, ignore_index=0)
F.cross_entropy(x, t, label_smoothing=0.1)
F.cross_entropy(x, t, label_smoothing=0.1, weight=v.abs())
F.cross_entropy(x, t, reduction="sum")
F.cross_entropy(x, t, reduction="none")
F.cross_entropy(x, q.softmax(1))
F.cross_entropy(r, torch.tensor(2))
F.nll_loss(x.log_softmax(1), t)
F.linear(x, w.t())
F.linear(x, w.t(), torch.ones(2))
F.linear(b, w.t())
F.linear(b, w.t(), torch.ones(2))
F.linear(r, w.t(), torch.ones(2))
F.linear(b, r)
F.linear(p, q)
F.linear(n, q)
r @ v
x @ v
v @ w
x @ q.t()
b @ w
b @ v
b @ b.transpose(1, 2)
b @ b.mT
v @ b.transpose(1, 2)
x @ b.transpose(1, 2)
b.unsqueeze(1) @ w
b.unsqueeze(1) @ b.transpose(1, 2)
torch.mm(x, w)
torch.mm(p, q.t(), out=torch.empty(3, 3))
torch.mv(x, r)
torch.bmm(b, b.transpose(1, 2))
torch.dot(r, v)
torch.outer(r, v)
torch.addmm(torch.ones(2), x, w)
torch.addmm(torch.ones(3, 2), x, w, beta=0.5, alpha=2)
torch.baddbmm(torch.ones(2, 3, 3), b, b.transpose(1, 2))
torch.addmv(torch.ones(3), x, r)
torch.matmul(p, w.detach(), out=torch.empty(3, 2))
torch.cat([x, y])
torch.cat([x, d], 1)
torch.cat([p, q], out=torch.empty(0))
torch.cat([p, i])
torch.stack([x, y])
torch.stack([p, q], 1)
x.split(2)
x.split([1, 2])
torch.split(x, 2, 1)
torch.chunk(x, 2, 1)
x.unbind()
torch.narrow(x, 1, 1, 2)
x.view(12)
x.view(-1)
x.view(2, 6).view(4, 3)
x.view_as(q)
p.view(torch.int32)
n.reshape(12)
x.reshape(12)
x.reshape_as(q)
x.flatten()
b.flatten(1)
n.flatten()
x.t()
x.T
x.mT
x.permute(1, 0)
x.expand(2, 3, 4)
r.expand_as(q)
x.unsqueeze(1)
x.unsqueeze(1).squeeze(1)
x.squeeze()
x.squeeze((0, 1))
x.select(0, 1)
x.as_strided((2, 2), (1, 2))
x.t().t()[1][2]
x.transpose(0, 1)[1:].view(-1, 3)
x.contiguous()
n.contiguous()
n.clone()
x.clone()
n.clone(memory_format=torch.contiguous_format)
b.unsqueeze(0).contiguous(memory_format=torch.channels_last)
x.detach()
x.detach().add_(1)
x.to(torch.float64)
x.to(torch.float32)
x.to(torch.int64)
x.to(d)
x.to("cpu")
x.to(torch.float32, copy=True)
x.double()
x.half()
p.int()
p.long()
m.float()
p.bool()
x.type(torch.float64)
x.cpu()
u.item()
i[0, 1].item()
bool(u > 1)
float(s)
int(i[1, 1])
p.tolist()
x[0]
x[-1]
x[0, 1]
x[1:]
x[:, 1]
x[::2]
x[1:3, ::2]
x[None]
x[..., 0]
x[:]
x[...]
x[:, None]
x[[0, 2]]
x[k]
x[k, 1]
x[:, k]
x[k, k]
x[m]
x[p > 0.5]
x[True]
x[m[:, 0]]
x[1, k]
x[i[0, 1]]
b[:, k, 1:]
b[0, ..., None]
p[0] = 1
p[0] = 1.0
p[0, 1] = 2
p[:] = q
p[1:] = 0
p[k] = 0
p[k] = q[k]
p[m] = 0
p[m] = u
p[:, 1] = u
p[:, k] = 1.0
p[...] = 1
p[0] = v
p[None] = q
p[0] = i[0]
h[0] = 0
h[0] = r
h[m] = 0.0
h[k] = y[k]
h[:, 1] = s
p.index_put_((k,), v)
p.index_put_((k,), v, accumulate=True)
p.masked_fill(m, 0)
x.masked_fill(m, 0)
h.masked_fill_(m, u)
x.masked_select(m)
p.masked_scatter(m, q)
x.gather(1, i.clamp(max=3))
torch.zeros(3, 4).scatter(1, i.clamp(max=3), x)
torch.zeros(3, 4).scatter_(1, i.clamp(max=3), 1)
torch.zeros(3, 4).scatter_add_(1, i.clamp(max=3), p)
torch.nonzero(m)
torch.zeros(2, 3, dtype=torch.int64)
torch.zeros(2, 3, requires_grad=True)
torch.zeros([])
torch.ones(3, dtype=torch.bool)
torch.full((2, 2), 1)
torch.full((2, 2), 1.5)
torch.full((2, 2), 1.0, requires_grad=True)
torch.empty(2, 3, memory_format=torch.contiguous_format)
torch.empty_strided((2, 3), (1, 2))
torch.arange(1, 10, 2)
torch.arange(1.0, 2.0, 0.25)
torch.arange(3, dtype=torch.float32)
torch.scalar_tensor(3)
torch.tensor(1)
torch.tensor([1, 2])
torch.tensor([1.5], requires_grad=True)
torch.tensor([True, False])
torch.tensor([1.5], dtype=torch.float64)
torch.tensor(u)
torch.tensor([u, u])
torch.as_tensor([1.5, 2.5])
torch.as_tensor(p)
torch.as_tensor(p, dtype=torch.float64)
torch.Tensor([1, 2])
torch.zeros_like(x)
torch.ones_like(x, dtype=torch.int64)
torch.empty_like(n)
torch.full_like(x, 2)
torch.rand_like(x)
torch.randn_like(x, requires_grad=True)
x.new_zeros(2)
x.new_ones(2, dtype=torch.int64)
x.new_full((2,), 3)
x.new_empty(2)
x.new_tensor([1.5, 2.5])
torch.rand(2, 3)
torch.rand(2, dtype=torch.float64)
torch.randn(2, 3, requires_grad=True)
torch.randint(5, (2,))
torch.randint(1, 5, (2, 2), dtype=torch.int32)
torch.randperm(4)
p.normal_()
p.normal_(1.0, 2.0)
p.uniform_(-1, 1)
p.bernoulli_(0.5)
torch.bernoulli(p.sigmoid())
p.random_(5)
F.dropout(x)
F.dropout(p, 0.3)
F.dropout(x, 0.5, False)
F.dropout(h, 0.5, True, True)
F.dropout(x, 0)
nn.Dropout(0.5)(x)
nn.Dropout(0.5).eval()(x)
e.view(12)
torch.empty(2, 3, device="meta")
e.t().clone()
e[0]
e.clone()
with torch.no_grad(): x + y
with torch.no_grad(): x.view(12)
with torch.no_grad(): x.mul_(2)
with torch.no_grad(): F.linear(x, w.t(), torch.ones(2))
with torch.inference_mode(): x + y
with torch.inference_mode(): x.view(12)
with torch.inference_mode(): torch.ones(2).add_(1)
with torch.inference_mode(): torch.ones(2, 2).view(4).mul(2)
with torch.inference_mode(): F.softmax(p, 1)
x.requires_grad_(False)
p.requires_grad_()
p.set_(q)
p.resize_(2, 6)
x.data
x.data.add_(1)
torch.is_nonzero(u)
torch.is_same_size(x, y)
torch.result_type(x, d)
torch.can_cast(torch.int64, torch.float32)
torch.numel(x)
(x + r).sum().backward()
(x - y).sum().backward()
(x * s).sum().backward()
(x / y).sum().backward()
(x ** 2).sum().backward()
(x ** y).sum().backward()
(2 ** x).sum().backward()
(x + d).sum().backward()
(-x).sum().backward()
(x * 2 + 1).mean().backward()
x.exp().sum().backward()
x.abs().log().sum().backward()
x.abs().sqrt().sum().backward()
x.abs().rsqrt().sum().backward()
x.reciprocal().sum().backward()
x.sigmoid().sum().backward()
x.tanh().sum().backward()
x.relu().sum().backward()
x.clamp(-0.5, 0.5).sum().backward()
torch.maximum(x, y).sum().backward()
torch.where(m, x, y).sum().backward()
x.masked_fill(m, 0).sum().backward()
x.sum(1).sum().backward()
x.sum(1, keepdim=True).mul(x).sum().backward()
x.mean(0).sum().backward()
x.mean(dtype=torch.float64).backward()
x.max().backward()
x.max(1)[0].sum().backward()
x.min(0).values.sum().backward()
x.amax(1).sum().backward()
torch.softmax(x, 1).mul(y).sum().backward()
torch.softmax(x, 1, dtype=torch.float64).sum().backward()
torch.log_softmax(x, 1).sum().backward()
F.cross_entropy(x, t).backward()
F.cross_entropy(x, t, weight=v.abs(), ignore_index=0).backward()
F.cross_entropy(x, t, label_smoothing=0.1).backward()
F.cross_entropy(x, t, reduction="none").sum().backward()
F.cross_entropy(x, q.softmax(1)).backward()
F.nll_loss(x.log_softmax(1), t).backward()
F.linear(x, w.t(), r[:2]).sum().backward()
F.linear(b, w.t(), r[:2]).sum().backward()
F.linear(b, w.t()).sum().backward()
(x @ w).sum().backward()
(x @ r).sum().backward()
(r @ w).sum().backward()
(r @ r).backward()
(b @ w).sum().backward()
(b @ b.transpose(1, 2)).sum().backward()
(x @ b.transpose(1, 2)).sum().backward()
(b @ r).sum().backward()
torch.addmm(r[:2], x, w).sum().backward()
torch.addmm(r[:2], x, w, beta=0.5, alpha=2).sum().backward()
torch.outer(r, r).sum().backward()
torch.cat([x, y]).sum().backward()
torch.cat([x, d]).sum().backward()
torch.stack([x, y, x]).sum().backward()
x.split(2)[0].sum().backward()
x.chunk(2, 1)[1].sum().backward()
x.unbind()[1].sum().backward()
x.view(12).sum().backward()
x.t().reshape(12).sum().backward()
x.t().contiguous().sum().backward()
x.permute(1, 0).mul(2).sum().backward()
r.expand(3, 4).mul(x).sum().backward()
x.unsqueeze(1).squeeze().sum().backward()
x.as_strided((2, 2), (1, 2)).sum().backward()
x[0].sum().backward()
x[1:, ::2].sum().backward()
x[k].sum().backward()
x[m].sum().backward()
x[:, None, 1].sum().backward()
x[:, k].sum().backward()
b[t.clamp(max=1), :, t].sum().backward()
x[:, :]
x[0:3]
x[:, 0:2]
p[:, :] = q
h[:, k] = r[:2]; h.sum().backward()
x[False]
p[True] = 2
torch.zeros(3, 4).scatter(1, i.clamp(max=3), 2.5)
torch.zeros(3, 4).scatter(1, i.clamp(max=3), x).sum().backward()
x.gather(1, i.clamp(max=3)).sum().backward()
x.masked_select(m).sum().backward()
x.clone().sum().backward()
x.double().sum().backward()
F.dropout(x).sum().backward()
F.prelu(x, s.view(1)).sum().backward()
F.relu(h, inplace=True).sum().backward()
h.mul_(y).sum().backward()
h[0].mul_(2); h.sum().backward()
h.view(12).add_(1); h.sum().backward()
h[0] = r; h.sum().backward()
h[m] = 0.0; h.sum().backward()
h[k] = y[k]; h.sum().backward()
h.zero_(); h.sum().backward()
h.copy_(y); h.sum().backward()
h.detach().mul_(2); h.sum().backward()
p.mul_(x).sum().backward()
p[0] = r; p.sum().backward()
h.sum().backward(retain_graph=True); h.sum().backward()
z = x.mul(y).sum(); z.backward(retain_graph=True); z.backward()
z = x.mul(x).sum(); z.backward(create_graph=True)
x.sum().backward(); x.mul(2).sum().backward()
x.mul(y).backward(p)
x.mul(y).backward(n)
x.mul(y).sum().backward(inputs=[x])
torch.autograd.grad(x.mul(y).sum(), x)
torch.autograd.grad(x.mul(y).sum(), [x, y])
torch.autograd.grad(x.mul(y), [x], p)
torch.autograd.grad(h.mul(y).sum(), [h, x])
torch.autograd.grad(x.sum(), [x, y], allow_unused=True)
torch.autograd.grad(torch.autograd.grad(x.pow(3).sum(), x, create_graph=True)[0].sum(), x)
torch.autograd.grad(torch.autograd.grad(x.exp().sum(), x, create_graph=True)[0].sum(), x)
torch.autograd.grad(torch.autograd.grad(x.tanh().sum(), x, create_graph=True)[0].sum(), x)
torch.autograd.grad(torch.autograd.grad(x.sigmoid().sum(), x, create_graph=True)[0].sum(), x)
torch.autograd.grad(torch.autograd.grad(x.relu().mul(x).sum(), x, create_graph=True)[0].sum(), x)
torch.autograd.grad(torch.autograd.grad(x.matmul(w).pow(2).sum(), x, create_graph=True)[0].sum(), w)
torch.autograd.grad(torch.autograd.grad(F.softmax(x, 1).mul(y).sum(), x, create_graph=True)[0].pow(2).sum(), x)
torch.autograd.grad(torch.autograd.grad(F.cross_entropy(x, t), x, create_graph=True)[0].pow(2).sum(), x)
torch.autograd.grad(torch.autograd.grad(x.div(y).sum(), y, create_graph=True)[0].sum(), [x, y])
torch.autograd.grad(torch.autograd.grad(F.prelu(x, s.view(1)).sum(), s, create_graph=True)[0], x)
h.retain_grad(); h.sum().backward()
h.register_hook(lambda g: g * 2); h.sum().backward()
x.register_post_accumulate_grad_hook(lambda z: None); x.mul(2).sum().backward()
z = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2)); F.cross_entropy(z(p), torch.tensor([0, 1, 1])).backward()
z = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 4)); nn.CrossEntropyLoss()(z(p), t).backward()
z = nn.Sequential(nn.Linear(4, 3), nn.PReLU(), nn.Dropout(0.2), nn.Linear(3, 1)); z(p).mean().backward()
nn.Linear(4, 2)
nn.Linear(4, 2, bias=False)(b)
nn.Softmax(1)(x)
nn.LogSoftmax(1)(x)
nn.Sigmoid()(x)
nn.Flatten()(b)
nn.Parameter(p)
nn.Linear(4, 2).double()
nn.Linear(4, 2).requires_grad_(False)(x)
nn.Linear(4, 2).state_dict()
z = nn.Linear(4, 2); z.load_state_dict(nn.Linear(4, 2).state_dict())
nn.init.xavier_uniform_(torch.empty(3, 4))
nn.init.kaiming_normal_(torch.empty(3, 4))
nn.init.normal_(torch.empty(3, 4))
nn.init.constant_(torch.empty(3, 4), 1)
x.sum().backward(); torch.optim.SGD([x], lr=0.1).step()
x.sum().backward(); torch.optim.SGD([x], lr=0.1, weight_decay=0.1).step()
x.sum().backward(); torch.optim.SGD([x], lr=0.1, maximize=True).step()
x.mul(y).sum().backward(); torch.optim.SGD([x, y], lr=0.1, momentum=0.9).step()
z = torch.optim.SGD([x], lr=0.1, momentum=0.9); x.sum().backward(); z.step(); z.step()
z = torch.optim.SGD([x], lr=0.1, momentum=0.9, nesterov=True); x.sum().backward(); z.step(); z.step()
z = torch.optim.SGD([x], lr=0.1, momentum=0.9, dampening=0.5); x.sum().backward(); z.step(); z.step()
z = torch.optim.SGD([x], lr=0.1); x.sum().backward(); z.zero_grad()
z = torch.optim.SGD([x], lr=0.1); x.sum().backward(); z.zero_grad(set_to_none=False)
z = nn.Linear(4, 2); z(p).sum().backward(); z.zero_grad()
m & m
i & 3
i | i
i | 3
m ^ m
i ^ 3
3 & i
3 | i
3 ^ i
i << 1
i << i
i >> 1
1 << i
99 >> i
i &= 3
m &= m
i |= i
i ^= 3
i <<= 1
i >>= i
i.bitwise_and_(3)
i.bitwise_or_(i)
i.bitwise_xor_(3)
torch.bitwise_xor(i, 3)
torch.bitwise_xor(i, i, out=i)
torch.bitwise_left_shift(i, 1)
torch.bitwise_right_shift(i, i)
i.bitwise_right_shift_(1)
torch.logical_xor(m, p)
m.logical_xor_(m)
torch.isclose(p, q)
torch.isclose(p, v, equal_nan=True)
torch.isclose(x, y, equal_nan=True)
torch.isclose(i, i)
torch.isclose(m, m, rtol=1)
torch.allclose(p, q)
torch.where(m)
torch.nonzero(u, as_tuple=True)
torch.broadcast_tensors(x, r)
torch.broadcast_to(r, (3, 4))
x.type_as(d)
x.type_as(y)
torch._is_any_true(m)
torch._is_all_true(m)
p.resize_as_(v)
F.nll_loss(b, k.view(2, 1).expand(2, 4)).backward()
F.nll_loss(b, k.view(2, 1).expand(2, 4), reduction="none").sum().backward()
F.nll_loss(b.view(2, 3, 2, 2), k.view(2, 1, 1).expand(2, 2, 2)).backward()
F.cross_entropy(b.view(2, 3, 2, 2), k.view(2, 1, 1).expand(2, 2, 2), weight=v[:3]).backward()
F.cross_entropy(b, k.view(2, 1).expand(2, 4), label_smoothing=0.1)
z = torch.autograd.detect_anomaly(); z.__enter__(); x.sum().backward(); z.__exit__()
"""

CASES = {line: (SETUP, line) for line in LINES.strip().split("\n")}
