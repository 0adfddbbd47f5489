# a device, and a device inside it
with torch.device("meta") as d:
    say(d, torch.ones(2), nn.Linear(1, 1).weight, torch.tensor([1]).device, torch.get_default_device())
    with torch.device("cpu"):
        say(torch.ones(2), torch.get_default_device())
        with torch.device("cpu"):
            say(torch.ones(1).device)
        say(torch.ones(1).device)
    say(torch.zeros(1).device, torch.zeros(1, device="cpu"))
say(torch.ones(1).device, torch.get_default_device())
torch.set_default_device("meta")
with torch.device("cpu"):
    say(torch.ones(1))
say(torch.ones(1).device)
torch.set_default_device(None)

# which kernel attention may take
from torch.nn.attention import sdpa_kernel, SDPBackend
F = nn.functional.scaled_dot_product_attention
x = torch.ones(1, 2, 3, 4, requires_grad=True)
one = torch.ones(1, 1, 3, 4)
def name(y):
    return y.grad_fn.name()
say(name(F(x, x, x)), name(F(x, x, x, attn_mask=torch.ones(3, 6)[:, ::2])))
with sdpa_kernel(SDPBackend.MATH):
    say(name(F(x, x, x)))
    with sdpa_kernel([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]):
        say(name(F(x, x, x)))
    say(torch.backends.cuda.flash_sdp_enabled(), torch.backends.cuda.math_sdp_enabled())
def flash(*args, **kw):
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        fails(lambda: F(*args, **kw))
flash(x, x, x)
flash(x, x, x, dropout_p=0.5)
flash(x[0], x[0], x[0])
flash(x, x.expand(2, 2, 3, 4), x)
flash(x, one, one)
flash(x, one, one, enable_gqa=True)
flash(torch.ones(1, 3, 3, 4), x, x, enable_gqa=True)
flash(x, x, x, attn_mask=torch.ones(2, 1, 1))
flash(x, x, x, attn_mask=torch.ones(3, 2))
flash(x, x, x, attn_mask=torch.ones(1, 3, 3, 3))
flash(x, x, x, attn_mask=torch.ones(3, 3, requires_grad=True))
flash(x, x, torch.ones(1, 2, 3, 5))
flash(x.mT, x.mT, x.mT)
flash(x.int(), x.int(), x.int())
def only(backends, q):
    with sdpa_kernel(backends):
        F(q, q, q)
for backends in (SDPBackend.EFFICIENT_ATTENTION, [], 5, "x"):
    fails(lambda: only(backends, x))
only(SDPBackend.FLASH_ATTENTION, x.to("meta"))
torch.backends.cuda.enable_flash_sdp(False)
say(name(F(x, x, x)))
torch.backends.cuda.enable_flash_sdp(True)
with sdpa_kernel([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION], set_priority=True):
    say(torch._C._get_sdp_priority_order(), name(F(x, x, x)))
say(torch._C._get_sdp_priority_order())
fails(lambda: torch.backends.cuda.enable_math_sdp(5))
fails(lambda: torch.backends.cuda.enable_cudnn_sdp(5))

# which steps a profiler records
P = torch.profiler
A = P.ProfilerAction
def numbers(schedule, n=12):
    return [A(schedule(i)).value for i in range(n)]
say(numbers(P.schedule(wait=1, warmup=1, active=2)), numbers(P.schedule(wait=0, warmup=1, active=1, repeat=2)))
say(numbers(P.schedule(wait=2, warmup=0, active=1, skip_first=2)), numbers(P.schedule(wait=3, warmup=1, active=2, skip_first_wait=1, skip_first=1)))
fails(lambda: P.schedule(wait=-1, warmup=1, active=1))
fails(lambda: P.schedule(wait=1, warmup=1, active=0))
fails(lambda: P.schedule(wait=1, warmup=1, active=1)(-1))
x = torch.ones(2)
def ready(p):
    say("ready", p.step_num, sorted([e.key for e in p.key_averages()]))
def train(schedule):
    with P.profile(activities=[P.ProfilerActivity.CPU], on_trace_ready=ready, schedule=schedule) as p:
        for i in range(6):
            torch.add(x, x)
            if i % 2:
                torch.mul(x, x)
            p.step()
train(P.schedule(wait=1, warmup=1, active=2))
train(P.schedule(wait=0, warmup=1, active=1, repeat=1))
train(None)
own = [A.WARMUP, A.NONE, A.RECORD, A.NONE, A.RECORD, A.RECORD_AND_SAVE, A.NONE]
train(lambda step: own[step])
fails(lambda: P.profile(activities=[P.ProfilerActivity.CPU]).events())
fails(lambda: P.profile(activities=[P.ProfilerActivity.CPU]).key_averages())
fails(lambda: P.profile(activities=[P.ProfilerActivity.CPU], schedule=lambda step: A.DEVICE_STOPPED))
