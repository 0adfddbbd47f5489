"""Records what PyTorch 2.13.0 computes inside autocast on the CPU, and what its functions say.

    python tools/oracle/record_autocast.py test/fixtures/testing/autocast.json.gz

Rows [TypeScript, Python, outcome, warnings]: expressions over x, y, w, v, i, c (see `scope`). The outcome is a value, a tensor as {dtype, data},
a list of these, or {error, message}. test/torch/amp/autocast_mode.test.ts runs the TypeScript.
"""

import gzip
import json
import os
import sys
import warnings

import torch
import torch.nn.functional as F

DEVICES = "cpu cuda meta foo"

CALLS = []


def both(ts, python=None):
    CALLS.append((ts, python or ts))


# What each operator casts to
for operands in ("x, w", "xb, w", "xd, wd", "xh, wh"):
    a, b = operands.split(", ")
    for f in ("torch.mm", "torch.matmul", "F.linear"):
        both(f"on(() => {f}({a}, {b}))", f"on(lambda: {f}({a}, {b}))")
    both(f"on({{dtype: torch.float16}}, () => torch.mm({a}, {b}))", f"on(lambda: torch.mm({a}, {b}), dtype=torch.float16)")
    both(f"on(() => torch.cat([{a}, {b}]))", f"on(lambda: torch.cat([{a}, {b}]))")
    both(f"on(() => torch.stack([{a}, {b}]))", f"on(lambda: torch.stack([{a}, {b}]))")
    both(f"on(() => F.mse_loss({a}, {b}))", f"on(lambda: F.mse_loss({a}, {b}))")
    both(f"on(() => torch.add({a}, {b}))", f"on(lambda: torch.add({a}, {b}))")
for f in ("torch.prod", "torch.exp", "torch.sum"):
    for a in ("x", "xb", "xd", "xh"):
        both(f"on(() => {f}({a}))", f"on(lambda: {f}({a}))")
for body in (
    "torch.cat([x, xb, xd])", "torch.cat([xb, xh])", "torch.stack([xb, xb])", "torch.cat([i, i])", "torch.mm(i, i)", "torch.bmm(x.reshape(1, 3, 3), w.reshape(1, 3, 3))",
    "torch.addmm(v, x, w)", "torch.addmm(v, xb, wb)", "torch.baddbmm(x.reshape(1, 3, 3), xb.reshape(1, 3, 3), w.reshape(1, 3, 3))", "F.linear(x, w, v)", "F.prelu(x, w.reshape(9).narrow(0, 0, 1))",
    "F.conv1d(x.reshape(1, 3, 3), w.reshape(3, 3, 1))", "F.conv2d(x.reshape(1, 1, 3, 3), w.reshape(1, 1, 3, 3), v.narrow(0, 0, 1))", "F.conv_transpose1d(x.reshape(1, 3, 3), w.reshape(3, 3, 1))",
    "torch.index_copy(x, 0, i.reshape(9).narrow(0, 0, 1), xb.narrow(0, 0, 1))", "F.l1_loss(xb, wb)", "F.smooth_l1_loss(xb, w)", "F.huber_loss(xb, w)", "F.kl_div(xb, wb.sigmoid())",
    "F.binary_cross_entropy_with_logits(xb, wb)", "F.binary_cross_entropy(xb.sigmoid(), wb.sigmoid())", "F.cross_entropy(xb, i.narrow(0, 0, 3).narrow(1, 0, 1).reshape(3))",
    "F.soft_margin_loss(xb, wb)", "F.hinge_embedding_loss(xb, wb)", "F.poisson_nll_loss(xb, wb)", "F.pad(xb, [1, 1], 'reflect')", "F.pad(xb, [1, 1], 'replicate')",
    "torch.mm(x, w).softmax(0)", "torch.mm(x, w).add(x)", "x.relu()", "torch.mv(x, v)", "torch.dot(v, v)", "torch.einsum('ij,jk->ik', x, w)", "torch.prod(xb, 0)",
    "F.scaled_dot_product_attention(x.reshape(1, 3, 3), w.reshape(1, 3, 3), x.reshape(1, 3, 3))", "torch.nn.functional.group_norm(xb, 1)", "F.layer_norm(x, [3])", "F.softmax(xb, 0)",
):
    python = body
    for ts_word, py_word in (("{", "dict("),):
        python = python.replace(ts_word, py_word)
    both(f"on(() => {body})", f"on(lambda: {python})")

