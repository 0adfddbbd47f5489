# a Parameter is not overwritten, in a constructor either
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        for value in (5, 2.5, "a", [1], torch.ones(2), nn.Linear(1, 1)):
            fails(lambda: setattr(self, "weight", value))
        self.child = nn.ReLU()
        fails(lambda: setattr(self, "child", 5))
        fails(lambda: setattr(self, "child", torch.ones(1)))
        self.running = nn.Buffer(torch.zeros(1))
        fails(lambda: setattr(self, "running", 5))
        fails(lambda: setattr(self, "running", nn.Linear(1, 1).weight.tolist()))
m = M()
say([n for n, _ in m.named_parameters()], [n for n, _ in m.named_buffers()], [n for n, _ in m.named_children()])
m.weight = None
m.child = None
m.running = None
say(m.weight, m.child, m.running)
say(list(m._parameters), list(m._modules), list(m._buffers))

# names keep the order in which they were first given
m = nn.Module()
m.b = nn.Linear(1, 1)
m.add_module("1", nn.ReLU())
setattr(m, "0", nn.Linear(1, 1))
m.a = nn.Parameter(torch.ones(1))
m.register_parameter("7", nn.Parameter(torch.ones(1)))
m.c = nn.Parameter(torch.ones(1))
m.a = nn.Parameter(torch.zeros(1))
m.b = nn.Tanh()
say([n for n, _ in m.named_parameters()])
say([n for n, _ in m.named_modules()])
say(list(m.state_dict()))

# one name goes from kind to kind
m = nn.Module()
m.x = 3
m.x = nn.Parameter(torch.ones(1))
say(list(m._parameters), list(m._buffers), list(m._modules))
m.y = nn.Linear(1, 1)
m.y = nn.Parameter(torch.ones(1))
say(list(m._parameters), list(m._buffers), list(m._modules))
m.z = nn.Buffer(torch.ones(1), persistent=False)
say(sorted(m._non_persistent_buffers_set))
m.z = nn.ReLU()
say(list(m._parameters), list(m._buffers), list(m._modules), sorted(m._non_persistent_buffers_set))
m.z = None
say(list(m._modules), m.z)
fails(lambda: setattr(m, "z", nn.Buffer(torch.ones(1))))
fails(lambda: setattr(m, "forward", nn.Parameter(torch.ones(1))))
m.n = None
m.n = nn.Parameter(torch.ones(1))
say(list(m._parameters))

# deleting
m = nn.Linear(2, 2)
m.running = nn.Buffer(torch.ones(1), persistent=False)
m.child = nn.ReLU()
m.plain = 5
del m.bias
del m.running
del m.child
del m.plain
say([n for n, _ in m.named_parameters()], [n for n, _ in m.named_buffers()], [n for n, _ in m.named_children()], list(m.state_dict()))
say(hasattr(m, "bias"), hasattr(m, "running"), hasattr(m, "child"), hasattr(m, "plain"), list(m._non_persistent_buffers_set))
fails(lambda: delattr(m, "bias"))
fails(lambda: delattr(m, "nothing"))
fails(lambda: m.__getattr__("nothing"))
m.bias = 5
say(m.bias)
m.__delattr__("weight")
say(list(m._parameters))

# names that are no string, empty, dotted or taken
m = nn.Linear(2, 2)
for name in (5, None, 2.5, [1], torch.ones(1), "", "a.b", "in_features", "forward"):
    fails(lambda: m.register_parameter(name, None))
    fails(lambda: m.register_buffer(name, torch.ones(1)))
    fails(lambda: m.add_module(name, None))
    fails(lambda: m.register_module(name, nn.ReLU()))
fails(lambda: m.register_parameter(5, 5))
fails(lambda: m.add_module(5, 5))
fails(lambda: m.register_parameter("p", nn.Parameter(torch.ones(1)) * 2))

