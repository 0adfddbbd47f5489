# the old backward hook sees the last node of forward
m = nn.Linear(2, 1)
nn.init.constant_(m.weight, 2.0)
nn.init.constant_(m.bias, 1.0)
handle = m.register_backward_hook(lambda module, grad_input, grad_output: say("hook", module, list(grad_input), list(grad_output)))
x = torch.tensor([[3.0, 4.0]], requires_grad=True)
m(x).sum().backward()
say(x.grad, m.weight.grad)
handle.remove()
m(x).sum().backward()
say(x.grad)

# the old backward hook may change what goes on
m = nn.ReLU()
m.register_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 10,))
x = torch.tensor([1.5, -2.0, 3.0], requires_grad=True)
m(x * 2).sum().backward()
say(x.grad)
with torch.no_grad():
    say(m(x))

# what the old backward hook will miss
class Two(nn.Module):
    def forward(self, x):
        return x * 2, x + 1
class Nested(nn.Module):
    def forward(self, x):
        return {"out": [x], "y": x * 2}
class Shared(nn.Module):
    def forward(self, x):
        return torch.split(x, 1)
class Constant(nn.Module):
    def forward(self, x, n):
        return x * n
class Chain(nn.Module):
    def forward(self, x):
        return (x * 2).relu()
class First(nn.Module):
    def forward(self, x):
        return x
for kind in (Two, Nested, Shared, Chain, First):
    m = kind()
    m.register_backward_hook(lambda module, grad_input, grad_output: say(type(module).__name__, list(grad_input), list(grad_output)))
    x = torch.tensor([1.5, 2.5], requires_grad=True)
    out = m(x * 1)
    (out["y"] if isinstance(out, dict) else out[0] if isinstance(out, tuple) else out).sum().backward()
m = Constant()
m.register_backward_hook(lambda module, grad_input, grad_output: say("Constant", list(grad_input), list(grad_output)))
m(torch.tensor([1.5], requires_grad=True), 3).sum().backward()
class Number(nn.Module):
    def forward(self, x):
        return 5
m = Number()
m.register_backward_hook(lambda *args: None)
fails(lambda: m(x))

# backward hooks of two kinds do not stand side by side
m = nn.ReLU()
m.register_backward_hook(lambda *args: None)
fails(lambda: m.register_full_backward_hook(lambda *args: None))
m = nn.ReLU()
m.register_full_backward_hook(lambda *args: None)
fails(lambda: m.register_backward_hook(lambda *args: None))
fails(lambda: m.register_backward_hook())
m = nn.ReLU()
m.register_full_backward_pre_hook(lambda module, grad_output: say("before", list(grad_output)))
m.register_backward_hook(lambda module, grad_input, grad_output: say("behind", list(grad_output)))
m(torch.tensor([2.0], requires_grad=True)).backward()

# a full backward hook on a module that gives no tensor
class Named(nn.Module):
    def forward(self, x):
        return {"y": x * 2}
m = Named()
m.register_full_backward_hook(lambda *args: say("never"))
m(torch.tensor([2.0], requires_grad=True))["y"].backward()

# backward hooks of all modules
register = torch.nn.modules.module.register_module_backward_hook
handle = register(lambda module, grad_input, grad_output: say("all", type(module).__name__, list(grad_output)))
net = nn.Sequential(nn.ReLU(), nn.Tanh())
net[1].register_full_backward_hook(lambda module, grad_input, grad_output: say("own", list(grad_output)))
net(torch.tensor([0.0, 1.0], requires_grad=True) * 1).sum().backward()
handle.remove()
fails(lambda: torch.nn.modules.module.register_module_full_backward_hook(lambda *args: None))
net(torch.tensor([0.0, 1.0], requires_grad=True) * 1).sum().backward()

# a forward hook called at any rate fails in silence
class Fails(nn.Module):
    def forward(self, x):
        raise ValueError("forward")
def hook(*args):
    raise RuntimeError("hook")
m = Fails()
m.register_forward_hook(hook, always_call=True)
m.register_forward_hook(lambda module, args, out: say("second", list(args), out), always_call=True)
m.register_forward_hook(lambda module, args, out: say("third"))
handle = torch.nn.modules.module.register_module_forward_hook(hook, always_call=True)
fails(lambda: m(1))
handle.remove()
fails(lambda: m(1))

# what a private state_dict hook returns is given back, by the module asked only
inner = nn.Linear(1, 1)
net = nn.Sequential(inner, nn.ReLU())
def keep(module, state_dict, prefix, local_metadata):
    say(type(module).__name__, list(state_dict), repr(prefix), local_metadata)
    return {prefix + "only": 1}
net._register_state_dict_hook(keep)
say(net.state_dict())
handle = inner._register_state_dict_hook(keep)
say(list(inner.state_dict()), net.state_dict())
handle.remove()
net = nn.Sequential(inner)
inner._register_state_dict_hook(keep)
say(list(net.state_dict()))

# a public state_dict hook must return nothing, and stays public
m = nn.ReLU()
def public(module, state_dict, prefix, local_metadata):
    return state_dict
m.register_state_dict_post_hook(public)
fails(lambda: m.state_dict())
fails(lambda: m._register_state_dict_hook(public))
fails(lambda: m._register_state_dict_hook())

# hooks on what every module registers
of = torch.nn.modules.module
handles = [
    of.register_module_module_registration_hook(lambda module, name, sub: say("module", type(module).__name__, name, sub)),
    of.register_module_parameter_registration_hook(lambda module, name, param: say("parameter", name, None if param is None else list(param.shape))),
    of.register_module_buffer_registration_hook(lambda module, name, buffer: say("buffer", name, buffer)),
]
net = nn.Sequential(nn.Linear(2, 1, bias=False))
m = nn.Module()
m.child = nn.ReLU()
m.child = None
m.weight = nn.Parameter(torch.ones(1))
m.weight = None
m.register_buffer("running", torch.zeros(1))
m.running = torch.ones(1)
m.add_module("other", nn.Tanh())
for handle in handles:
    handle.remove()
handle = of.register_module_module_registration_hook(lambda module, name, sub: nn.Sigmoid())
m.child = nn.ReLU()
handle.remove()
handle = of.register_module_parameter_registration_hook(lambda module, name, param: nn.Parameter(param * 2))
m.weight = nn.Parameter(torch.ones(1))
handle.remove()
say(m, m.weight)

# where the base of modules and its hooks stand
say(torch.nn.modules.module.Module is nn.Module, torch.nn.modules.Linear is nn.Linear)
say(hasattr(torch.nn, "register_module_forward_hook"), hasattr(torch.nn.modules, "register_module_forward_hook"))
say(sorted(n for n in torch.nn.modules.module.__all__ if hasattr(torch.nn.modules.module, n)))