# Gradients: through the cast, into float32
both("grads(() => torch.mm(xg, wg).sum())", "grads(lambda: torch.mm(xg, wg).sum())")
both("grads(() => F.mse_loss(torch.mm(xg, wg), xb))", "grads(lambda: F.mse_loss(torch.mm(xg, wg), xb))")
both("grads(() => torch.mm(torch.mm(xg, wg), wg).sum())", "grads(lambda: torch.mm(torch.mm(xg, wg), wg).sum())")

# The cache: one cast of a weight in a region
both("casts({}, () => [torch.mm(x, wg), torch.mm(x, wg)])", "casts(lambda: [torch.mm(x, wg), torch.mm(x, wg)])")
both("casts({cache_enabled: false}, () => [torch.mm(x, wg), torch.mm(x, wg)])", "casts(lambda: [torch.mm(x, wg), torch.mm(x, wg)], cache_enabled=False)")
both("casts({}, () => [torch.mm(x, w), torch.mm(x, w)])", "casts(lambda: [torch.mm(x, w), torch.mm(x, w)])")

# States
for ts, python in (
    ("[torch.is_autocast_enabled('cpu'), torch.is_autocast_enabled(), torch._C._is_any_autocast_enabled(), torch.is_autocast_cache_enabled(), torch.get_autocast_dtype('cpu')]",) * 2,
):
    both(ts, python)
    both(f"on(() => {ts})", f"on(lambda: {python})")
    both(f"on({{dtype: torch.float16, cache_enabled: false}}, () => {ts})", f"on(lambda: {python}, dtype=torch.float16, cache_enabled=False)")
    both(f"on({{enabled: false}}, () => {ts})", f"on(lambda: {python}, enabled=False)")
    both(f"on(() => on({{enabled: false}}, () => {ts}))", f"on(lambda: on(lambda: {python}, enabled=False))")
    both(f"on(() => [on({{dtype: torch.float16}}, () => 0), {ts}])", f"on(lambda: [on(lambda: 0, dtype=torch.float16), {python}])")
both("on({dtype: torch.float32}, () => torch.mm(x, w))", "on(lambda: torch.mm(x, w), dtype=torch.float32)")
both("on(() => on({enabled: false}, () => torch.mm(x, w)))", "on(lambda: on(lambda: torch.mm(x, w), enabled=False))")
both("on(() => torch.mm(x, w, {out: xb.clone()}))", "on(lambda: torch.mm(x, w, out=xb.clone()))")
both("decorated(x, w)")
both("custom(null)", "custom(None)")
both("custom(torch.float32)")
both("custom(torch.float16)")

for d in DEVICES.split():
    both(f"torch.is_autocast_enabled('{d}')")
    both(f"torch.get_autocast_dtype('{d}')")
    both(f"torch.amp.is_autocast_available('{d}')")
    both(f"name(torch.autocast('{d}'))")
