"""Records what modules of PyTorch 2.13.0 (CPU) are and do: recurrent networks, attention, transformers, and their errors.

    python tools/oracle/record_modules.py test/fixtures/nn/modules.json.gz

A case: `new` is a class of torch.nn with arguments `a` and `kw`, made after `manual_seed(0)` and converted to `dtype`; it is called with
the tensors (written with their values) in `call` and `ckw`, in training and then in evaluation, each after `manual_seed(1)`; `lengths`
packs the first one. Kept: repr, the names of the state, the outputs, the names of their nodes, the gradients of inputs and parameters for the
cotangents 1, 1.5, 2, ... over each output; or type and text of the error.
"""

import gzip
import json
import sys
import warnings

import torch
from record_opinfo import differentiable, encode, tensors_of
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence

torch.set_num_threads(1)
torch.backends.mha.set_fastpath_enabled(True)
CASES = []
SEED = 7


def rand(*size, dtype="float64", grad=True):
    global SEED
    SEED += 1
    generator = torch.Generator().manual_seed(SEED)
    t = (torch.rand(size, generator=generator, dtype=torch.float64) * 2 - 1).mul(64).round().div(64).to(getattr(torch, dtype))
    return t.requires_grad_(grad)


def case(new, a, call, dtype="float64", lengths=None, enforce_sorted=True, ckw=None, **kw):
    CASES.append({"new": new, "a": a, "kw": kw, "dtype": dtype, "call": call, "ckw": ckw or {}, "lengths": lengths, "enforce_sorted": enforce_sorted})


def recurrent():
    for dtype in ("float64", "float32"):
        x = lambda *size: rand(*size, dtype=dtype)
        for new in ("RNN", "GRU", "LSTM"):
            state = (lambda *size: (x(*size), x(*size))) if new == "LSTM" else x
            case(new, [3, 4], [x(5, 2, 3)], dtype)
            if dtype == "float32" and new != "LSTM":
                continue  # the same operators as of float64
            case(new, [3, 4, 2], [x(2, 5, 3), state(4, 2, 4)], dtype, batch_first=True, bidirectional=True)
            case(new, [3, 4, 2], [x(5, 2, 3), state(2, 2, 4)], dtype, bias=False)
            case(new, [3, 4, 2], [x(5, 2, 3)], dtype, dropout=0.5)
            case(new, [3, 4], [x(5, 3), state(1, 4)], dtype)
            case(new, [3, 4], [x(5, 3)], dtype, batch_first=True)
            case(new, [3, 4], [x(5, 3, 3), state(1, 3, 4)], dtype, lengths=[5, 3, 3])
            case(new, [3, 4, 2], [x(5, 3, 3), state(4, 3, 4)], dtype, lengths=[4, 2, 1], bidirectional=True)
            case(new, [3, 4], [x(5, 3, 3), state(1, 3, 4)], dtype, lengths=[2, 5, 3], enforce_sorted=False)
            case(new + "Cell", [3, 4], [x(2, 3)], dtype)
            case(new + "Cell", [3, 4], [x(2, 3), state(2, 4)], dtype, bias=False)
            case(new + "Cell", [3, 4], [x(3), state(4)], dtype)
        case("RNN", [3, 4], [x(5, 2, 3)], dtype, nonlinearity="relu")
        case("RNN", [3, 4, 2, "relu"], [x(5, 2, 3)], dtype, lengths=[5, 3])
        case("RNNCell", [3, 4], [x(2, 3)], dtype, nonlinearity="relu")
        case("LSTM", [3, 4, 2], [x(5, 2, 3)], dtype, proj_size=2)
        case("LSTM", [3, 4, 2], [x(5, 2, 3), (x(4, 2, 2), x(4, 2, 4))], dtype, proj_size=2, bidirectional=True)
        case("LSTM", [3, 4], [x(5, 2, 3)], dtype, proj_size=2, bias=False, lengths=[5, 2])
    x = lambda *size: rand(*size, grad=False)
    for new in ("RNN", "GRU", "LSTM"):
        state = (lambda *size: (x(*size), x(*size))) if new == "LSTM" else x
        case(new, [3], [])
        case(new, [3, 4], [x(2)])
        case(new, [3, 4], [x(5, 2, 2)])
        case(new, [3, 4], [x(5, 2, 3).float()])
        case(new, [3, 4], [x(5, 2, 3), state(2, 2, 4)])
        case(new, [3, 4], [x(5, 2, 3), state(2, 4)])
        case(new, [3, 4], [x(5, 3), state(1, 1, 4)])
        case(new, [3, 4], [x(0, 2, 3)])
        case(new, [3, 4], [x(5, 2, 3)], lengths=[3, 5])
        case(new, [3, 4], [x(5, 2, 3)], lengths=[3, 0])
        case(new, [3, 0], [])
        case(new, [3.5, 4], [])
        case(new, [3, 4, 0], [])
        case(new, [3, 4], [], bias=1)
        case(new, [3, 4], [], dropout=1.5)
        case(new, [3, 4], [], proj_size=5)
        case(new + "Cell", [3, 4], [x(2, 2)])
        case(new + "Cell", [3, 4], [x(2, 2, 2)])
        case(new + "Cell", [3, 4], [x(2, 3), state(3, 4)])
        case(new + "Cell", [3, 4], [x(2, 3), state(2, 3)])
    case("RNN", [3, 4], [], nonlinearity="sin")
    case("RNNCell", [3, 4], [x(2, 3)], nonlinearity="sin")