# the maps are the truth
m = nn.Linear(1, 1)
m._parameters["extra"] = nn.Parameter(torch.ones(1))
m._modules["child"] = nn.ReLU()
del m._parameters["bias"]
say([n for n, _ in m.named_parameters()], hasattr(m, "bias"), hasattr(m, "extra"), hasattr(m, "child"))

# overriding __setattr__
class Logged(nn.Module):
    def __setattr__(self, name, value):
        say("set", name)
        super().__setattr__(name, value)
m = Logged()
m.a = nn.Parameter(torch.ones(1))
m.a = nn.Parameter(torch.ones(1))
m.b = 5
say(list(m._parameters), m.b)

# remove_duplicate and shared members
shared = nn.Linear(1, 1, bias=False)
m = nn.Sequential(shared, nn.ReLU(), shared)
say([n for n, _ in m.named_parameters()], [n for n, _ in m.named_parameters(remove_duplicate=False)])
say([n for n, _ in m.named_modules()], [n for n, _ in m.named_modules(remove_duplicate=False)])
m[0].register_buffer("r", torch.ones(1))
m.register_buffer("s", m[0].r)
say([n for n, _ in m.named_buffers()], [n for n, _ in m.named_buffers(remove_duplicate=False)])
say(len(list(m.parameters())), len(list(m.modules())), len(list(m.modules(remove_duplicate=False))))
say(len(list(m.parameters(recurse=False))), [n for n, _ in m.named_buffers(recurse=False)])

# load_state_dict reports what is missing and unexpected, strict or not
m = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
state = {"0.weight": torch.ones(3, 2), "2.bias": torch.ones(1), "5.weight": torch.ones(1), "x": torch.ones(1), "2.other": torch.ones(1)}
result = m.load_state_dict(state, strict=False)
say(result.missing_keys, result.unexpected_keys)
say(result)
say(m.load_state_dict(m.state_dict()))
fails(lambda: m.load_state_dict(state))
fails(lambda: m.load_state_dict({**m.state_dict(), "0.weight": torch.ones(2, 3)}))
fails(lambda: m.load_state_dict({**m.state_dict(), "0.weight": torch.ones(3, 2, 1)}, strict=False))
fails(lambda: m.load_state_dict({**m.state_dict(), "0.weight": 5, "0.bias": [1.0]}))
fails(lambda: m.load_state_dict(5))
fails(lambda: m.load_state_dict(None))
fails(lambda: m.load_state_dict([("a", 1)]))

# a one-element tensor for a 0-dim one
m = nn.Module()
m.p = nn.Parameter(torch.tensor(1.0))
say(m.load_state_dict({"p": torch.tensor([5.0])}), m.p.item())
fails(lambda: m.load_state_dict({"p": torch.tensor([5.0, 6.0])}))

# assign puts the tensors themselves in
m = nn.Linear(1, 1)
m.bias.requires_grad_(False)
state = {"weight": torch.full((1, 1), 3.0, dtype=torch.float64), "bias": nn.Parameter(torch.full((1,), 4.0))}
say(m.load_state_dict(state, assign=True))
say(m.weight.dtype, m.weight.requires_grad, m.bias is state["bias"], m.bias.requires_grad, isinstance(m.weight, nn.Parameter))
say([n for n, _ in m.named_parameters()])

# copying that fails is told with the sizes
m = nn.Linear(1, 1)
m.weight = nn.Parameter(torch.empty(1, 1, device="meta"))
say(m.load_state_dict({"weight": torch.ones(1, 1), "bias": torch.ones(1)}))
view = nn.Module()
view.p = nn.Buffer(torch.ones(1).expand(3))
fails(lambda: view.load_state_dict({"p": torch.tensor([1.0, 2.0, 3.0])}))

# overriding _save_to_state_dict and _load_from_state_dict
class Doubled(nn.Linear):
    _version = 3
    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "doubled"] = self.weight.detach() * 2
    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        say(prefix, local_metadata.get("version"), strict, sorted(state_dict))
        state_dict.pop(prefix + "doubled", None)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