for ts, python in (
    ("torch.is_autocast_enabled(1)",) * 2,
    ("torch.get_autocast_dtype()",) * 2,
    ("torch.set_autocast_dtype('cpu')",) * 2,
    ("torch.set_autocast_dtype('cpu', 5)",) * 2,
    ("torch.set_autocast_enabled('cpu')",) * 2,
    ("torch.set_autocast_enabled('cpu', 5)",) * 2,
    ("torch.set_autocast_enabled('meta', true)", "torch.set_autocast_enabled('meta', True)"),
    ("torch.is_autocast_cpu_enabled()",) * 2,
    ("torch.get_autocast_cpu_dtype()",) * 2,
    ("torch.set_autocast_cpu_dtype(torch.bfloat16)",) * 2,
    ("torch.set_autocast_cpu_dtype(3)",) * 2,
    ("torch.set_autocast_cpu_enabled(false)", "torch.set_autocast_cpu_enabled(False)"),
    ("torch.set_autocast_cpu_enabled(3)",) * 2,
    ("torch.get_autocast_gpu_dtype()",) * 2,
    ("torch.get_autocast_ipu_dtype()",) * 2,
    ("torch.is_autocast_xla_enabled()",) * 2,
    ("torch.set_autocast_cache_enabled(3)",) * 2,
    ("torch._C._autocast_supported_devices()",) * 2,
    ("torch.amp.custom_fwd({device_type: 3})", "torch.amp.custom_fwd(device_type=3)"),
    ("torch.amp.custom_bwd({device_type: 3})", "torch.amp.custom_bwd(device_type=3)"),
    ("name(torch.cpu.amp.autocast())",) * 2,
    ("torch.autocast(3)",) * 2,
    ("torch.autocast('cpu').decorate(3)", "torch.autocast('cpu')(3)"),
):
    both(ts, python)


def on(fn, **kwargs):
    with torch.autocast("cpu", **kwargs):
        return fn()


def scope():
    g = torch.Generator().manual_seed(7)
    x, w = torch.randn(3, 3, generator=g), torch.randn(3, 3, generator=g)
    v, i = torch.tensor([0.5, 1.5, 2.5]), torch.tensor([[0, 1, 2], [2, 1, 0], [1, 0, 2]])
    names = {"x": x, "w": w, "v": v, "i": i, "xg": x.clone().requires_grad_(), "wg": w.clone().requires_grad_()}
    for suffix, dtype in (("b", torch.bfloat16), ("h", torch.float16), ("d", torch.float64)):
        names[f"x{suffix}"], names[f"w{suffix}"] = x.to(dtype), w.to(dtype)

    def grads(fn):
        loss = on(fn)
        loss.backward()
        return [loss.detach(), names["xg"].grad, names["wg"].grad]

    def casts(fn, **kwargs):
        a, b = on(fn, **kwargs)
        # the weight's cast is one node of the graph, or two
        nodes = [y.grad_fn.next_functions[1][0] if y.grad_fn else None for y in (a, b)]
        return [nodes[0] is nodes[1]]

    def decorated(*args):
        return torch.autocast("cpu")(torch.mm)(*args)

    def custom(cast_inputs):
        class Mm(torch.autograd.Function):
            @staticmethod
            @torch.amp.custom_fwd(device_type="cpu", cast_inputs=cast_inputs)
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                return a.mm(b)

            @staticmethod
            @torch.amp.custom_bwd(device_type="cpu")
            def backward(ctx, g):
                a, b = ctx.saved_tensors
                return g.mm(b.t()), a.t().mm(g)

        y = on(lambda: Mm.apply(names["xg"], names["wg"]))
        y.sum().backward()
        return [y.detach(), names["xg"].grad, names["wg"].grad]

    return {**names, "torch": torch, "F": F, "on": on, "grads": grads, "casts": casts, "decorated": decorated, "custom": custom, "name": lambda o: type(o).__name__}


def describe(value):
    if isinstance(value, torch.Tensor):
        return {"dtype": str(value.dtype), "data": value.tolist()}
    if isinstance(value, (list, tuple)):
        return [describe(v) for v in value]
    if isinstance(value, torch.dtype):
        return str(value)
    return value


def run(python):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = describe(eval(python, scope()))
        except Exception as error:  # whatever it is, it is the answer
            outcome = {"error": type(error).__name__, "message": str(error)}
    return outcome, [str(w.message).split(" (Triggered internally")[0] for w in caught]


def main(path):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    torch.set_warn_always(True)
    g = torch.Generator().manual_seed(7)
    inputs = [torch.randn(3, 3, generator=g).tolist() for _ in range(2)]
    rows = [[ts, python, *run(python)] for ts, python in CALLS]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = {"torch": torch.__version__, "script": "tools/oracle/record_autocast.py", "inputs": inputs, "rows": rows}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data, indent=0).encode(), mtime=0))
    print(len(rows), "rows")


if __name__ == "__main__":
    main(sys.argv[1])