def attention():
    x = lambda *size: rand(*size)
    y = lambda *size: rand(*size, grad=False)
    later = lambda n: torch.ones(n, n, dtype=torch.bool).triu(1)
    padding = torch.tensor([[False, False, True], [False, False, False]])
    new = "MultiheadAttention"
    case(new, [4, 2], [x(3, 2, 4), x(5, 2, 4), x(5, 2, 4)])
    case(new, [4, 2], [x(3, 2, 4), x(5, 2, 4), x(5, 2, 4)], ckw={"need_weights": False})
    case(new, [4, 2], [x(2, 3, 4), x(2, 3, 4), x(2, 3, 4)], batch_first=True, ckw={"attn_mask": later(3), "key_padding_mask": padding})
    case(new, [4, 2], [x(3, 2, 4), x(3, 2, 4), x(3, 2, 4)], ckw={"attn_mask": later(3), "is_causal": True, "need_weights": False})
    case(new, [4, 2], [x(3, 2, 4), x(3, 2, 4), x(3, 2, 4)], ckw={"attn_mask": y(4, 3, 3), "average_attn_weights": False})
    case(new, [4, 2], [x(3, 2, 4), x(3, 2, 6), x(3, 2, 5)], kdim=6, vdim=5, ckw={"key_padding_mask": padding, "need_weights": False})
    case(new, [4, 2], [x(3, 2, 4), x(3, 2, 4), x(3, 2, 4)], add_bias_kv=True, add_zero_attn=True, bias=False, ckw={"attn_mask": y(3, 3), "key_padding_mask": y(2, 3)})
    case(new, [4, 2], [x(3, 4), x(5, 4), x(5, 4)], ckw={"key_padding_mask": torch.tensor([False, True, False, False, True])})
    case(new, [4, 2], [x(3, 2, 4), x(5, 2, 4), x(5, 2, 4)], dropout=0.5)
    case(new, [4, 2], [x(3, 2, 4), x(5, 2, 4), x(5, 2, 4)], dropout=0.5, ckw={"need_weights": False})
    case(new, [4, 2], [x(3, 2, 4), x(5, 2, 4), x(5, 2, 4)], "float32")
    case("TransformerEncoderLayer", [4, 2, 6], [x(3, 2, 4)])
    case("TransformerEncoderLayer", [4, 2, 6, 0.0], [x(2, 3, 4)], activation="gelu", batch_first=True, norm_first=True, bias=False, ckw={"src_mask": later(3), "src_key_padding_mask": padding})
    case("TransformerDecoderLayer", [4, 2, 6], [x(3, 2, 4), x(5, 2, 4)], ckw={"tgt_mask": later(3)})
    case("TransformerDecoderLayer", [4, 2, 6, 0.0], [x(2, 3, 4), x(2, 3, 4)], batch_first=True, norm_first=True, ckw={"memory_key_padding_mask": padding})
    case("Transformer", [4, 2, 1, 1, 6, 0.0], [x(3, 2, 4), x(3, 2, 4)], ckw={"tgt_mask": y(3, 3)})
    case("Transformer", [4, 2, 2, 1, 6], [x(2, 5, 4), x(2, 3, 4)], batch_first=True, ckw={"tgt_mask": torch.full((3, 3), -float("inf"), dtype=torch.float64).triu(1), "tgt_key_padding_mask": padding.double()})
    case(new, [4, 3], [])
    case(new, [0, 3], [])
    case(new, [4, 2], [y(3, 2, 4), y(5, 4), y(5, 2, 4)])
    case(new, [4, 2], [y(3, 2, 1, 4), y(5, 4), y(5, 2, 4)])
    case(new, [4, 2], [y(3, 2, 4), y(5, 2, 4), y(4, 2, 4)])
    case(new, [4, 2], [y(3, 2, 6), y(5, 2, 6), y(5, 2, 6)])
    case(new, [4, 2], [y(3, 2, 4), y(5, 2, 4), y(5, 2, 4)], ckw={"attn_mask": y(3, 3)})
    case(new, [4, 2], [y(3, 2, 4), y(5, 2, 4), y(5, 2, 4)], ckw={"attn_mask": y(2, 3, 5)})
    case(new, [4, 2], [y(3, 2, 4), y(5, 2, 4), y(5, 2, 4)], ckw={"attn_mask": y(5)})
    case(new, [4, 2], [y(3, 2, 4), y(5, 2, 4), y(5, 2, 4)], ckw={"key_padding_mask": y(3, 5)})
    case(new, [4, 2], [y(3, 2, 4), y(5, 2, 4), y(5, 2, 4)], ckw={"key_padding_mask": torch.ones(2, 5, dtype=torch.int64)})
    case(new, [4, 2], [y(3, 2, 4), y(5, 2, 4), y(5, 2, 4)], ckw={"is_causal": True})
    case(new, [4, 2], [y(3, 4), y(5, 4), y(5, 4)], ckw={"attn_mask": y(3, 3, 5)})
    case("TransformerEncoderLayer", [4, 2], [], activation="tanh")
    case("Transformer", [4, 2, 1, 1, 6], [y(3, 2, 4), y(3, 1, 4)])
    case("Transformer", [4, 2, 1, 1, 6], [y(3, 2, 4), y(3, 2, 6)])