m = nn.Sequential(Doubled(1, 1), nn.ReLU(), Doubled(1, 1))
state = m.state_dict()
say(list(state), state["0.doubled"].item() == 2 * m[0].weight.item())
say([[k, v["version"]] for k, v in state._metadata.items()])
say(m.load_state_dict(state))
del state["2.bias"]
say(m.load_state_dict(state, strict=False))

# extra state
class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0
    def get_extra_state(self):
        return {"count": self.count}
    def set_extra_state(self, state):
        self.count = state["count"]
m = nn.Sequential(Counting())
m[0].count = 7
state = m.state_dict()
say(list(state))
other = nn.Sequential(Counting())
say(other.load_state_dict(state), other[0].count)
fails(lambda: other.load_state_dict({}))
fails(lambda: nn.Sequential(nn.ReLU()).load_state_dict(state))
fails(lambda: nn.ReLU().get_extra_state())
fails(lambda: nn.ReLU().set_extra_state(1))

# hooks of saving and loading
m = nn.Sequential(nn.Linear(1, 1, bias=False))
m.register_state_dict_pre_hook(lambda module, prefix, keep_vars: say("pre", prefix, keep_vars))
m[0].register_state_dict_post_hook(lambda module, state, prefix, meta: say("post", list(state), prefix, meta))
state = m.state_dict(keep_vars=True)
m[0].register_load_state_dict_pre_hook(lambda module, state, prefix, meta, strict, missing, unexpected, errors: say("load", sorted(state), prefix, meta, strict, missing, unexpected, errors))
m.register_load_state_dict_post_hook(lambda module, keys: say("loaded", keys))
m.load_state_dict(state, strict=False)
m[0].register_state_dict_post_hook(lambda module, state, prefix, meta: 5)
fails(lambda: m.state_dict())
m.register_load_state_dict_post_hook(lambda module, keys: 5)
fails(lambda: m.load_state_dict(state))

# set_submodule
m = nn.Sequential(nn.Sequential(nn.ReLU()))
m.set_submodule("0.0", nn.Tanh())
m.set_submodule("0.new", nn.Sigmoid())
say(m)
fails(lambda: m.set_submodule("", nn.ReLU()))
fails(lambda: m.set_submodule("0.none", nn.ReLU(), strict=True))
fails(lambda: m.set_submodule("9.none", nn.ReLU()))
fails(lambda: m.set_submodule("0", 5))
fails(lambda: m.set_submodule("training", nn.ReLU()))
fails(lambda: m.get_submodule("training"))

# ModuleList
m = nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU(), nn.Linear(1, 1), nn.Linear(2, 1)])
say(m)
say(len(m), list(m._modules), m[-1], m[1:3])
m.insert(1, nn.Tanh())
say(list(m._modules), m[1], m[2])
del m[0]
say(list(m._modules), m[0], hasattr(m, "5"), getattr(m, "4"))
say(m.pop(1), len(m), m.pop(-1), list(m._modules))
m[0] = nn.Sigmoid()
m.append(nn.ReLU()).extend([nn.Tanh()])
m += [nn.ReLU()]
say(m + [nn.Tanh()])
del m[1:3]
say(m, m[::2], m[::-1], m[-2:])
fails(lambda: m[9])
fails(lambda: m.__setitem__(9, nn.ReLU()))
fails(lambda: m.extend(5))
fails(lambda: m.append(5))
fails(lambda: nn.ModuleList(5))
fails(lambda: m(torch.ones(1)))
say(nn.ModuleList(), [type(x).__name__ for x in m])

# Sequential
m = nn.Sequential(nn.Linear(1, 2), nn.ReLU(), nn.Linear(2, 1))
m.insert(1, nn.Tanh())
say(m)
m.insert(-1, nn.Sigmoid())
say([type(x).__name__ for x in m], list(m._modules))
del m[1]
say([type(x).__name__ for x in m], list(m._modules))
say(m.pop(-2), len(m))
say(m[1:], list(m[1:]._modules))
say(len(m + m), len(m * 3), len(2 * m))
m += nn.Sequential(nn.Tanh())
say(list(m._modules))
m *= 2
say(list(m._modules))
del m[::2]
say([type(x).__name__ for x in m], list(m._modules))
fails(lambda: m.insert(50, nn.ReLU()))
fails(lambda: m.insert(0, 5))
fails(lambda: m + 5)
fails(lambda: m * 0)
fails(lambda: m * 1.5)
fails(lambda: m[50])
m[0] = None
fails(lambda: m(torch.ones(1, 1)))

