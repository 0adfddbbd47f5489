"""Records what PyTorch 2.13.0 (CPU) answers to its own OpInfo samples, for the operators this library has.

    python tools/oracle/record_opinfo.py test/fixtures/opinfo [SEED] [--share 0/5]
    python tools/oracle/record_opinfo.py FOLDER [SEED] --only lgamma

The second form records one operator, whatever the list below says, in the form in which OpInfo's calls reach `torch.lgamma`, with what
PyTorch gives for meta tensors and with what shares memory; it is what `npm run ex -- check 22` asks.

One gzipped JSON file per OpInfo. Per dtype: samples (arguments, result, whether the in-place variant gives the same) and, for float64,
gradients; and the operator's error inputs with the type and text of the error.

Which samples: those whose tensors hold at most 800 elements in all (100 for SPARING) and no complex numbers; of these, every one if there are at most N,
else N evenly spaced ones, the first and the last among them; N is 40 for float32 and float64, 20 for the other dtypes. Of windows over images
(WINDOWS) there are fewer, and none whose result holds more than 800 elements: theirs are large.
"""

import argparse
import base64
import gzip
import json
import math
import sys
import warnings
from contextlib import ExitStack
from pathlib import Path
from types import FunctionType
from unittest.mock import patch

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import SampleInput

DTYPES = [torch.float32, torch.float64, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool, torch.float16, torch.bfloat16]
MANY, FEW, ELEMENTS = 40, 20, 800
# Variants that are left out: their samples are large, and another variant's.
NOT_BUILT = [("linalg.pinv", "singular"), ("linalg.lstsq", "grad_oriented")]
WINDOWS = ("nn.functional.conv", "nn.functional.max_pool", "nn.functional.avg_pool", "nn.functional.adaptive_", "nn.functional.max_unpool", "nn.functional.pad", "constant_pad_nd", "nn.functional.interpolate", "nn.functional.upsample", "_upsample", "nn.functional.grid_sample", "grid_sampler")

