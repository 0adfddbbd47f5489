"""Programs for Inductor: what each computes, and the shapes of its arguments. Run here and in PyTorch (record_inductor.py)."""
import torch
import torch.nn.functional as F

A, B, R, S = (8, 12), (8, 12), (12,), (12, 8)


def inputs(shapes):
    """Numbers from -1 to 1 in equal steps; a shape that begins with "i" is of whole numbers."""
    found = []
    for shape in shapes:
        whole = shape[:1] == ("i",)
        size = shape[1:] if whole else shape
        n = 1
        for s in size:
            n = n * s
        found.append(torch.arange(n).reshape(size) if whole else torch.linspace(-1, 1, n).reshape(size))
    return found


CASES = {
    "chain": (lambda x: ((x.sin() + 1).cos() * 2).exp(), [A]),
    "two_inputs": (lambda x, y: x * y + x - 2 * y, [A, B]),
    "broadcast": (lambda x, r: (x + r).relu() * r, [A, R]),
    "scalars": (lambda x: (2 - x) / 3 + x ** 2, [A]),
    "where": (lambda x: torch.where(x > 0, x, x * 0.1), [A]),
    "clamp": (lambda x: x.clamp(-0.5, 0.5).abs(), [A]),
    "two_outputs": (lambda x: (x.sin(), x.cos()), [A]),
    "shared": (lambda x: (x.exp() + 1, x.exp() * 2), [A]),
    "integers": (lambda i: i * 3 + 1, [("i", 8, 12)]),
    "compare": (lambda x, y: (x > y) & (x < 0.5), [A, B]),
    "cast": (lambda x: (x * 10).to(torch.int32) + 1, [A]),
    "double": (lambda x: x.double().sin() + 1, [A]),
    "half": (lambda x: (x.to(torch.bfloat16) * 2).relu(), [A]),
    "transpose": (lambda x, y: x.t() + y, [A, S]),
    "permute": (lambda x: x.permute(1, 0).contiguous() * 2, [A]),
    "view": (lambda x: x.view(4, 24).sin() + 1, [A]),
    "slice": (lambda x: x[1:, ::2] * 2 + 1, [A]),
    "select": (lambda x: x[2] + x[:, 3:4].squeeze(1).sum(), [A]),
    "expand": (lambda r: r.unsqueeze(0).expand(8, 12) * 2, [R]),
    "cat": (lambda x, y: torch.cat([x, y], 1) * 2, [A, B]),
    "stack": (lambda x, y: torch.stack([x, y]).sum(0), [A, B]),
    "flip": (lambda x: x.flip(1) + 1, [A]),
    "pad": (lambda x: F.pad(x, (1, 2)) * 2, [A]),
    "sum_rows": (lambda x: (x * 2).sum(1), [A]),
    "sum_columns": (lambda x: (x + 1).sum(0), [A]),
    "sum_all": (lambda x: x.exp().sum(), [A]),
    "mean": (lambda x: x.mean(1, keepdim=True), [A]),
    "center": (lambda x: x - x.mean(1, keepdim=True), [A]),
    "center_all": (lambda x: x - x.mean(), [A]),
    "amax": (lambda x: x.amax(1) + 1, [A]),
    "any": (lambda x: (x > 0.5).any(1), [A]),
    "var": (lambda x: x.var(1), [A]),
    "softmax": (lambda x: F.softmax(x * 2 + 1, -1), [A]),
    "log_softmax": (lambda x: F.log_softmax(x, -1) * 2, [A]),
    "softmax_columns": (lambda x: F.softmax(x, 0), [A]),
    "layer_norm": (lambda x: F.layer_norm(x, (12,)), [A]),
    "layer_norm_affine": (lambda x, w, b: F.layer_norm(x, (12,), w, b).relu(), [A, R, R]),
    "gelu": (lambda x: F.gelu(x) * 2, [A]),
    "silu": (lambda x: F.silu(x) + x, [A]),
    "mish": (lambda x: F.mish(x), [A]),
    "softplus": (lambda x: F.softplus(x), [A]),
    "elu": (lambda x: F.elu(x), [A]),
    "leaky_relu": (lambda x: F.leaky_relu(x, 0.1), [A]),
    "hardtanh": (lambda x: F.hardtanh(x) + 1, [A]),
    "sigmoid_tanh": (lambda x: torch.sigmoid(x) * torch.tanh(x), [A]),
    "mse_loss": (lambda x, y: F.mse_loss(x, y), [A, B]),
    "mm": (lambda x, y: x @ y, [A, S]),
    "mm_relu": (lambda x, y: (x @ y).relu() + 1, [A, S]),
    "prologue_mm": (lambda x, y: (x * 2) @ (y + 1), [A, S]),
    "linear": (lambda x, w, b: F.linear(x, w, b).relu(), [A, (20, 12), (20,)]),
    "mlp": (lambda x, w, v: F.linear(F.linear(x, w).relu(), v), [A, (20, 12), (4, 20)]),
    "bmm": (lambda x, y: torch.bmm(x, y).sin(), [(3, 4, 5), (3, 5, 6)]),
    "attention": (lambda q, k, v: torch.softmax(q @ k.transpose(-1, -2) / 2, -1) @ v, [(2, 4, 8), (2, 4, 8), (2, 4, 8)]),
    "embedding": (lambda w, i: F.embedding(i, w) + 1, [A, ("i", 2, 3)]),
    "gather": (lambda x, i: x.gather(1, i) * 2, [A, ("i", 1, 12)]),
    "index": (lambda x, i: x[i] + 1, [A, ("i", 3)]),
    "arange": (lambda x: x + torch.arange(12), [A]),
    "full": (lambda x: x * torch.full((12,), 2.0), [A]),
    "ones": (lambda x: x + torch.ones(8, 1), [A]),
    "cumsum": (lambda x: torch.cumsum(x, 1) * 2, [A]),
    "sort": (lambda x: (x * 2).sort(1)[0] + 1, [A]),
    "argmax": (lambda x: x.argmax(1), [A]),
    "mutation": (lambda x: x.clone().add_(1).mul_(2), [A]),
    "chunks": (lambda x: torch.chunk(x, 2, 1)[0] * torch.chunk(x, 2, 1)[1], [A]),
    "norm": (lambda x: x / (x * x).sum(1, keepdim=True).sqrt(), [A]),
    "rms": (lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * w, [A, R]),
    "two_kernels": (lambda x, y: (x.sin().sum(1), y.cos() + 1), [A, S]),
    "logsumexp": (lambda x: torch.logsumexp(x, 1), [A]),
    "lerp": (lambda x, y: torch.lerp(x, y, 0.3), [A, B]),
    "addcmul": (lambda x, y: torch.addcmul(x, x, y, value=0.5), [A, B]),
    "batch_norm": (lambda x, m, v: F.batch_norm(x, m, v), [(2, 3, 4), (3,), (3,)]),
    "max_pool": (lambda x: F.max_pool2d(x, 2) + 1, [(1, 2, 6, 6)]),
    "conv": (lambda x, w: F.conv2d(x, w).relu(), [(1, 2, 6, 6), (3, 2, 3, 3)]),
}
