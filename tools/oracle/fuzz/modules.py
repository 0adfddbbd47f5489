"""Chooses a module of torch.nn to make, its arguments, and tensors to call it with: the step `nn.Linear`.

The first argument of the step are the inputs, a list that is empty where the module is only made; the others are the constructor's. What
it takes is read from its signature: the name of a parameter tells what a value may be, else its default does. A list is never given for a
tuple, nor an int for a float, nor another truth for a bool: `repr` shows which it was, and JavaScript has one of each.
"""

import inspect

import torch

# No layer, or made of other modules.
LEFT_OUT = {"Module", "Parameter", "ParameterDict", "ParameterList", "ModuleDict", "ModuleList", "Sequential", "Container", "Buffer", "AdaptiveLogSoftmaxWithLoss", "DataParallel"}

CHANNELS = {"in_features", "num_features", "in_channels", "num_channels", "input_size", "in1_features", "in2_features", "normalized_shape", "embed_dim", "d_model", "num_parameters"}
SIZES = CHANNELS | {"out_features", "out_channels", "hidden_size", "num_embeddings", "embedding_dim", "num_groups", "nhead", "num_heads", "dim_feedforward", "num_layers", "n_classes"}
LISTS = {"kernel_size", "stride", "padding", "dilation", "output_size", "output_padding", "output_ratio", "normalized_shape", "size", "scale_factor"}
SELDOM = {"device", "dtype", "size_average", "reduce"}
NEVER = {"_weight", "_freeze", "distance_function", "options"}
WORDS = {
    "padding_mode": ["zeros", "reflect", "replicate", "circular", "border"],
    "reduction": ["mean", "sum", "none", "batchmean"],
    "nonlinearity": ["tanh", "relu"],
    "mode": ["nearest", "bilinear", "linear", "bicubic", "trilinear", "nearest-exact", "sum", "mean", "max"],
    "approximate": ["none", "tanh"],
    "activation": ["relu", "gelu"],
}
FLOATS = [0.0, 1.0, 2.0, -1.0, 0.5, 0.1, 1e-5, 3.0]
ODD = [-1, 0, 7]


def makes_a_layer(name):
    cls = getattr(torch.nn, name, None)
    return inspect.isclass(cls) and issubclass(cls, torch.nn.Module) and name not in LEFT_OUT and "Lazy" not in name and "Transformer" not in name


def dims_of(name):
    return int(name[-2]) if name[-2:] in ("1d", "2d", "3d") else None


def value_of(r, module, name, parameter, dims):
    default = parameter.default
    if r.random() < 0.05 and not isinstance(default, (bool, float)):
        return r.choice(ODD)
    if name in WORDS:
        return r.choice(WORDS[name])
    if name in LISTS and module != "LocalResponseNorm" and r.random() < 0.35:
        return tuple(r.choice([1, 1, 2, 2, 3]) for _ in range(dims or r.choice([1, 2])))
    if name == "dtype":
        return torch.float64
    if name == "device":
        return "cpu" if r.random() < 0.5 else None
    if name in SIZES:
        return r.choice([1, 2, 2, 3, 4, 4, 4, 6])
    if isinstance(default, bool):
        return r.random() < 0.5
    if isinstance(default, float) or name in ("min_value", "max_value", "max_norm"):
        return r.choice(FLOATS)
    if default is None:
        return r.choice([None, None, 1, 2])
    return r.choice([1, 1, 2, 2, 3] if name == "kernel_size" else [1, 1, 2, 2, 3, 0])


def shape_of(r, name, given, dims):
    """Of a tensor that mostly fits."""
    channels = next((v for k, v in given.items() if k in CHANNELS), r.choice([1, 2, 3, 4]))
    wide = channels if isinstance(channels, int) and 0 <= channels <= 6 else 2
    batch = [r.choice([1, 2])] if r.random() < 0.8 else []
    if dims is not None:
        return [*batch, wide if r.random() < 0.95 else 3, *(r.choice([2, 3, 3, 4]) for _ in range(dims))]
    if isinstance(channels, (list, tuple)):
        return [*batch, *channels]
    return [*batch, wide] if r.random() < 0.7 else [*batch, r.choice([2, 3]), wide]


def draw(writer, call):
    """`(args, kwargs)` of the step."""
    r = writer.random
    name = call.removeprefix("nn.")
    dims = dims_of(name)
    args, kwargs, given = [], {}, {}
    for key, parameter in list(inspect.signature(getattr(torch.nn, name).__init__).parameters.items())[1:]:
        required = parameter.default is parameter.empty
        if key in NEVER or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if not required and r.random() < (0.9 if key in SELDOM else 0.65):
            continue
        given[key] = value_of(r, name, key, parameter, dims)
        if parameter.kind is parameter.KEYWORD_ONLY or kwargs or len(args) < len(given) - 1 or r.random() < 0.3 or not required:
            kwargs[key] = given[key]
        else:
            args.append(given[key])
    if r.random() < 0.03 and given:
        kwargs.pop(next(reversed(given)), None)
    if r.random() < 0.25:
        return [[], *args], kwargs
    dtype = kwargs.get("dtype") or torch.float32
    shape = shape_of(r, name, given, dims)
    inputs = [writer.tensor(shape, torch.int64, below=2) if name.startswith("Embedding") else writer.tensor(shape, dtype)]
    forward = inspect.signature(getattr(torch.nn, name).forward).parameters
    more = sum(p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD for p in forward.values()) - 2
    inputs += [writer.tensor(shape, dtype) for _ in range(more)]
    return [inputs, *args], kwargs