# ModuleDict
m = nn.ModuleDict({"b": nn.Linear(1, 1), "a": nn.ReLU()})
m["c"] = nn.Tanh()
m["b"] = nn.Sigmoid()
say(m)
say(list(m), list(m.keys()), [k for k, _ in m.items()], [type(v).__name__ for v in m.values()], len(m), "a" in m, "z" in m)
say(m["a"], m.pop("a"), list(m), hasattr(m, "a"))
del m["c"]
say(list(m))
m.update([["x", nn.ReLU()], ("y", nn.Tanh())])
m.update(nn.ModuleDict({"x": nn.Linear(1, 1)}))
say(list(m), m["x"])
fails(lambda: m["nothing"])
fails(lambda: m.pop("nothing"))
fails(lambda: m.__delitem__("nothing"))
fails(lambda: m.update(5))
fails(lambda: m.update([5]))
fails(lambda: m.update([["a"]]))
fails(lambda: m.update({"a": 5}))
fails(lambda: m.__setitem__("keys", nn.ReLU()))
fails(lambda: m.__setitem__(5, nn.ReLU()))
fails(lambda: m(torch.ones(1)))
m.clear()
say(m, len(m), [n for n, _ in m.named_modules()])

# ParameterList
m = nn.ParameterList([torch.ones(2, 3), nn.Parameter(torch.zeros(1)), 5, "text"])
say(m)
say(len(m), type(m[0]).__name__, m[2], m[-1], [n for n, _ in m.named_parameters()])
m.append(torch.ones(1)).extend([torch.ones(0)])
m += [torch.ones(4)]
m[2] = torch.ones(5)
say([n for n, _ in m.named_parameters()], len(m[1:4]), m[1:4])
fails(lambda: m[50])
fails(lambda: m.extend(5))
fails(lambda: m.extend(torch.ones(2)))
fails(lambda: m(1))
fails(lambda: m.__setitem__(0, 5))
say(list(m.state_dict()))

# ParameterDict
m = nn.ParameterDict({"b": torch.ones(2, 3), "a": nn.Parameter(torch.zeros(1)), "n": 5})
say(m)
m["c"] = torch.ones(1)
say(list(m), [n for n, _ in m.named_parameters()], len(m), "a" in m, m.get("zz"), m.get("zz", 3), m["n"])
say(m.pop("n"), list(m.keys()), [k for k, _ in m.items()], len(list(m.values())))
say(m.setdefault("d", torch.ones(1)).shape, m.setdefault("d", 5).shape, list(reversed(m)))
say(m.popitem()[0], list(m.copy()), list(m.fromkeys(["x", "y"], 5)), list(m | nn.ParameterDict({"q": 1})))
m.update([["z", torch.ones(1)]])
del m["a"]
say(list(m), list(m.state_dict()))
fails(lambda: m[5])
fails(lambda: m["nothing"])
fails(lambda: m.__delitem__("nothing"))
fails(lambda: m.update(5))
fails(lambda: m.update([5]))
fails(lambda: m.update([["a"]]))
fails(lambda: m(1))
m.clear()
say(m, len(m))

# calculate_gain
gain = nn.init.calculate_gain
for name in ("linear", "conv1d", "conv_transpose3d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"):
    say(name, round(gain(name), 12))
say(round(gain("leaky_relu", 0.5), 12), round(gain("leaky_relu", 2), 12), round(gain("leaky_relu", None), 12))
for param in (True, False, [1], "a", torch.ones(1)):
    fails(lambda: gain("leaky_relu", param))
fails(lambda: gain("nothing"))
fails(lambda: gain(5))
