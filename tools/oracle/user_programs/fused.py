# steps in one loop
O = torch.optim
def step(name, dtype=torch.float32, **kw):
    p = torch.linspace(-1, 1, 32).to(dtype).requires_grad_()
    o = getattr(O, name)([p], fused=True, **kw)
    for i in range(3):
        p.grad = torch.linspace(2, i - 1.5, 32).to(dtype)
        o.step()
    say(name, p, p._version, p.grad._version, o.state_dict()["state"][0] if o.state_dict()["state"] else None)
step("SGD", lr=0.1)
step("SGD", lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.01)
step("SGD", lr=0.1, momentum=0.9, nesterov=True, maximize=True)
step("Adam", lr=0.01, amsgrad=True, weight_decay=0.1)
step("Adam", betas=(0.3, 0.9), maximize=True)
step("AdamW", lr=0.01, weight_decay=0.1)
step("Adagrad", lr=0.1, lr_decay=0.1, weight_decay=0.01)
step("Adagrad", maximize=True, initial_accumulator_value=0.5)
step("Adam", lr=torch.tensor(0.02))
step("SGD", lr=torch.tensor(0.02))
for dtype in (torch.float64, torch.float16, torch.bfloat16):
    step("Adam", dtype, lr=0.1, weight_decay=0.1)
    step("AdamW", dtype, lr=0.1, weight_decay=0.1)

# what they refuse, and the operators themselves
O = torch.optim
def q():
    return torch.ones(2)
one = torch.tensor(1.0)
p = torch.ones(2, requires_grad=True)
fails(lambda: O.SGD([p], foreach=True, fused=True))
fails(lambda: O.Adam([p], differentiable=True, fused=True))
fails(lambda: O.Adagrad([p], differentiable=True, fused=True))
def adam(*lists, amsgrad=False):
    torch._fused_adam_(*lists, lr=0.1, beta1=0.9, beta2=0.99, weight_decay=0.0, eps=1e-8, amsgrad=amsgrad, maximize=False)
def sgd(*lists, momentum=0.0, **kw):
    torch._fused_sgd_(*lists, weight_decay=0.0, momentum=momentum, lr=0.1, dampening=0.0, nesterov=False, maximize=False, is_first_step=False, **kw)
fails(lambda: adam([q()], [], [q()], [q()], [], [one]))
fails(lambda: adam([q()], [q()], [], [q()], [], [one]))
fails(lambda: adam([q()], [q()], [q()], [q()], [q()], [one]))
fails(lambda: adam([q()], [q()], [q()], [q()], [], [one], amsgrad=True))
fails(lambda: adam([q()], [q()], [q()], [q()], [], []))
fails(lambda: sgd([q()], [q()], [q()]))
fails(lambda: sgd([q()], [q()], [], momentum=0.5))
fails(lambda: adam([q().int()], [q()], [q()], [q()], [], [one]))
fails(lambda: adam([], [], [], [], [], []))
a, g = q(), q()
sgd([a], [g], [], found_inf=one)
say(a, g)
sgd([a], [g], [], grad_scale=torch.tensor(4.0))
say(a, g)
r = torch.ops.aten._fused_adam([a], [g], [q()], [q()], [], [one], lr=0.1, beta1=0.9, beta2=0.99, weight_decay=0.0, eps=1e-8, amsgrad=False, maximize=False)
say([list(each) for each in r], a)

# tensors that do not look like their parameter
one = torch.tensor(1.0)
def q():
    return torch.ones(2)
def adam(*lists, amsgrad=False):
    torch._fused_adam_(*lists, lr=0.1, beta1=0.9, beta2=0.99, weight_decay=0.0, eps=1e-8, amsgrad=amsgrad, maximize=False)
def sgd(*lists, momentum=0.0):
    torch._fused_sgd_(*lists, weight_decay=0.0, momentum=momentum, lr=0.5, dampening=0.0, nesterov=False, maximize=False, is_first_step=False)
def adagrad(*lists, **kw):
    torch._fused_adagrad_(*lists, lr=0.5, lr_decay=0.0, weight_decay=0.0, eps=1e-8, maximize=False, **kw)
sums = torch.full((3, 2), 3.0)
a = q()
adagrad([a], [q()], [sums], [one])
say(a, sums)
rows, turned, mean = torch.zeros(2, 3), torch.arange(6.0).reshape(3, 2).t(), torch.zeros(6)
sgd([rows], [turned], [mean], momentum=0.5)
say(rows, mean)
rows = torch.zeros(2, 3)
adagrad([rows], [turned], [torch.ones(2, 3)], [one])
say(rows)
rows, mean = torch.zeros(2, 3), torch.zeros(2, 3)
adam([rows], [turned], [mean], [torch.zeros(2, 3)], [], [one])
say(rows, mean)
every = torch.arange(8.0)
sgd([every[::2]], [torch.ones(4)], [])
say(every)
double, half, short = q().double(), q().half(), q().bfloat16()
fails(lambda: sgd([q()], [double], [half], momentum=0.5))
fails(lambda: sgd([q()], [q()], [half], momentum=0.5))
fails(lambda: adagrad([q()], [double], [half], [one]))
fails(lambda: adagrad([q()], [q()], [half], [one]))
fails(lambda: adagrad([q()], [double], [q()], [q()]))
fails(lambda: adagrad([q()], [q()], [q()], [q()]))
fails(lambda: adagrad([q().int()], [double], [q()], [q()]))
fails(lambda: adam([q()], [double], [half], [short], [], [one]))
fails(lambda: adam([q()], [double], [q()], [short], [], [one]))
fails(lambda: adam([q()], [double], [q()], [q()], [half], [one], amsgrad=True))
fails(lambda: adam([q()], [double], [q()], [q()], [], [one]))
fails(lambda: adam([q()], [double], [q()], [q()], [], [q()]))
first, second = q(), q()
fails(lambda: sgd([first, second], [q(), double], []))
say(first, second)

# a gradient scaler that leaves its scale to the step
for name in ("SGD", "Adam", "AdamW", "Adagrad"):
    m = nn.Linear(2, 1, bias=False)
    with torch.no_grad():
        m.weight.fill_(0.5)
    o = getattr(torch.optim, name)(m.parameters(), lr=0.1, fused=True)
    s = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    for i in range(5):
        o.zero_grad()
        l = m(torch.tensor([[1.0, float("inf") if i == 2 else 2.0]])).sum()
        s.scale(l).backward()
        if i == 3:
            s.unscale_(o)
        s.step(o)
        s.update()
        say(m.weight, m.weight.grad, s.get_scale() == 8, hasattr(o, "grad_scale"))

# a step's state in another optimizer
p = torch.ones(2, requires_grad=True)
p.grad = torch.ones(2)
o = torch.optim.Adam([p], lr=0.1, fused=True)
o.step()
o2 = torch.optim.Adam([p], lr=0.1)
o2.load_state_dict(o.state_dict())
o2.step()
say(o2.param_groups[0]["fused"], p, o2.state_dict()["state"][0]["step"])