NAMES = """abs add sub rsub mul div neg eq ne lt le gt ge where maximum minimum max min clamp clamp_min clamp_max
exp log sqrt rsqrt reciprocal pow sigmoid tanh sin cos tan asin acos atan sinh cosh asinh acosh atanh erf erfc exp2 expm1 log2 log10 log1p
floor trunc isnan isfinite isinf isclose allclose logical_not logical_and logical_xor bitwise_not bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift
masked_fill masked_select sum mean amax amin argmax argmin all any sum_to_size dot vdot mv mm addmm addmv bmm baddbmm matmul __rmatmul__
nn.functional.relu nn.functional.gelu nn.functional.silu nn.functional.leaky_relu nn.functional.prelu nn.functional.threshold nn.functional.linear nn.functional.nll_loss nn.functional.cross_entropy
nn.functional.mse_loss nn.functional.l1_loss nn.functional.smooth_l1_loss nn.functional.huber_loss nn.functional.binary_cross_entropy nn.functional.binary_cross_entropy_with_logits nn.functional.kl_div
nn.functional.soft_margin_loss nn.functional.hinge_embedding_loss nn.functional.margin_ranking_loss nn.functional.cosine_embedding_loss nn.functional.poisson_nll_loss nn.functional.gaussian_nll_loss nn.functional.multi_margin_loss nn.functional.multilabel_margin_loss nn.functional.multilabel_soft_margin_loss nn.functional.pairwise_distance nn.functional.cosine_similarity nn.functional.triplet_margin_loss
nn.functional.batch_norm nn.functional.layer_norm nn.functional.group_norm nn.functional.rms_norm
nn.functional.conv1d nn.functional.conv2d nn.functional.conv3d nn.functional.conv_transpose1d nn.functional.conv_transpose2d nn.functional.conv_transpose3d
constant_pad_nd nn.functional.pad
nn.functional.max_pool1d nn.functional.max_pool2d nn.functional.avg_pool1d nn.functional.avg_pool2d nn.functional.adaptive_avg_pool1d nn.functional.adaptive_avg_pool2d
native_batch_norm _native_batch_norm_legit _batch_norm_with_update native_layer_norm repeat
softmax log_softmax index_put nonzero __getitem__ item equal contiguous to clone view reshape view_as reshape_as transpose t permute
expand expand_as squeeze unsqueeze select narrow as_strided flatten split split_with_sizes chunk unsafe_split unsafe_chunk unbind cat stack mT T
empty_like full full_like zeros zeros_like ones ones_like arange new_empty new_zeros new_ones new_full new_empty_strided empty empty_strided scalar_tensor
fill zero_ resize_ resize_as_ broadcast_to broadcast_tensors __radd__ __rmul__ __rsub__ __rdiv__ __rpow__ __rand__ __ror__ __rxor__ __rmod__
square sign sgn ceil lerp addcmul addcdiv logical_or float double half bfloat16 int long bool
round frac signbit positive remainder fmod floor_divide true_divide atan2 hypot igamma igammac copysign fmax fmin xlogy special.xlog1py nan_to_num logit
logaddexp logaddexp2 gcd lcm frexp isreal isposinf isneginf deg2rad rad2deg sinc
linalg.ldl_factor linalg.ldl_factor_ex linalg.ldl_solve angle conj_physical H fft.fftshift fft.ifftshift
lgamma digamma polygamma erfinv mvlgamma i0 special.i1 special.erfcx special.zeta special.ndtr special.polygamma
inner outer tensordot einsum
nn.functional.elu nn.functional.celu nn.functional.selu nn.functional.softplus nn.functional.hardtanh nn.functional.relu6 nn.functional.hardsigmoid
nn.functional.hardswish nn.functional.softshrink nn.functional.hardshrink nn.functional.mish nn.functional.logsigmoid nn.functional.softsign
nn.functional.tanhshrink nn.functional.glu nn.functional.softmin
prod var std var_mean std_mean norm linalg.vector_norm dist logsumexp nansum nanmean count_nonzero aminmax cumsum cumprod cummax cummin logcumsumexp
diff flip nn.functional.normalize
index_select index_add index_copy take take_along_dim put repeat_interleave scatter_reduce gather scatter scatter_add masked_scatter
nn.functional.one_hot tril triu tril_indices triu_indices diag diagonal diagonal_copy diag_embed diagflat diagonal_scatter select_scatter fliplr flipud
roll rot90 tile movedim ravel unflatten tensor_split hsplit vsplit dsplit hstack vstack dstack column_stack block_diag atleast_1d atleast_2d atleast_3d
meshgrid cartesian_prod combinations
alias_copy as_strided_copy expand_copy narrow_copy permute_copy split_with_sizes_copy squeeze_copy t_copy transpose_copy unbind_copy unfold_copy unsqueeze_copy
view_copy
nn.functional.scaled_dot_product_attention
eye linspace logspace
sort argsort msort topk kthvalue median nanmedian mode argwhere renorm unique unique_consecutive bincount bucketize searchsorted trapezoid trapz
cumulative_trapezoid trace addr cross linalg.cross histc cdist quantile nanquantile nn.functional.pdist
linalg.inv linalg.inv_ex linalg.solve linalg.solve_ex linalg.solve_triangular linalg.det linalg.slogdet logdet linalg.cholesky linalg.cholesky_ex linalg.lu linalg.lu_factor
linalg.lu_factor_ex linalg.lu_solve lu_solve lu_unpack cholesky cholesky_solve cholesky_inverse triangular_solve
linalg.qr geqrf qr linalg.eigvalsh linalg.svdvals linalg.pinv pinverse linalg.matrix_rank linalg.matrix_norm linalg.norm linalg.matrix_power linalg.cond
isin addbmm gradient cov corrcoef unravel_index index_reduce nonzero_static histogram histogramdd linalg.tensorsolve linalg.tensorinv linalg.vecdot linalg.vander linalg.diagonal linalg.householder_product ormqr matrix_exp linalg.lstsq linalg.svd svd as_strided_scatter index_fill unfold
nn.functional.bilinear nn.functional.embedding nn.functional.embedding_bag
nn.functional.interpolate nn.functional.upsample_nearest nn.functional.upsample_bilinear _upsample_bilinear2d_aa
nn.functional.pixel_shuffle nn.functional.pixel_unshuffle nn.functional.channel_shuffle nn.functional.unfold nn.functional.fold nn.functional.adaptive_avg_pool3d
nn.functional.max_pool3d nn.functional.avg_pool3d nn.functional.adaptive_max_pool1d nn.functional.adaptive_max_pool2d nn.functional.adaptive_max_pool3d
nn.functional.max_unpool1d nn.functional.max_unpool2d nn.functional.max_unpool3d
nn.functional.grid_sample nn.functional.affine_grid grid_sampler_2d grid_sampler_3d""".split()

