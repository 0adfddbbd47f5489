"""Records what PyTorch does with a whole backend outside of it: one with guard, hooks, streams, events, generators, pinned memory, module.

    python tools/oracle/record_openreg.py        -> test/fixtures/dispatch/openreg.json.gz

The backend is openreg/openreg.cpp, which this compiles (a C++ compiler and ninja are needed; about a minute). Each program stands in
test/openreg under the same name. Recorded: the result or the error, the warnings, and what was asked of the guard.
"""

import base64
import copy
import gzip
import io
import json
import os
import re
import tempfile
import types
import warnings

import torch
from torch.utils.cpp_extension import load

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(os.path.dirname(os.path.dirname(HERE)), "test", "fixtures", "dispatch", "openreg.json.gz")


def compiled():
    folder = os.path.join(tempfile.gettempdir(), "openreg_probe")
    os.makedirs(folder, exist_ok=True)
    return load(name="openreg_probe", sources=[os.path.join(HERE, "openreg", "openreg.cpp")], build_directory=folder, extra_cflags=["-O0"])


_C = compiled()
openreg = types.ModuleType("torch.openreg")


class device:
    def __init__(self, device):
        self.idx = torch.accelerator._get_device_index(device, optional=True)
        self.prev = -1

    def __enter__(self):
        self.prev = _C.exchange_device(self.idx)

    def __exit__(self, *_):
        _C.set_device(self.prev)


def lazy_init():
    _C.init()
    openreg.initialized = True


def generator(index):
    return _C.default_generator(torch.accelerator._get_device_index(index, optional=True))


def manual_seed_all(seed):
    for i in range(_C.device_count()):
        generator(i).manual_seed(seed)


openreg.initialized = False
openreg.device = device
openreg.is_available = lambda: True
openreg.device_count = _C.device_count
openreg.current_device = _C.current_device
openreg.set_device = _C.set_device
openreg._lazy_init = lazy_init
openreg.is_initialized = lambda: openreg.initialized
openreg._is_in_bad_fork = lambda: False
openreg.get_rng_state = lambda index="openreg": generator(index).get_state()
openreg.set_rng_state = lambda state, index="openreg": generator(index).set_state(state)
openreg.manual_seed = lambda seed: generator(_C.current_device()).manual_seed(seed)
openreg.manual_seed_all = manual_seed_all
openreg.initial_seed = lambda: generator(_C.current_device()).initial_seed()
openreg.get_amp_supported_dtype = lambda: [torch.float16, torch.bfloat16]

x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def there(index=0):
    return x.to(f"openreg:{index}")


def inside(context, call):
    with context:
        return call()


def raising(context):
    try:
        with context:
            raise ValueError
    except ValueError:
        pass
    return torch.accelerator.current_device_index()


def seeded(seed, call):
    torch.manual_seed(seed)
    return call()


def on_stream(stream, call):
    with stream:
        return call()


def waiting(index=0):
    """a new stream, behind what the current one has to do"""
    s = S(index)
    s.wait_stream(torch.accelerator.current_stream(index))
    return s


def backward(call, *leaves):
    call().backward()
    return [leaf.grad for leaf in leaves]


def leaf(index=0):
    return there(index).requires_grad_()


def saved(obj):
    file = io.BytesIO()
    torch.save(obj, file)
    file.seek(0)
    return file


def loaded(obj, **kwargs):
    return torch.load(saved(obj), **kwargs)


def linear():
    net = torch.nn.Linear(2, 1)
    with torch.no_grad():
        net.weight.fill_(0.5)
        net.bias.fill_(1)
    return net


def packed():
    return torch.nn.utils.rnn.PackedSequence(torch.arange(5.0), torch.tensor([3, 2]))


def bytes_there(values, index=0):
    storage = torch.UntypedStorage(len(values), device=f"openreg:{index}")
    return storage.copy_(torch.UntypedStorage(values))


def fork():
    before = openreg.get_rng_state(1)
    with torch.random.fork_rng([1]):
        openreg.manual_seed_all(5)
        torch.manual_seed(3)
    return torch.equal(before, openreg.get_rng_state(1))


def shared_leaf():
    """a leaf used on two streams, and a third in which backward is called"""
    p = leaf()
    one, two = waiting(), waiting()
    one_out = on_stream(one, lambda: p.mul(2).sum())
    two_out = on_stream(two, lambda: p.mul(3).sum())
    two.wait_stream(one)
    total = on_stream(two, lambda: one_out + two_out)
    _C.clear()
    total.backward()
    return p.grad


def chain_of_streams():
    p = leaf()
    y = p.mul(2)
    one, two = waiting(), S()
    z = on_stream(one, lambda: y.exp())
    two.wait_stream(one)
    out = on_stream(two, lambda: z.sum())
    _C.clear()
    out.backward()
    return p.grad


