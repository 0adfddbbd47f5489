# which operators run again
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts as contexts, CheckpointPolicy, SelectiveCheckpointContext, SAC_IGNORED_OPS, noop_context_fn
from torch.utils._python_dispatch import TorchDispatchMode
class Log(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        seen.append(str(func))
        return func(*args, **(kwargs or {}))
def region(a, b):
    return torch.sigmoid(torch.mm(torch.mm(a, b), b)) * b
def backward(context_fn):
    a = torch.tensor([[0.5, -1.5], [2.0, 0.25]], requires_grad=True)
    b = torch.tensor([[1.5, 0.5], [-0.5, 0.75]], requires_grad=True)
    out = checkpoint(region, a, b, use_reentrant=False, context_fn=context_fn)
    seen.clear()
    with Log():
        out.sum().backward()
    say([s for s in seen if s in ("aten.mm.default", "aten.sigmoid.default", "aten.mul.Tensor")])
    say(a.grad, b.grad)
seen = []
mm = torch.ops.aten.mm.default
backward(noop_context_fn)
backward(lambda: contexts([mm]))
backward(lambda: contexts([mm, torch.ops.aten.sigmoid.default]))
backward(lambda: contexts(lambda ctx, op, *args, **kwargs: op is mm))
asked = []
def first_alone(ctx, op, *args, **kwargs):
    asked.append((str(op), len(args), len(kwargs), ctx.is_recompute, list(ctx.op_output.shape)))
    return CheckpointPolicy.PREFER_SAVE if len(asked) == 1 else CheckpointPolicy.MUST_RECOMPUTE
backward(lambda: contexts(first_alone))
for what in asked:
    say(*what)
say(torch.ops.aten.detach.default in SAC_IGNORED_OPS, mm in SAC_IGNORED_OPS)
ctx = SelectiveCheckpointContext(is_recompute=False, op_output=3)
say(ctx.is_recompute, ctx.op_output)

# keyword arguments, views and several results
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts as contexts, CheckpointPolicy
def keep(ctx, op, *args, **kwargs):
    named.append((str(op), sorted(kwargs)))
    return CheckpointPolicy.MUST_SAVE
def backward(fn):
    named.clear()
    x = torch.tensor([[1.0, 4.0, 2.0], [3.0, 0.5, 6.0]], requires_grad=True)
    out = checkpoint(fn, x, use_reentrant=False, context_fn=lambda: contexts(keep))
    out.sum().backward()
    say(x.grad)
named = []
backward(lambda x: torch.add(x, x, alpha=3).sin())
for what in named:
    say(*what)
backward(lambda x: x.t().exp())
backward(lambda x: x.sort(dim=1)[0].sin() * x)
backward(lambda x: torch.stack(x.unbind(0)[::-1]).sin())
backward(lambda x: x.sin().view(3, 2).cos())

# refusals of selective checkpoints
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts as contexts, SelectiveCheckpointContext
mm = torch.ops.aten.mm.default
fails(lambda: contexts([torch.ops.aten.mm]))
fails(lambda: contexts([mm, 3]))
fails(lambda: contexts(["mm"]))
fails(lambda: contexts(5))
fails(lambda: contexts(None))
fails(lambda: contexts())
fails(lambda: SelectiveCheckpointContext(True))
fails(lambda: SelectiveCheckpointContext())
def run(fn, save, **options):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return x, checkpoint(fn, x, use_reentrant=False, early_stop=False, context_fn=lambda: contexts(save, **options))
sin, cos = torch.ops.aten.sin.default, torch.ops.aten.cos.default
x, out = run(lambda x: x.sin().exp(), [sin])
out.sum().backward(retain_graph=True)
fails(lambda: out.sum().backward())
times = []
def other(x):
    times.append(0)
    return x.sin() if len(times) == 1 else x.cos()
x, out = run(other, [])
fails(lambda: out.sum().backward())
def more(x):
    times.append(0)
    return x.sin() if len(times) == 1 else x.sin().sin()
times.clear()
x, out = run(more, [])
fails(lambda: out.sum().backward())
def changes(x):
    y = x.sin()
    z = y.exp()
    kept.append(y)
    return z
for allow in (False, True):
    kept = []
    x, out = run(changes, [sin], allow_cache_entry_mutation=allow)
    with torch.no_grad():
        kept[0].mul_(2)
    fails(lambda: out.sum().backward())
    say(x.grad)
fails(lambda: checkpoint(lambda x: x, torch.ones(2), use_reentrant=True, context_fn=lambda: contexts([sin])))
fails(lambda: checkpoint(lambda x: x, torch.ones(2), use_reentrant=False, debug=True, context_fn=lambda: contexts([sin])))

# states of devices
from torch.utils.checkpoint import get_device_states, set_device_states, DefaultDeviceType
say(DefaultDeviceType.get_device_type(), *get_device_states(torch.ones(2), [torch.ones(3)], 5), *get_device_states())
say(*get_device_states(torch.empty(2, device="meta")))
set_device_states([], [])
set_device_states([0], [])
fails(lambda: set_device_states([0], [torch.get_rng_state()]))
fails(lambda: set_device_states([], [], device_type="foo"))
say(set_device_states([0], [1], device_type="meta"))
DefaultDeviceType.set_device_type("meta")
say(DefaultDeviceType.get_device_type(), set_device_states([0], [1]), *get_device_states(torch.ones(1)))
DefaultDeviceType.set_device_type("cpu")