# Of these only samples of at most 100 elements: theirs are many, and much the same.
SPARING = """atan2 true_divide fmax fmin fmod remainder __rmod__ logaddexp hypot igamma igammac xlogy special.xlog1py nn.functional.glu dist flip
nn.functional.gaussian_nll_loss nn.functional.poisson_nll_loss sort linalg.lu linalg.lu_factor linalg.lu_factor_ex lu_unpack cdist
linalg.norm linalg.matrix_norm linalg.qr qr linalg.cond linalg.pinv linalg.lstsq unfold matrix_exp
nn.functional.bilinear""".split()


class Skip(Exception):
    pass


def tensor(t, whole_storage):
    if t.layout is not torch.strided or t.dtype.is_complex or t.device.type not in ("cpu", "meta"):
        raise Skip
    name = str(t.dtype).removeprefix("torch.")
    if t.device.type == "meta":
        return {"$t": [name, list(t.shape), list(t.stride()), t.storage_offset(), None]}
    t = t.detach()
    if whole_storage:
        storage = t.untyped_storage()
        if storage.nbytes() > 4 * ELEMENTS * t.element_size() + 64:
            raise Skip
        raw = bytes(storage.tolist()) if storage.nbytes() else b""
        return {"$t": [name, list(t.shape), list(t.stride()), t.storage_offset(), base64.b64encode(raw).decode()]}
    flat = t.clone(memory_format=torch.contiguous_format).reshape(-1)
    raw = bytes(flat.view(torch.uint8).tolist()) if flat.numel() else b""
    return {"$t": [name, list(t.shape), list(t.stride()), t.storage_offset(), base64.b64encode(raw).decode()]}


def encode(v, whole_storage=False):
    if isinstance(v, torch.Tensor):
        return tensor(v, whole_storage)
    if v is None or isinstance(v, (bool, str)):
        return v
    if isinstance(v, int):
        return v if abs(v) < 2**53 else {"$int": str(v)}
    if isinstance(v, float):
        return v if math.isfinite(v) and v != int(v) else {"$f": repr(v)}
    if isinstance(v, torch.dtype):
        return {"$dtype": str(v).removeprefix("torch.")}
    if isinstance(v, torch.device):
        return {"$device": str(v)}
    if isinstance(v, (torch.memory_format, torch.layout)):
        return {"$torch": str(v).removeprefix("torch.")}
    if isinstance(v, slice):
        return {"$slice": [encode(v.start), encode(v.stop), encode(v.step)]}
    if v is Ellipsis:
        return {"$ellipsis": True}
    if isinstance(v, tuple):
        return {"$tuple": [encode(x, whole_storage) for x in v]}
    if isinstance(v, list):
        return [encode(x, whole_storage) for x in v]
    raise Skip


def elements(v):
    if isinstance(v, torch.Tensor):
        return v.numel()
    if isinstance(v, (list, tuple)):
        return sum(elements(x) for x in v)
    return 0


def arguments(sample):
    args = [sample.input, *sample.args]
    if elements(args) + elements(list(sample.kwargs.values())) > ELEMENTS:
        raise Skip
    if any(k in sample.kwargs for k in ("generator", "names", "pin_memory")) or sample.kwargs.get("dropout_p"):
        raise Skip  # what they say, or what they draw, is not in a file
    return [encode(a, True) for a in args], {k: encode(v, True) for k, v in sample.kwargs.items()}


def attempt(fn):
    try:
        return {"value": encode(fn())}
    except Skip:
        raise
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}


def evenly(items, n):
    if len(items) <= n:
        return items
    return [items[round(i * (len(items) - 1) / (n - 1))] for i in range(n)]


def copy(v):
    """The same view of a storage of its own."""
    if isinstance(v, torch.Tensor):
        storage = v.detach().untyped_storage().clone()
        return torch.empty(0, dtype=v.dtype, device=v.device).set_(storage, v.storage_offset(), v.shape, v.stride())
    if isinstance(v, (list, tuple)):
        return type(v)(copy(x) for x in v)
    return v


def share_memory(sample):
    """The encoding gives every tensor a storage of its own, so a sample about shared memory would be another one here."""
    tensors = []

    def walk(v):
        if isinstance(v, torch.Tensor):
            tensors.append(v.untyped_storage()._cdata)
        elif isinstance(v, (list, tuple)):
            for x in v:
                walk(x)

    walk([sample.input, *sample.args, *sample.kwargs.values()])
    return len(set(tensors)) < len(tensors)