def first_producer_is_the_consumer():
    """the accumulator is of stream two, whose product comes first; then that of stream one"""
    p = leaf()
    one, two = waiting(), waiting()
    held = on_stream(two, lambda: p.expand_as(p))
    one_out = on_stream(one, lambda: p.mul(2).sum())
    two_out = on_stream(two, lambda: p.mul(3).sum())
    two.wait_stream(one)
    total = on_stream(two, lambda: one_out + two_out)
    _C.clear()
    total.backward()
    return [p.grad, held.shape]


def three_producers():
    """an accumulator of the default stream, and three others"""
    p = leaf()
    held = p.expand_as(p)
    streams = [waiting(), waiting(), waiting()]
    outs = [on_stream(s, lambda: p.mul(2).sum()) for s in streams]
    for s in streams:
        torch.accelerator.current_stream().wait_stream(s)
    total = outs[0] + outs[1] + outs[2]
    _C.clear()
    total.backward()
    return [p.grad, held.shape]


class OnTwoDevices(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2, a.to("openreg:1")

    @staticmethod
    def backward(ctx, first, second):
        return first * 2 + second.to("openreg:0")


def node_of_two_devices():
    p = leaf()
    first, second = OnTwoDevices.apply(p)
    total = first.sum() + (second * 3).sum().to("openreg:0")
    _C.clear()
    total.backward()
    return p.grad


def node_of_two_devices_and_streams():
    """the second output's gradient comes from two streams of the other device, neither of which is the node's"""
    p = leaf()
    first, second = OnTwoDevices.apply(p)
    one, two = waiting(1), waiting(1)
    one_out = on_stream(one, lambda: (second * 3).sum())
    two_out = on_stream(two, lambda: (second * 4).sum())
    one.wait_stream(two)
    both = on_stream(one, lambda: one_out + two_out)
    torch.accelerator.current_stream(1).wait_stream(one)
    total = first.sum() + both.to("openreg:0")
    _C.clear()
    total.backward()
    return p.grad


def node_fed_by_the_other_device():
    """gradients for its output on device 1 come from nodes of device 0"""
    p = leaf()
    _, second = OnTwoDevices.apply(p)
    total = second.to("openreg:0").sum() + second.to("openreg:0").mul(3).sum()
    _C.clear()
    total.backward()
    return p.grad


def grad_of_another_stream():
    p = leaf()
    s = waiting()
    y = on_stream(s, lambda: p.mul(2))
    torch.accelerator.current_stream().wait_stream(s)
    out = y.exp().sum()
    _C.clear()
    return list(torch.autograd.grad(out, [y, p]))


def callback_stream():
    """in which stream what runs at the end runs"""
    seen = []

    class Last(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a.clone()

        @staticmethod
        def backward(ctx, grad):
            torch.autograd.Variable._execution_engine.queue_callback(lambda: seen.append(torch.accelerator.current_stream().stream_id))
            return grad

    p = leaf()
    s = waiting()
    out = on_stream(s, lambda: Last.apply(p).sum())
    _C.clear()
    out.backward()
    return seen


def backward_inside_a_stream():
    """whoever calls backward in a stream finds the gradients ready there"""
    p = leaf()
    out = p.mul(2).sum()
    s = waiting()
    _C.clear()
    on_stream(s, lambda: out.backward())
    return [p.grad is not None]


def stream_left_by_an_error():
    class Bad(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a.clone()

        @staticmethod
        def backward(ctx, grad):
            raise RuntimeError("bad")

    p = leaf(1)
    out = on_stream(waiting(1), lambda: Bad.apply(p).sum())
    said = str_of(lambda: out.backward())
    return [said, torch.accelerator.current_device_index(), torch.accelerator.current_stream(1).stream_id]


def across_devices():
    p = leaf(0)
    out = p.mul(2).to("openreg:1").mul(3).sum()
    _C.clear()
    out.backward()
    return p.grad


def from_the_cpu():
    p = x.clone().requires_grad_()
    out = p.to("openreg:1").mul(2).sum()
    _C.clear()
    out.backward()
    return p.grad


def to_the_cpu():
    p = leaf(1)
    out = p.mul(2).cpu().sum()
    _C.clear()
    out.backward()
    return p.grad


def reentrant():
    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 2

        @staticmethod
        def backward(ctx, grad):
            q = torch.ones(2, 3, device="openreg:0", requires_grad=True)
            with torch.enable_grad():
                q.exp().sum().backward()
            return grad * q.grad

    p = leaf()
    Inner.apply(p).sum().backward()
    return p.grad


def stream_of_kernel():
    """which device and stream are current while a node runs"""
    seen = []

    class Look(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a.clone()

        @staticmethod
        def backward(ctx, grad):
            seen.append(f"{torch.accelerator.current_device_index()}:{torch.accelerator.current_stream().stream_id - base}")
            return grad

    p = leaf(1)
    s = waiting(1)
    base = s.stream_id
    out = on_stream(s, lambda: Look.apply(p).sum())
    out.backward()
    return seen


def autocast_state():
    return [torch.is_autocast_enabled("openreg"), torch.get_autocast_dtype("openreg")]


def metas(t):
    return [t.device, t.dtype, list(t.shape)]


def adam():
    p = leaf()
    opt = torch.optim.Adam([p], lr=0.5)
    for _ in range(3):
        opt.zero_grad()
        (p * p).sum().backward()
        opt.step()
    state = opt.state[p]
    return [p, state["step"], state["exp_avg"]]


def sgd_net():
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1)).openreg()
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for _ in range(4):
        opt.zero_grad()
        loss = (net(there()) - 1).pow(2).mean()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


CPU_STREAM = lambda: torch.Stream("cpu")
S = lambda index=0: torch.Stream(f"openreg:{index}")

PROGRAMS = {
    "device": {
        "count": lambda: torch.accelerator.device_count(),
        "is_available": lambda: torch.accelerator.is_available(),
        "current_accelerator": lambda: torch.accelerator.current_accelerator(),
        "current_accelerator checked": lambda: torch.accelerator.current_accelerator(check_available=True),
        "current index": lambda: torch.accelerator.current_device_index(),
        "set 1": lambda: [torch.accelerator.set_device_index(1), torch.accelerator.current_device_index()],
        "empty on the current one": lambda: torch.empty(2, device="openreg").device,
        "set -1": lambda: [torch.accelerator.set_device_index(-1), torch.accelerator.current_device_index()],
        "set by name": lambda: [torch.accelerator.set_device_index("openreg:0"), torch.accelerator.current_device_index()],
        "set without index": lambda: torch.accelerator.set_device_index("openreg"),
        "set another type": lambda: torch.accelerator.set_device_index("cpu"),
        "set out of range": lambda: torch.accelerator.set_device_index(2),
        "scope": lambda: [inside(torch.accelerator.device_index(1), torch.accelerator.current_device_index), torch.accelerator.current_device_index()],
        "scope of None": lambda: inside(torch.accelerator.device_index(None), torch.accelerator.current_device_index),
        "scope left by an error": lambda: raising(torch.accelerator.device_index(1)),
        "module scope": lambda: [inside(openreg.device("openreg:1"), openreg.current_device), openreg.current_device()],
        "device of a number": lambda: torch.device(1),
        "tensor by number": lambda: torch.empty(2, device=1).device,
        "empty elsewhere": lambda: torch.empty(2, device="openreg:1").device,
        "empty out of range": lambda: torch.empty(2, device="openreg:7"),
        "capability": lambda: sorted(str(t) for t in torch.accelerator.get_device_capability("openreg:1")["supported_dtypes"]),
        "get_device_module": lambda: torch.get_device_module("openreg:1") is openreg,
        "get_device_module of none": lambda: torch.get_device_module() is openreg,
        "get_device_module of a stranger": lambda: torch.get_device_module("ve"),
        "get_device_module of an int": lambda: torch.get_device_module(3),
        "_get_accelerator": lambda: torch._C._get_accelerator(),
        "get_device": lambda: there(1).get_device(),
        "synchronize": lambda: [torch.accelerator.synchronize(), torch.accelerator.synchronize(1)],
        "initialized": lambda: openreg.is_initialized(),
    },
    "guard": {
        "to": lambda: x.to("openreg"),
        "exp": lambda: there(1).exp(),
        "exp_": lambda: there(1).exp_(),
        "mm": lambda: there(1).mm(there(1).t()),
        "mm of two devices": lambda: there(0).mm(there(1).t()),
        "sum": lambda: there().sum(),
        "item": lambda: there(1)[0, 1].item(),
        "between devices": lambda: there(1).to("openreg:0"),
        "into the other": lambda: torch.empty(2, 3, device="openreg:0").copy_(there(1)),
        "cat": lambda: torch.cat([there(1), there(1)]),
        "out=": lambda: torch.exp(there(1), out=torch.empty(0, device="openreg:1")),
        "out= on another": lambda: torch.exp(there(1), out=torch.empty(0, device="openreg:0")),
        "an error inside": lambda: [str_of(lambda: there(1).mm(there(1))), torch.accelerator.current_device_index()],
    },
    "streams": {
        "new": lambda: [S(1).device, S(1).device_index, S(1).device_type],
        "of no device": lambda: torch.Stream().device,
        "of a number": lambda: torch.Stream(1).device,
        "of the CPU": lambda: repr(torch.Stream("cpu")),
        "of a stranger": lambda: torch.Stream("ve"),
        "by its numbers": lambda: [repr(torch.Stream(stream_id=3, device_index=1, device_type=20)), repr(torch.Stream(3, 1, 20))],
        "equal": lambda: [torch.Stream(3, 1, 20) == torch.Stream(3, 1, 20), torch.Stream(3, 1, 20) == torch.Stream(3, 0, 20)],
        "repr": lambda: repr(torch.accelerator.current_stream(1)),
        "query": lambda: [S().query(), torch.Stream("cpu").query()],
        "synchronize": lambda: [S().synchronize(), torch.Stream("cpu").synchronize()],
        "scope": lambda: on_stream(S(1), lambda: [torch.accelerator.current_stream().device, torch.accelerator.current_device_index()]),
        "after a scope": lambda: [repr(torch.accelerator.current_stream()), torch.accelerator.current_device_index()],
        "scope of the CPU's": lambda: on_stream(torch.Stream("cpu"), torch.accelerator.current_device_index),
        "set": lambda: [torch.accelerator.set_stream(torch.Stream(0, 1, 20)), torch.accelerator.current_device_index(), torch.accelerator.set_device_index(0)],
        "set the CPU's": lambda: torch.accelerator.set_stream(torch.Stream("cpu")),
        "wait_stream": lambda: torch.Stream(0, 0, 20).wait_stream(torch.Stream(0, 1, 20)),
        "wait_event": lambda: torch.Stream(0, 0, 20).wait_event(torch.Stream(0, 1, 20).record_event()),
        "not capturing": lambda: S().is_capturing(),
        "native_handle": lambda: S().native_handle,
        "a wrong argument": lambda: torch.Stream([1]),
    },
    "events": {
        "new": lambda: repr(torch.Event()),
        "of a device": lambda: [repr(torch.Event("openreg:1")), torch.Event("openreg:1").device],
        "with times": lambda: repr(torch.Event(enable_timing=True)),
        "of the CPU": lambda: torch.Event("cpu").record(),
        "of a stranger": lambda: torch.Event("ve"),
        "unrecorded": lambda: [torch.Event().query(), torch.Event().synchronize(), torch.Event().event_id],
        "recorded": lambda: torch.Stream(0, 1, 20).record_event().device,
        "recorded there": lambda: (lambda e: [e.record(torch.Stream(0, 1, 20)), e.device, e.event_id != 0, e.query(), e.synchronize()])(torch.Event()),
        "wait": lambda: torch.Stream(0, 1, 20).record_event().wait(),
        "wait there": lambda: torch.Stream(0, 1, 20).record_event().wait(torch.Stream(0, 1, 20)),
        "wait for nothing": lambda: torch.Event().wait(),
        "on a stream of another type": lambda: torch.Event().record(torch.Stream("cpu")),
        "on another device": lambda: (lambda e: [e.record(torch.Stream(0, 1, 20)), e.record(torch.Stream(0, 0, 20))])(torch.Event()),
        "times without timing": lambda: torch.Event().elapsed_time(torch.Event()),
        "times unrecorded": lambda: torch.Event(enable_timing=True).elapsed_time(torch.Event(enable_timing=True)),
        "times": lambda: (lambda a, b: [a.record(), b.record(), a.synchronize(), b.synchronize(), a.elapsed_time(b) > 0])(torch.Event(enable_timing=True), torch.Event(enable_timing=True)),
        "times of two types": lambda: torch.Event(enable_timing=True).elapsed_time(torch.Event("cpu", enable_timing=True)),
        "ipc": lambda: torch.Event().ipc_handle(),
    },
    "rng": {
        "generator": lambda: torch.Generator(device="openreg:1").device,
        "generator of no index": lambda: torch.Generator(device="openreg").device,
        "seeded generator": lambda: torch.Generator("openreg").manual_seed(42).initial_seed(),
        "generator of a stranger": lambda: torch.Generator("ve"),
        "manual_seed reaches it": lambda: seeded(7, openreg.initial_seed),
        "state": lambda: [openreg.get_rng_state(1).shape, openreg.get_rng_state(1).device],
        "state is put back": lambda: (lambda s: [openreg.manual_seed_all(3), openreg.set_rng_state(s, 1) and None, torch.equal(s, openreg.get_rng_state(1))])(openreg.get_rng_state(1)),
        "fork_rng": fork,
        "randn": lambda: seeded(0, lambda: torch.randn(3, device="openreg")),
        "rand_like": lambda: seeded(0, lambda: torch.rand_like(there())),
        "normal_": lambda: seeded(1, lambda: torch.empty(3, device="openreg:1").normal_()),
        "dropout": lambda: seeded(2, lambda: torch.nn.functional.dropout(there(), 0.5)),
        "randperm": lambda: seeded(3, lambda: torch.randperm(5, device="openreg")),
        "its generator in a fallback": lambda: torch.empty(3, device="openreg").normal_(generator=torch.Generator("openreg")),
        "the CPU's generator": lambda: torch.randn(3, device="openreg", generator=torch.Generator().manual_seed(0)),
        "clone_state": lambda: torch.Generator("openreg:1").clone_state().device,
        "seed of all": lambda: [seed_of_all() == openreg.initial_seed()],
    },
    "pinned": {
        "is_pinned": lambda: x.is_pinned(),
        "pin_memory": lambda: [x.pin_memory().is_pinned(), x.pin_memory()],
        "of a pinned one": lambda: (lambda p: p.pin_memory() is p)(x.pin_memory()),
        "a slice": lambda: x.pin_memory()[1].is_pinned(),
        "strides": lambda: x.t().pin_memory().stride(),
        "empty": lambda: torch.empty(2, pin_memory=True).is_pinned(),
        "tensor": lambda: torch.tensor([1.0], pin_memory=True).is_pinned(),
        "zeros": lambda: torch.zeros(2, 3, pin_memory=True).is_pinned(),
        "empty_strided": lambda: torch.empty_strided((2, 3), (1, 2), pin_memory=True).is_pinned(),
        "named device": lambda: x.is_pinned("openreg"),
        "pin to a named device": lambda: x.pin_memory("openreg").is_pinned(),
        "to the CPU": lambda: x.pin_memory("cpu"),
        "is_pinned of the device": lambda: there().is_pinned(),
        "pin_memory of the device": lambda: there().pin_memory(),
        "storage": lambda: [x.untyped_storage().is_pinned(), x.untyped_storage().pin_memory().is_pinned()],
        "storage of the device": lambda: there().untyped_storage().pin_memory(),
        "rewrapped": lambda: torch.empty(0).set_(x.pin_memory().untyped_storage(), 1, (2,), (1,)).is_pinned(),
        "to, not blocking": lambda: x.pin_memory().to("openreg", non_blocking=True),
        "back, not blocking": lambda: (lambda t: [torch.accelerator.synchronize(), t][1])(there().to("cpu", non_blocking=True)),
        "gradient": lambda: (lambda p: [p.pin_memory().grad_fn.name(), backward(lambda: p.pin_memory().mul(2).sum(), p)])(x.clone().requires_grad_()),
        "like": lambda: torch.empty_like(x.pin_memory(), pin_memory=True).is_pinned(),
        "record_stream": lambda: there().record_stream(torch.Stream(0, 1, 20)),
        "record_stream of the CPU": lambda: x.record_stream(torch.Stream(0, 1, 20)),
        "record_stream of nothing": lambda: there().record_stream(3),
    },
    "storage": {
        "new": lambda: [torch.UntypedStorage(4, device="openreg").device, torch.UntypedStorage(4, device="openreg:1").device],
        "new of a stranger": lambda: torch.UntypedStorage(4, device="ve"),
        "location_tag": lambda: torch.serialization.location_tag(torch.UntypedStorage(4, device="openreg")),
        "tolist": lambda: bytes_there([1, 2, 3], 1).tolist(),
        "an element": lambda: bytes_there([1, 2, 3])[1],
        "fill_": lambda: bytes_there([1, 2, 3]).fill_(7).tolist(),
        "clone": lambda: (lambda s: [s.clone().device, s.clone().tolist(), s.clone().data_ptr() != s.data_ptr()])(bytes_there([1, 2], 1)),
        "cpu": lambda: [bytes_there([5, 6]).cpu().device, bytes_there([5, 6]).cpu().tolist()],
        "to": lambda: [bytes_there([5, 6]).to(device=torch.device("openreg:1")).device, bytes_there([5, 6]).to(device=torch.device("cpu")).tolist()],
        "resize_": lambda: (lambda s: [s.resize_(5).nbytes(), s.tolist()[:3], s.device])(bytes_there([1, 2, 3], 1)),
        "resize_ of the tensor": lambda: (lambda t: [t.resize_(3, 4).shape, t.flatten()[:6], t.untyped_storage().nbytes()])(there(1)),
        "set_": lambda: torch.empty(0, device="openreg").set_(there().untyped_storage()),
        "set_ to the other of two": lambda: torch.empty(0, device="openreg:1").set_(there().untyped_storage()),
        "set_ to another device": lambda: torch.empty(0).set_(there().untyped_storage()),
        "repr": lambda: repr(bytes_there([1, 2], 1)),
        "is_openreg": lambda: [bytes_there([1]).is_openreg, torch.UntypedStorage(1).is_openreg],
        "openreg()": lambda: [torch.UntypedStorage([1, 2]).openreg().device, torch.UntypedStorage([1, 2]).openreg(1).tolist()],
        "openreg() of the same": lambda: (lambda s: s.openreg() is s)(bytes_there([1])),
        "copy_ of other sizes": lambda: bytes_there([1]).copy_(torch.UntypedStorage(2)),
        "data_ptr": lambda: (lambda t: [t.data_ptr() != 0, t[1].data_ptr() - t.data_ptr(), t.data_ptr() == t.untyped_storage().data_ptr()])(there()),
    },
    "methods": {
        "tensor": lambda: [x.openreg().device, x.openreg(1).device, x.openreg("openreg:1").device, x.openreg(torch.device("openreg")).device],
        "of another type": lambda: x.openreg("cpu"),
        "is_openreg": lambda: [x.is_openreg, there().is_openreg],
        "of the same": lambda: (lambda t: t.openreg() is t)(there()),
        "module": lambda: [p.device for p in linear().openreg().parameters()],
        "module, index": lambda: [p.device for p in linear().openreg(1).parameters()],
        "module is itself": lambda: (lambda m: m.openreg() is m)(linear()),
        "packed sequence": lambda: [packed().openreg().data.device, packed().openreg().is_openreg, packed().is_openreg, packed().openreg().batch_sizes.device],
        "packed sequence, index": lambda: packed().openreg("openreg:1").data.device,
        "twice": lambda: torch.utils.generate_methods_for_privateuse1_backend(),
        "module registered twice": lambda: str_of(lambda: torch._register_device_module("openreg", openreg)).split(" with ")[0],
        "module of a stranger": lambda: str_of(lambda: torch._register_device_module("dev", openreg)).split(",")[0],
        "renamed again": lambda: torch.utils.rename_privateuse1_backend("openreg"),
        "renamed to another": lambda: torch.utils.rename_privateuse1_backend("dev"),
        "function of the module": lambda: torch.utils.backend_registration._get_custom_mod_func("device_count")(),
        "no function of the module": lambda: torch.utils.backend_registration._get_custom_mod_func("func_name_"),
        "keyword": lambda: x.openreg(device=1, non_blocking=True).device,
        "memory format": lambda: torch.ones(1, 2, 2, 2).openreg(memory_format=torch.channels_last).stride(),
    },
    "tensor": {
        "repr": lambda: repr(there(1)),
        "repr of a leaf": lambda: repr(leaf()),
        "repr of ints": lambda: repr(torch.tensor([1, 2], device="openreg")),
        "type": lambda: [torch.empty(1, dtype=t, device="openreg").type() for t in (torch.bool, torch.float64, torch.float32, torch.float16, torch.int32, torch.int64, torch.int8, torch.int16, torch.uint8)],
        "new": lambda: there(1).new_zeros(2).device,
        "tensor of a tensor": lambda: torch.as_tensor(x, device="openreg:1").device,
        "empty list": lambda: metas(torch.tensor([], device="openreg")),
        "to of the same": lambda: (lambda t: [t.to("openreg") is t, t.to("openreg:0") is t])(there()),
        "to another dtype": lambda: there().to(torch.int64),
        "to device and dtype": lambda: x.to("openreg:1", torch.float64),
        "type_as": lambda: x.type_as(there(1)).device,
        "channels_last": lambda: torch.empty(1, 2, 3, 4, device="openreg", memory_format=torch.channels_last).stride(),
        "empty_strided": lambda: torch.empty_strided((3, 4), (1, 3), device="openreg:1").stride(),
        "expand": lambda: (lambda t: [t.expand(3, 2), t.expand(3, 2).data_ptr() == t.data_ptr()])(torch.tensor([[1], [2], [3]], device="openreg")),
        "data from the device": lambda: (lambda t: [setattr(t, "data", there(1)), t.device, t])(torch.zeros(1)),
        "deepcopy": lambda: copy.deepcopy(there(1)),
        "equal": lambda: [torch.equal(there(), there()), torch.equal(there(), there() + 1)],
        "allclose": lambda: torch.allclose(there(), there()),
        "tolist": lambda: there(1).tolist(),
        "numpy": lambda: there(1).numpy(),
        "bool of one": lambda: bool(there()[0, 0] == 1),
        "index by one": lambda: there()[torch.tensor([1, 0], device="openreg"), torch.tensor([0, 2], device="openreg")],
        "index by the CPU's": lambda: there()[torch.tensor([1, 0])],
        "mask": lambda: there()[there() > 3],
        "item assigned": lambda: (lambda t: [t.__setitem__((slice(None), 1), 7), t])(there(1)),
    },
    "fallback": {
        "no tensor argument": lambda: torch.triu_indices(3, 3, device="openreg:1"),
        "sub": lambda: there() - there() * 2,
        "lists": lambda: torch._foreach_add([there(), there()], [there(), there()]),
        "lists in place": lambda: (lambda a: [torch._foreach_mul_(a, 2), a])([there(), there(1)]),
        "list of one out": lambda: torch.stack([there(), there()], 1),
        "several results": lambda: list(there().max(1)),
        "several outs": lambda: (lambda v, i: [torch.max(there(), 1, out=(v, i)), v, i][1:])(torch.empty(0, device="openreg"), torch.empty(0, dtype=torch.int64, device="openreg")),
        "list of results": lambda: list(torch.split(there(), 1)) + list(there().unbind(1)),
        "in place": lambda: (lambda t: [t.mul_(2) is t, t])(there()),
        "in place on a view": lambda: (lambda t: [t[:, 1].exp_(), t])(there()),
        "out= that fits": lambda: (lambda o: [torch.mm(there(), there().t(), out=o) is o, o])(torch.empty(2, 2, device="openreg")),
        "out= that does not fit": lambda: torch.mm(there(), there().t(), out=torch.empty(3, device="openreg")),
        "masked_select": lambda: torch.masked_select(there(), there() > 2),
        "nonzero": lambda: there().nonzero(),
        "unique": lambda: torch.tensor([3, 1, 3], device="openreg").unique(),
        "conv": lambda: torch.nn.functional.conv1d(there().view(1, 2, 3), torch.ones(1, 2, 2, device="openreg")),
        "layer_norm": lambda: torch.nn.functional.layer_norm(there(1), (3,)),
        "softmax": lambda: there().softmax(1),
        "embedding": lambda: torch.nn.functional.embedding(torch.tensor([1, 0], device="openreg"), there()),
        "an error of the CPU": lambda: there().mm(there()),
        "a bool result": lambda: there().is_same_size(there()),
        "scalars beside": lambda: there() + torch.tensor(1.0),
        "optional tensors": lambda: there().index_put_((torch.tensor([0, 1], device="openreg"),), torch.tensor(9.0, device="openreg")),
        "einsum": lambda: torch.einsum("ij,kj->ik", there(), there()),
        "where": lambda: torch.where(there() > 3, there(), torch.zeros((), device="openreg")),
        "linspace": lambda: torch.linspace(0, 1, 3, device="openreg:1"),
        "full_like": lambda: torch.full_like(there(1), 2),
        "sort": lambda: list(torch.tensor([3.0, 1.0], device="openreg").sort()),
    },
    "mixed": {
        "two devices": lambda: there(0) * there(1),
        "with the CPU": lambda: there() * x,
        "the CPU first": lambda: x * there(),
        "in place": lambda: there().mul_(x),
        "out=": lambda: torch.mul(there(), there(), out=torch.empty(0)),
        "cat": lambda: torch.cat([there(), x]),
        "where": lambda: torch.where(there() > 1, x, there()),
        "linear": lambda: torch.nn.functional.linear(there(), x),
        "addmm": lambda: torch.addmm(x, there(), x.t()),
        "index_select": lambda: x.index_select(0, torch.tensor([0], device="openreg")),
        "backward": lambda: leaf().sum().backward(torch.tensor(1.0)),
    },
    "autograd": {
        "add": lambda: backward(lambda: (lambda p: (setattr(backward, "p", p), (p + p).sum())[1])(leaf())) or [backward.p.grad],
        "chain": lambda: (lambda p: backward(lambda: (p * p).exp().sum(), p))(leaf()),
        "several uses": lambda: (lambda p: backward(lambda: (p * 2).sum() + p.exp().sum() + p.mean(), p))(leaf(1)),
        "grad": lambda: (lambda p: list(torch.autograd.grad((p * 3).sum(), p)))(leaf()),
        "a chain of streams": chain_of_streams,
        "a leaf of two streams": shared_leaf,
        "first producer is the consumer": first_producer_is_the_consumer,
        "three producers": three_producers,
        "node of two devices": node_of_two_devices,
        "node of two devices and streams": node_of_two_devices_and_streams,
        "node fed by the other device": node_fed_by_the_other_device,
        "grad of another stream": grad_of_another_stream,
        "callback's stream": callback_stream,
        "backward inside a stream": backward_inside_a_stream,
        "a stream left by an error": stream_left_by_an_error,
        "across devices": across_devices,
        "from the CPU": from_the_cpu,
        "to the CPU": to_the_cpu,
        "reentrant": reentrant,
        "what is current in a node": stream_of_kernel,
        "multithreading off": lambda: inside(torch.autograd.set_multithreading_enabled(False), chain_of_streams),
        "double backward": lambda: (lambda p: list(torch.autograd.grad(torch.autograd.grad((p**3).sum(), p, create_graph=True)[0].sum(), p)))(leaf()),
    },
    "serialization": {
        "load": lambda: loaded(there(1)),
        "load without index": lambda: loaded(x.openreg()).device,
        "to the CPU": lambda: loaded(there(1), map_location="cpu"),
        "to another": lambda: loaded(there(1), map_location="openreg:0"),
        "by a dict": lambda: loaded(there(1), map_location={"openreg:1": "openreg:0"}).device,
        "by a function": lambda: loaded(there(1), map_location=lambda s, location: s if location == "openreg:1" else None).device,
        "to a device": lambda: loaded(x, map_location=torch.device("openreg", 1)),
        "out of range": lambda: loaded(x, map_location="openreg:3"),
        "tag": lambda: [torch.serialization.location_tag(there(1).untyped_storage()), torch.serialization.location_tag(x.untyped_storage())],
        "default_restore_location": lambda: torch.serialization.default_restore_location(torch.UntypedStorage([1, 2]), "openreg:1").tolist(),
        "two over one storage": lambda: (lambda l: [l[0].device, l[0].data_ptr() == l[1].data_ptr()])(loaded((lambda t: [t, t[1]])(there(1)))[:1] * 2),
        "state_dict": lambda: [[k, v] for k, v in linear().openreg(1).state_dict().items()],
        "load_state_dict": lambda: (lambda m: [m.load_state_dict(linear().openreg(1).state_dict()), m.weight][1:])(linear()),
        "parameter": lambda: metas(loaded(torch.nn.Parameter(there(1)), weights_only=True)),
        "optimizer": adam,
        "training": sgd_net,
    },
    "autocast": {
        "dtype": lambda: torch.get_autocast_dtype("openreg"),
        "state": lambda: [autocast_state(), inside(torch.autocast("openreg"), autocast_state), autocast_state()],
        "bfloat16": lambda: inside(torch.autocast("openreg", dtype=torch.bfloat16), autocast_state),
        "unsupported dtype": lambda: inside(torch.autocast("openreg", dtype=torch.float32), autocast_state),
        "available": lambda: torch.amp.is_autocast_available("openreg"),
        "without rules": lambda: inside(torch.autocast("openreg"), lambda: there().mm(there().t()).dtype),
        "lower precision": lambda: inside(torch.autocast("openreg"), lambda: torch.addmm(there(), there(), torch.ones(3, 3, device="openreg"))),
        "linear, bfloat16": lambda: inside(torch.autocast("openreg", dtype=torch.bfloat16), lambda: torch.nn.functional.linear(there(), there())),
        "float32": lambda: inside(torch.autocast("openreg"), lambda: there().half().softmax(1)),
        "promote": lambda: inside(torch.autocast("openreg"), lambda: torch.cat([there().half(), there()]).dtype),
        "promote of halves": lambda: inside(torch.autocast("openreg"), lambda: torch.cat([there().half(), there().half()]).dtype),
        "double is left": lambda: inside(torch.autocast("openreg"), lambda: torch.nn.functional.linear(there().double(), there().double()).dtype),
        "of the CPU": lambda: inside(torch.autocast("openreg"), lambda: torch.nn.functional.linear(x, x).dtype),
        "gradient": lambda: inside(torch.autocast("openreg"), lambda: (lambda p: backward(lambda: torch.nn.functional.linear(there(), p).float().sum(), p))(leaf())),
        "disabled inside": lambda: inside(torch.autocast("openreg"), lambda: inside(torch.autocast("openreg", enabled=False), lambda: torch.nn.functional.linear(there(), there()).dtype)),
        "custom_fwd": lambda: custom_fwd(),
    },
}


def custom_fwd():
    class Square(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="openreg", cast_inputs=torch.float16)
        def forward(ctx, a):
            return a * a

        @staticmethod
        @torch.amp.custom_bwd(device_type="openreg")
        def backward(ctx, grad):
            return grad

    return inside(torch.autocast("openreg"), lambda: Square.apply(there()).dtype)


def seed_of_all():
    return torch.seed()


def str_of(call):
    try:
        call()
    except Exception as error:
        return str(error)
    return "no error"


def shown(result):
    if isinstance(result, torch.Tensor):
        host = result.detach().cpu()
        return {"device": str(result.device), "dtype": str(result.dtype), "shape": list(result.shape), "values": host.flatten().tolist()}
    if isinstance(result, (list, tuple)):
        return [shown(each) for each in result]
    if result is None or isinstance(result, (bool, int, float, str)):
        return result
    return str(result)


def numbered(asked):
    """streams count from one in each program, in the order of their first mention"""
    seen = {}

    def number(match):
        device, stream = match.groups()
        return f"{device}:{stream if stream == '0' else seen.setdefault((device, stream), len(seen) + 1)}"

    return [re.sub(r"(\d+):(\d+)", number, each) for each in asked]


def run(call):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        _C.clear()
        try:
            result = shown(call())
        except Exception as error:
            result = {"error": type(error).__name__, "message": str(error).split("\n")[0]}
        asked = numbered(_C.journal())
    row = {"result": result, "asked": asked}
    said = [str(w.message).split(" (Triggered internally")[0] for w in told]
    if said:
        row["warnings"] = said
    return row


KEYS = ["PrivateUse1", "AutogradPrivateUse1", "AutocastPrivateUse1"]


def table(name):
    """the reason of each of the backend's rows"""
    rows = {}
    for line in torch._C._dispatch_dump_table(name).splitlines():
        key, _, rest = line.partition(": ")
        if key in KEYS:
            rows[key] = ["fallthrough" in line.split("registered at")[0], rest.rsplit("[", 1)[1].rstrip("]")]
    return [rows[key] for key in KEYS]


def tables():
    """per operator, as a number into the list of the different ones"""
    kinds, ops = [], {}
    for name in sorted(torch._C._dispatch_get_all_op_names()):
        if not name.startswith("aten::") or not torch._C._dispatch_has_kernel(name):
            continue
        try:
            kind = table(name)
        except Exception:
            continue
        if kind not in kinds:
            kinds.append(kind)
        ops[name] = kinds.index(kind)
    return {"keys": KEYS, "kinds": kinds, "ops": ops}


def main():
    torch.utils.rename_privateuse1_backend("openreg")
    torch._register_device_module("openreg", openreg)
    torch.utils.generate_methods_for_privateuse1_backend(for_storage=True)
    programs = {group: {name: run(call) for name, call in rows.items()} for group, rows in PROGRAMS.items()}
    files = {"tensor": base64.b64encode(saved({"a": there(1), "b": there(1)[1], "c": x}).read()).decode()}
    made = {"torch": torch.__version__, "script": "tools/oracle/record_openreg.py", "programs": programs, "files": files, "tables": tables()}
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with gzip.GzipFile(OUT, "wb", mtime=0) as out:
        out.write(json.dumps(made).encode())
    for group, rows in programs.items():
        for name, row in rows.items():
            print(group, "|", name, "|", row)


main()
