# positional arguments are deprecated, and each only stands in for what is not given by name
m = nn.Sequential()
m.add_module("first", nn.Linear(1, 1, bias=False))
where = dict(a=1)
say(list(m.state_dict(where)), len(where))
say(list(m.state_dict({}, "p.")))
say(list(m.state_dict({}, "p.", prefix="q.")), list(m.state_dict({"b": 2}, prefix="q.")))
say(m.state_dict()["first.weight"].requires_grad, m.state_dict({}, "", True)["first.weight"].requires_grad)
say(m.state_dict({}, "p.", False, keep_vars=True)["p.first.weight"].requires_grad)
say(list(m.state_dict({}, destination=where)), len(where))
say(m.state_dict(keep_vars=True)["first.weight"] is m.first.weight)

# a destination of another kind, a prefix of another kind
m = nn.Linear(1, 1, bias=False)
fails(lambda: m.state_dict(destination=5))
fails(lambda: m.state_dict(destination="a"))
fails(lambda: m.state_dict(prefix=5))
fails(lambda: m.state_dict(destination={}, prefix=5))
say(list(m.state_dict(destination={}, prefix="x.")))

# the version of each module stands under its whole name
class Versioned(nn.Module):
    _version = 7
    def __init__(self):
        super().__init__()
        self.here = nn.Parameter(torch.ones(1))
    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *rest):
        say(prefix, local_metadata)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)
m = nn.Module()
m.outer = nn.Module()
m.outer.inner = Versioned()
state = m.state_dict()
say(list(state), list(state._metadata), list(state._metadata.values()))
say(m.load_state_dict(state))
say(m.load_state_dict(dict(state)))
say(m.load_state_dict(state, assign=True))

# places with nothing in them are neither saved nor missed
m = nn.Module()
m.register_parameter("weight", None)
m.register_buffer("running", None)
m.register_buffer("passing", torch.ones(1), persistent=False)
m.register_module("child", None)
m.here = nn.Parameter(torch.ones(1))
state = m.state_dict()
say(list(state), list(state._metadata))
say(m.load_state_dict(state))
say(m.load_state_dict({**state, "weight": torch.ones(1), "passing": torch.ones(1)}, strict=False))
fails(lambda: m.load_state_dict({**state, "child.weight": torch.ones(1), "running": torch.ones(1)}))
say(m.load_state_dict({"passing": torch.ones(1)}, strict=False))
say(m.load_state_dict({}, strict=False))

# _load_from_state_dict tells of missing and unexpected only where that is asked for
class Counting(nn.Linear):
    def get_extra_state(self):
        return 1
    def set_extra_state(self, state):
        say("set", state)
m = Counting(1, 1)
for strict in (True, False):
    missing, unexpected, errors = [], [], []
    m._load_from_state_dict({"p.weight": torch.ones(1, 1), "p.other": 1, "q.bias": 2, "p.bias.more": 3}, "p.", {}, strict, missing, unexpected, errors)
    say(missing, unexpected, errors)
    missing, unexpected, errors = [], [], []
    nn.Linear(1, 1)._load_from_state_dict({"p._extra_state": 5, "p.weight": torch.ones(1), "p.bias": [1]}, "p.", {}, strict, missing, unexpected, errors)
    say(missing, unexpected, errors)
m._load_from_state_dict({"p._extra_state": 5}, "p.", {}, False, [], [], [])

# a number for a number, and what has one element in more dimensions
m = nn.Module()
m.p = nn.Parameter(torch.tensor(1.5))
say(m.load_state_dict({"p": torch.tensor(2.5)}), m.p.item())
fails(lambda: m.load_state_dict({"p": torch.tensor([[2.5]])}))
m.p = nn.Parameter(torch.ones(1))
fails(lambda: m.load_state_dict({"p": torch.tensor(2.5)}))

# hooks that return nothing
m = nn.Linear(1, 1)
m.register_state_dict_post_hook(lambda module, state, prefix, meta: None)
m.register_load_state_dict_post_hook(lambda module, keys: None)
say(list(m.state_dict()), m.load_state_dict(m.state_dict()))

# assign keeps what a tensor of the checkpoint is, and leaves meta behind
m = nn.Linear(1, 2, device="meta")
m.bias.requires_grad_(False)
frozen = nn.Parameter(torch.ones(2, 1), requires_grad=False)
say(m.load_state_dict({"weight": frozen, "bias": torch.ones(2)}, assign=True))
say(m.weight is frozen, m.weight.requires_grad, m.weight.device.type, type(m.bias).__name__, m.bias.requires_grad)
n = nn.Module()
n.register_buffer("mean", torch.ones(1))
mean = torch.full((1,), 3.5)
say(n.load_state_dict({"mean": mean}, assign=True), n.mean is mean, type(n.mean).__name__)
meta = nn.Linear(1, 2, device="meta")
say(meta.load_state_dict(nn.Linear(1, 2, device="meta").state_dict()))