def differentiable(v):
    if isinstance(v, torch.Tensor):
        return [v] if v.dtype.is_floating_point else []
    if isinstance(v, (list, tuple)):
        return [t for x in v for t in differentiable(x)]
    return []


def gradients(op, sample):
    """Gradients of every tensor argument that the sample marks as requiring one, for cotangents 1, 1.5, 2, ... over each result.

    `of` numbers those arguments among all floating tensor arguments, in order of appearance.
    """

    def fresh(v):
        if isinstance(v, torch.Tensor):
            return copy(v).requires_grad_(v.requires_grad)
        if isinstance(v, (list, tuple)):
            return type(v)(fresh(x) for x in v)
        return v

    args = [fresh(a) for a in [sample.input, *sample.args]]
    kwargs = {k: fresh(v) for k, v in sample.kwargs.items()}
    tensors = differentiable(args) + differentiable(list(kwargs.values()))
    of = [i for i, t in enumerate(tensors) if t.requires_grad]
    out = op(*args, **kwargs)
    outs = [o for o in differentiable(out if isinstance(out, (list, tuple)) else [out]) if o.requires_grad]
    if not outs or not of:
        return None
    cotangents = [(torch.arange(o.numel(), dtype=o.dtype) % 7 / 2 + 1).reshape(o.shape) for o in outs]
    grads = torch.autograd.grad(outs, [tensors[i] for i in of], cotangents, allow_unused=True)
    return {"of": of, "grads": [None if g is None else encode(g) for g in grads]}


def reach(fn, base, args, kwargs):
    """The operator's own function and the arguments with which `fn` calls it first; None if it does not."""
    if getattr(fn, "__name__", "") == base and not isinstance(fn, FunctionType):
        return fn, args, kwargs
    found = []

    def spy(own):
        def called(*args, **kwargs):
            found.append((own, args, kwargs))
            return own(*args, **kwargs)

        return called

    with ExitStack() as stack:
        for place in (torch, torch.Tensor, torch._C._nn):
            own = getattr(place, base, None)
            if own is not None and not isinstance(own, FunctionType):
                stack.enter_context(patch.object(place, base, spy(own)))
        try:
            fn(*args, **kwargs)
        except Exception:
            return None
    return found[0] if found else None


def function_of(info, base):
    """What OpInfo calls for an operator, under its own name or as another one's alias; None if it has none."""
    named = [(info.aten_name, info.op), (info.name, info.op), *((alias.name, alias.op) for alias in info.aliases)]
    return next((fn for name, fn in named if name.replace("nn.functional.", "").replace(".", "_") == base), None)


class Reached:
    """An OpInfo with the operator itself for its function: OpInfo may call that through a lambda, with its arguments turned round."""

    def __init__(self, info, base):
        self.info, self.calls, self.base, self.op = info, function_of(info, base), base, None
        self.name, self.variant_test_name, self.aliases = f"aten::{base}", info.variant_test_name, []
        self.inplace_variant = getattr(torch.Tensor, f"{base}_", None)
        self.supports_autograd, self.supported_dtypes = info.supports_autograd, info.supported_dtypes
        self.error_inputs_func = None  # wrong arguments are asked in random calls

    def sample_inputs(self, device, dtype, requires_grad):
        for sample in self.info.sample_inputs(device, dtype, requires_grad=requires_grad):
            found = reach(self.calls, self.base, (sample.input, *sample.args), sample.kwargs)
            if found is None or not found[1]:
                continue
            self.op, args, kwargs = found
            yield SampleInput(args[0], args=tuple(args[1:]), kwargs=kwargs)


def on_meta(v):
    if isinstance(v, torch.Tensor):
        return v.detach().to("meta")
    if isinstance(v, (list, tuple)):
        return type(v)(on_meta(x) for x in v)
    return v


def tensors_of(v):
    if isinstance(v, torch.Tensor):
        return [v]
    return [t for x in v for t in tensors_of(x)] if isinstance(v, (list, tuple)) else []


def shared(op, sample):
    """Of each tensor of the result, the numbers of the arguments (tensors in order of appearance) in whose memory it lies."""
    args, kwargs = [copy(a) for a in [sample.input, *sample.args]], {k: copy(v) for k, v in sample.kwargs.items()}
    given = [t.untyped_storage()._cdata for t in tensors_of([*args, *kwargs.values()])]
    return [[i for i, memory in enumerate(given) if memory == t.untyped_storage()._cdata] for t in tensors_of([op(*args, **kwargs)])]