def detach(v):
    if isinstance(v, torch.Tensor):
        return v.detach().clone().requires_grad_(v.requires_grad)
    return type(v)(detach(t) for t in v) if isinstance(v, (list, tuple)) else v


def outputs(v):
    if isinstance(v, PackedSequence):
        return [v.data]
    if isinstance(v, (list, tuple)):
        return [t for x in v for t in outputs(x)]
    return [] if v is None else [v]


def called(module, c):
    args, kwargs = [detach(v) for v in c["call"]], {k: detach(v) for k, v in c["ckw"].items()}
    given = list(args)
    if c["lengths"] is not None:
        args[0] = pack_padded_sequence(args[0], c["lengths"], enforce_sorted=c["enforce_sorted"], batch_first=module.batch_first)
    torch.manual_seed(1)
    out = outputs(module(*args, **kwargs))
    return out, [t for t in differentiable(given) + differentiable(list(kwargs.values())) if t.requires_grad]


def record(c):
    torch.manual_seed(0)
    module = getattr(nn, c["new"])(*c["a"], **c["kw"]).to(getattr(torch, c["dtype"]))
    made = {"repr": repr(module), "state": list(module.state_dict())}
    out, given = called(module, c)
    made["train"] = [encode(t) for t in out]
    made["nodes"] = [t.grad_fn.name() if t.grad_fn else None for t in out]
    outs = [t for t in out if t.requires_grad]
    cotangents = [(torch.arange(o.numel(), dtype=o.dtype) % 7 / 2 + 1).reshape(o.shape) for o in outs]
    if outs:
        grads = torch.autograd.grad(outs, given + list(module.parameters()), cotangents, allow_unused=True)
        made["grads"] = [None if g is None else encode(g) for g in grads]
    module.eval()
    with torch.no_grad():
        made["eval"] = [encode(t) for t in called(module, c)[0]]
    return made


def main(file):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    warnings.simplefilter("ignore")
    recurrent()
    attention()
    rows = []
    for c in CASES:
        row = {k: encode(v) for k, v in c.items() if k not in ("kw", "ckw")}
        row["kw"], row["ckw"] = ({k: encode(v) for k, v in c[name].items()} for name in ("kw", "ckw"))
        row["grad"] = [t.requires_grad for t in tensors_of(c["call"]) + tensors_of(list(c["ckw"].values()))]
        try:
            row |= record(c)
        except Exception as error:
            row |= {"error": type(error).__name__, "message": str(error)}
        rows.append(row)
    made = {"torch": torch.__version__, "script": "tools/oracle/record_modules.py", "cases": rows}
    with gzip.GzipFile(file, "wb", mtime=0) as out:
        out.write(json.dumps(made, separators=(",", ":")).encode())
    print(f"{len(rows)} cases, {sum('error' in row for row in rows)} errors")


if __name__ == "__main__":
    main(sys.argv[1])
