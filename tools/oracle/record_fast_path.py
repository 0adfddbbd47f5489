"""Records what PyTorch 2.13.0 gives for attention and an encoder's layer in one operator, and for the operators that these stand on.

    python tools/oracle/record_fast_path.py test/fixtures/nn/fast_path.json.gz

Tensors are {"shape", "data"} of float32 (or of bool, where the data are), every number from one formula, so that no random generator takes
part. A case is a function of `torch` by name, its arguments, and results, gradients of its tensors that require one, or an error.
"""

import gzip
import json
import sys

import torch

D, H, F = 8, 2, 12


def made(shape, seed):
    n = torch.Size(shape).numel()
    i = torch.arange(n, dtype=torch.float64)
    return (torch.sin(i * 1.7 + seed) + 0.3 * torch.cos(i * 0.31 * seed)).float().reshape(shape)


def mask(shape, *where):
    m = torch.zeros(shape, dtype=torch.bool)
    for at in where:
        m[at] = True
    return m


def told(value):
    if isinstance(value, torch.Tensor):
        data = value.detach().flatten().tolist()
        data = [("nan" if v != v else v) if isinstance(v, float) else v for v in data]
        return {"shape": list(value.shape), "data": data, **({"requires_grad": True} if value.is_leaf and value.requires_grad else {})}
    return [told(v) for v in value] if isinstance(value, (list, tuple)) else value


x = made((2, 5, D), 1)
attention = [made((3 * D, D), 2), made((3 * D,), 3), made((D, D), 4), made((D,), 5)]
norms = [made((D,), 6), made((D,), 7), made((D,), 8), made((D,), 9)]
maps = [made((F, D), 10), made((F,), 11), made((D, F), 12), made((D,), 13)]
keys = mask((2, 5), (1, 3), (1, 4))
causal = torch.ones(5, 5, dtype=torch.bool).triu(1)
every = mask((2, H, 5, 5), (0, 0, 1, 2), (1, 1, 4, 4))
scores = made((2, H, 5, 5), 14)


def grad(t):
    return t.clone().requires_grad_()


def layer(use_gelu, norm_first, *rest):
    return "_transformer_encoder_layer_fwd", [x, D, H, *attention, use_gelu, norm_first, 1e-5, *norms, *maps, *rest]


def heads(*args):
    return "_native_multi_head_attention", [*args]


CASES = [
    *(layer(g, n) for g in (False, True) for n in (False, True)),
    layer(False, False, keys, 1),
    layer(True, True, causal, 0),
    layer(False, True, every, 2),
    layer(False, False, every.float(), 2),
    heads(x, x, x, D, H, *attention),
    heads(x, x, x, D, H, *attention, None, True, False),
    heads(x, x, x, D, H, *attention, None, False),
    heads(x, made((2, 5, D), 15), made((2, 5, D), 16), D, H, *attention),
    heads(x, x, x, D, H, *attention, keys, True, True, 1),
    heads(x[:0], x[:0], x[:0], D, H, *attention),
    heads(x[0], x, x, D, H, *attention),
    heads(x, x[0], x, D, H, *attention),
    heads(x, x, x[0], D, H, *attention),
    heads(x, x, x, D + 1, H, *attention),
    heads(x, x[:, :2], x, D, H, *attention),
    heads(x, x, x, D, H, attention[1], *attention[1:]),
    heads(x, x, x, D, H, attention[0][:-1], *attention[1:]),
    heads(x, x, x, D, H, attention[0][:, :-1], *attention[1:]),
    heads(x, x, x, D, H, attention[0], attention[0], *attention[2:]),
    heads(x, x, x, D, H, attention[0], attention[1][:-1], *attention[2:]),
    heads(x, x, x, D, 3, *attention),
    ("_transform_bias_rescale_qkv", [made((2, 3, 24), 17), made((24,), 18), 2]),
    ("_transform_bias_rescale_qkv", [made((2, 3, 24), 17), made((24,), 18), 5]),
    ("_transform_bias_rescale_qkv", [made((2, 3, 25), 17), made((25,), 18), 5]),
    *(("_masked_softmax", [grad(scores), m, dim, kind]) for m, dim, kind in [(every, 3, 2), (every, None, None), (every, 1, 2)]),
    *(("_masked_softmax", [scores, m, dim, kind]) for m, dim, kind in [(keys, 3, 1), (keys, 2, 1), (causal, 3, 0), (causal, 1, 0)]),
    ("_masked_softmax", [scores, mask((2, 5), 1), 3, 1]),
    ("_masked_softmax", [scores, every.float(), 3, 2]),
    ("_masked_softmax", [scores, keys, 3, None]),
    ("_masked_softmax", [scores, keys, 3, 5]),
    ("_masked_softmax", [scores, keys, 3, 2]),
    ("_masked_softmax", [scores, keys, 3, 0]),
    ("_masked_softmax", [scores, causal, 3, 1]),
    ("_masked_softmax", [torch.tensor(1.0), torch.tensor(False)]),
    ("_addmm_activation", [made((4,), 19), made((3, 5), 20), made((5, 4), 21)]),
    ("_addmm_activation", [made((4,), 19), made((3, 5), 20), made((5, 3), 21)]),
]


def recorded(name, args):
    case = {"name": name, "args": told(args)}
    try:
        result = getattr(torch, name)(*args)
    except Exception as error:
        return {**case, "error": [type(error).__name__, str(error).split("\n")[0]]}
    case["result"] = told(result)
    if isinstance(result, torch.Tensor) and result.requires_grad:
        case["node"] = result.grad_fn.name()
        (result * made(result.shape, 22)).sum().backward()
        case["grads"] = [told(a.grad) for a in args if isinstance(a, torch.Tensor) and a.requires_grad]
    return case


PADDED = {
    "behind": [[0, 0, 0, 1, 1], [0, 0, 0, 0, 1]],
    "in the middle": [[0, 1, 0, 1, 1], [0, 0, 0, 0, 0]],
    "everywhere": [[1, 1, 1, 1, 1], [0, 0, 0, 0, 0]],
}


def encoder(mask_check, padded):
    """Two layers and a norm, in evaluation: what is padded behind is left out, and is 0 before the norm."""
    one = torch.nn.TransformerEncoderLayer(D, H, F, batch_first=True)
    net = torch.nn.TransformerEncoder(one, 2, torch.nn.LayerNorm(D), mask_check=mask_check).eval()
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(made(p.shape, k + 1))
        result = net(x, src_key_padding_mask=torch.tensor(PADDED[padded]).bool())
    return {"mask_check": mask_check, "padded": padded, "mask": PADDED[padded], "result": told(result)}


encoders = [encoder(check, padded) for check in (True, False) for padded in PADDED]
out = {"pytorch": torch.__version__, "cases": [recorded(*case) for case in CASES], "encoders": encoders}
with open(sys.argv[1], "wb") as file:
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        packed.write(json.dumps(out).encode())