def record(op, seed):
    """Float16 is asked without oneDNN: only a few processors let oneDNN take it, and there it rounds otherwise."""
    result = {"torch": torch.__version__, "script": "tools/oracle/record_opinfo.py", "name": op.name, "variant": op.variant_test_name, "aliases": [a.name for a in op.aliases], "dtypes": {}, "errors": []}
    for dtype in DTYPES:
        if dtype not in op.supported_dtypes("cpu"):
            continue
        # Without oneDNN, PyTorch rounds each addition of a transposed convolution: these answers are of processors where oneDNN takes bfloat16.
        if dtype is torch.bfloat16 and "conv_transpose" in op.name and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
            continue
        torch.manual_seed(seed)
        torch.backends.mkldnn.set_flags(dtype is not torch.float16)
        kept = []
        for sample in op.sample_inputs("cpu", dtype, requires_grad=dtype is torch.float64 and op.supports_autograd):
            try:
                args, kwargs = arguments(sample)
            except Skip:
                continue
            if op.name in SPARING and elements([sample.input, *sample.args]) > ELEMENTS // 8:
                continue
            kept.append((sample, args, kwargs))
        rows = []
        windows = op.name.startswith(WINDOWS)
        if windows:
            kept = [row for row in kept if elements(op.op(copy(row[0].input), *map(copy, row[0].args), **row[0].kwargs)) <= ELEMENTS]
        many, few = (MANY // 4, FEW // 4) if windows else (MANY, FEW)
        for sample, args, kwargs in evenly(kept, many if dtype in (torch.float32, torch.float64) else few):
            try:
                row = {"args": args, "kwargs": kwargs, "result": attempt(lambda: op.op(*[copy(a) for a in [sample.input, *sample.args]], **sample.kwargs))}
                if op.inplace_variant is not None:
                    inplace = attempt(lambda: op.inplace_variant(*[copy(a) for a in [sample.input, *sample.args]], **sample.kwargs))
                    row["inplace"] = "same" if inplace == row["result"] else inplace
                if dtype is torch.float64 and op.supports_autograd and "value" in row["result"]:
                    try:
                        grads = gradients(op.op, sample)
                    except RuntimeError:
                        grads = None  # not differentiable, or a view of a storage that the copy does not have
                    if grads is not None:
                        row["grads"] = grads
                if isinstance(op, Reached) and dtype in (torch.float64, torch.int64) and "value" in row["result"]:
                    row["meta"] = attempt(lambda: op.op(*map(on_meta, [sample.input, *sample.args]), **{k: on_meta(v) for k, v in sample.kwargs.items()}))
                    row["shares"] = shared(op.op, sample)
            except Skip:
                continue
            rows.append(row)
        if rows:
            result["dtypes"][str(dtype).removeprefix("torch.")] = rows
    torch.backends.mkldnn.set_flags(True)
    if op.error_inputs_func is not None:
        for error in op.error_inputs("cpu"):
            sample = error.sample_input
            if share_memory(sample) or not isinstance(sample.input, (torch.Tensor, list, tuple)):
                continue
            try:
                args, kwargs = arguments(sample)
                answer = attempt(lambda: op.op(sample.input, *sample.args, **sample.kwargs))
            except Skip:
                continue
            result["errors"].append({"args": args, "kwargs": kwargs, "result": answer})
    return result


def main(folder, seed, only, share):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    Path(folder).mkdir(parents=True, exist_ok=True)
    chosen = [op for op in op_db if op.name in NAMES] if only is None else [Reached(op, only) for op in op_db if function_of(op, only) is not None]
    total = 0
    turn, of = map(int, share.split("/"))
    for op in chosen[turn::of]:
        if "triton" in op.variant_test_name or (op.name, op.variant_test_name) in NOT_BUILT:
            continue
        made = record(op, seed)
        if not made["dtypes"]:
            continue
        file = Path(folder) / f"{op.name.removeprefix('aten::')}{'.' + op.variant_test_name if op.variant_test_name else ''}.json.gz"
        with gzip.GzipFile(file, "wb", mtime=0) as out:
            out.write(json.dumps(made, separators=(",", ":")).encode())
        count = sum(len(rows) for rows in made["dtypes"].values())
        total += count
        print(f"{file.name}: {count} samples, {len(made['errors'])} errors, {file.stat().st_size} bytes", flush=True)
    print(f"{total} samples")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--only")
    parser.add_argument("--share", default="0/1", help="1/5: the second of every five operators")
    given = parser.parse_args()
    main(given.folder, given.seed, given.only, given.share)
