"""Chooses what trains: an optimizer of torch.optim and its parameters, schedulers of its rates, averages of weights, functions of
torch.nn.init and the gradients' norms of torch.nn.utils.

    optim.Adam, lr_scheduler.StepLR, swa_utils.SWALR   makes one; a later step may name it
    Optimizer.step, Scheduler.step                     a method of one that was made (the first argument is the object)
    descend, average                                   gradients of a loss; a module and its average

What a constructor takes is read from its signature; the name of a parameter tells what a value may be, else its default does. As in
modules.py an int is never given for a float, nor a whole float where the default is an int: JavaScript has one of each, and only `repr`
shows which it was; so no scheduler is made for L-BFGS, whose default rate is an int. Of the options `fused` is not
drawn (its kernels are not here), nor a tensor for an option that only they and a GPU take.
"""

import inspect

import torch
from steps import PLACES, Closure, Lambda, StateOf, Var
from torch.optim import lr_scheduler, swa_utils

LEFT_OUT = {"Optimizer", "SparseAdam"}
METHODS = {
    "Optimizer": ["step", "zero_grad", "add_param_group", "state_dict", "load_state_dict", "__repr__"],
    "Scheduler": ["step", "get_last_lr", "get_lr", "state_dict", "load_state_dict"],
}
UTILS = ["clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm", "parameters_to_vector", "vector_to_parameters"]
NEVER = {"fused", "generator", "scale_fn"}
SELDOM = {"capturable", "differentiable", "last_epoch", "optimizer"}
WEIGHTS = {"Optimizer.step": 40, "Optimizer.load_state_dict": 3, "descend": 14, "Scheduler.step": 30, "average": 2, "Optimizer.__repr__": 1}

FLOATS = [torch.float32] * 6 + [torch.float64] * 3 + [torch.float16, torch.bfloat16]
RATES = [0.1, 0.01, 0.5, 0.05, 1.0, 2.0, 1e-3]
VALUES = {
    "lr": RATES,
    "weight_decay": [0.1, 0.01, 0.25],
    "momentum": [0.9, 0.5, 0.1],
    "dampening": [0.1, 0.5],
    "eps": [1e-8, 1e-3, 0.1],
    "betas": [(0.9, 0.99), (0.5, 0.5), (0.0, 0.9), (0.9, 0.0)],
    "etas": [(0.5, 1.5), (0.25, 1.2)],
    "step_sizes": [(1e-3, 0.5), (0.1, 2.5)],
    "ns_coefficients": [(3.4445, -4.775, 2.0315), (1.5, -0.5, 0.0)],
    "alpha": [0.99, 0.5, 0.9],
    "lr_decay": [0.1, 0.01],
    "momentum_decay": [0.004, 0.1],
    "initial_accumulator_value": [0.1, 0.5],
    "adjust_lr_fn": [None, "original", "match_rms_adamw", "x"],
    "line_search_fn": [None, "strong_wolfe", "strong_wolfe", "x"],
    "max_iter": [1, 2, 4],
    "max_eval": [None, 1, 5],
    "history_size": [1, 2, 100],
    "ns_steps": [1, 2, 5],
    "t0": [1.0, 2.0, 1e6],
    "lambd": [1e-4, 0.1],
    "beta2_decay": [-0.8, -0.5],
    "d": [1.0, 0.5],
    "gamma": [0.1, 0.5, 0.9, 1.0],
    "step_size": [1, 2, 3],
    "milestones": [[1], [2], [1, 3], [3, 1], [2, 2], [0, 2]],
    "factor": [0.5, 0.25, 1.0, 0.1],
    "start_factor": [0.5, 0.25, 1.0],
    "end_factor": [1.0, 0.5, 0.0],
    "total_iters": [1, 2, 4],
    "total_steps": [None, 4, 10],
    "epochs": [None, 2, 3],
    "steps_per_epoch": [None, 1, 2],
    "pct_start": [0.3, 0.5, 0.0, 1.0],
    "anneal_strategy": ["cos", "linear", "x"],
    "anneal_epochs": [1, 2, 3],
    "T_max": [1, 2, 5],
    "T_0": [1, 2, 3],
    "T_mult": [1, 2],
    "eta_min": [0.0, 1e-3, 0.5],
    "power": [1.0, 2.0, 0.5],
    "mode": ["min", "max", "triangular", "triangular2", "exp_range"],
    "threshold_mode": ["rel", "abs"],
    "scale_mode": ["cycle", "iterations"],
    "threshold": [1e-4, 0.1],
    "patience": [0, 1, 2],
    "cooldown": [0, 1],
    "min_lr": [1e-3, 0.05],
    "swa_lr": RATES,
    "base_lr": [1e-3, 0.01],
    "max_lr": [0.1, 0.5],
    "base_momentum": [0.8, 0.5],
    "max_momentum": [0.9, 0.95],
    "step_size_up": [1, 2, 3],
    "step_size_down": [None, 1, 2],
    "div_factor": [25.0, 2.0],
    "final_div_factor": [1e4, 10.0],
    "last_epoch": [-1, -1, 0, 3],
}
PER_GROUP = {"swa_lr", "base_lr", "max_lr", "min_lr", "base_momentum", "max_momentum"}  # one number, or a list of one for each group
ODD = [-0.5, float("nan"), -1.5]
WRONG = ["x", None]  # of another type, for what constructors check; a wrong type that nobody checks is Python's to refuse, somewhere
CHECKED = {"lr", "weight_decay", "momentum", "eps", "betas", "rho", "momentum_decay", "lr_decay"}


def calls(here):
    """Every call of these that both sides have."""
    for place, module in PLACES.items():
        for name in sorted(here[place]):
            if makes_one(module, name) or (place == "init" and name in torch.nn.init.__all__) or (place == "utils" and name in UTILS):
                yield f"{place}.{name}"
    for place, names in METHODS.items():
        yield from (f"{place}.{name}" for name in names)
    yield from ("descend", "average")


def makes_one(module, name):
    made = getattr(module, name, None)
    return inspect.isclass(made) and issubclass(made, (torch.optim.Optimizer, lr_scheduler.LRScheduler)) and name not in LEFT_OUT | {"LRScheduler"}


def draws(call):
    place = call.partition(".")[0]
    return place in PLACES or place in METHODS or call in ("descend", "average")


# What there is

def optimizer(writer):
    return newest(writer, torch.optim.Optimizer)


def newest(writer, kind):
    found = [n for n, v in writer.run.env.items() if isinstance(v, kind)]
    return Var(writer.random.choices(found, range(1, len(found) + 1))[0]) if found else None


def leaf(writer, dtypes=FLOATS, dims=(0, 1, 1, 2, 2, 3)):
    """A parameter: a leaf that requires grad; seldom anything else."""
    r = writer.random
    if r.random() < 0.03:
        return writer.existing()
    shape = [r.choice([1, 2, 3]) for _ in range(r.choice(dims))]
    made = writer.create(shape, r.choice(dtypes))
    if writer.of(made).is_leaf and not writer.of(made).requires_grad:
        writer.add("Tensor.requires_grad_", [made], {})
    return made


def parameters(writer, cls):
    r = writer.random
    dims = (2,) if cls is torch.optim.Muon and r.random() < 0.95 else (0, 1, 1, 2, 2, 3)
    # L-BFGS divides by differences of gradients: what rounding left of them grows within one step.
    dtypes = [torch.float64] if cls is torch.optim.LBFGS else FLOATS
    return [leaf(writer, dtypes, dims) for _ in range(r.choice([1, 1, 2, 2, 3]))]


def own(writer, opt):
    """Names of an optimizer's parameters."""
    names = {id(v): n for n, v in writer.run.env.items()}
    params = [p for group in writer.of(opt).param_groups for p in group["params"]]
    return [Var(names[id(p)]) for p in params if id(p) in names]


# Values

def value_of(writer, name, default, groups, checked):
    r = writer.random
    if name == "eps" and isinstance(default, tuple):
        return r.choice([(None, 1e-3), (1e-8, 0.1), (1e-30, 1e-3)])
    if name in PER_GROUP and r.random() < 0.25:
        return [r.choice(VALUES[name]) for _ in range(groups if r.random() < 0.9 else groups + 1)]
    if r.random() < 0.02 and checked and name in CHECKED:
        return r.choice([*ODD, *WRONG])
    if r.random() < 0.02 and (isinstance(default, float) or name == "gamma"):
        return r.choice(ODD)
    if name == "lr" and r.random() < 0.1:
        return scalar(writer, r.choice(RATES))
    if name == "lr" and isinstance(default, int):
        return r.choice([0.5, 0.1, 0.05])
    if name in VALUES:
        return r.choice(VALUES[name])
    if name == "foreach":
        return r.choice([None, True, True, False])
    if isinstance(default, bool):
        return r.random() < 0.6
    if isinstance(default, float):
        return r.choice([0.1, 0.5, 1.0])
    return default


def scalar(writer, value):
    return Var(writer.add("torch.tensor", [value], {"dtype": torch.float32})[0])


def options(writer, fn, skip, share=0.4, groups=1, checked=False):
    """Keywords by the signature of `fn`: all that it needs, some of the others."""
    r = writer.random
    kwargs = {}
    for name, p in inspect.signature(fn).parameters.items():
        if name in NEVER | skip or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            continue
        if p.default is not p.empty and r.random() > (0.04 if name in SELDOM else share):
            continue
        kwargs[name] = value_of(writer, name, p.default, groups, checked)
    return kwargs


def group(writer, cls):
    given = options(writer, cls, {"params", "foreach", "differentiable", "capturable", "max_iter"}, 0.3)
    return {"params": parameters(writer, cls), **{k: v for k, v in given.items() if not isinstance(v, Var)}}


def draw_optim(writer, name):
    r = writer.random
    cls = getattr(torch.optim, name)
    chance = r.random()
    if chance < 0.03:
        params = r.choice([[], leaf(writer), [1], None, {"params": []}, [{"lr": 0.1}]])
    elif chance < 0.35 and name != "LBFGS":
        params = [group(writer, cls) for _ in range(r.choice([1, 2, 2]))]
    elif chance < 0.42:
        params = [(f"p{i}", p) for i, p in enumerate(parameters(writer, cls))]
    else:
        params = parameters(writer, cls)
    return [params], options(writer, cls, {"params"}, checked=True)


LAMBDAS = ["halves", "third", "tenth", "grows"]


def draw_scheduler(writer, cls):
    r = writer.random
    opt = optimizer(writer)
    if opt is None:
        return None
    if isinstance(writer.of(opt), torch.optim.LBFGS):
        return None
    groups = len(writer.of(opt).param_groups)
    kwargs = options(writer, cls, {"optimizer", "lr_lambda", "schedulers"}, 0.5, groups)
    if cls in (lr_scheduler.LambdaLR, lr_scheduler.MultiplicativeLR):
        one = Lambda(r.choice(LAMBDAS))
        return [opt, one if r.random() < 0.6 else [Lambda(r.choice(LAMBDAS)) for _ in range(groups)]], kwargs
    if cls is lr_scheduler.ReduceLROnPlateau:
        kwargs["mode"] = r.choice(["min", "max"])
    if cls in (lr_scheduler.SequentialLR, lr_scheduler.ChainedScheduler):
        made = [n for n, v in writer.run.env.items() if isinstance(v, lr_scheduler.LRScheduler)]
        parts = [Var(n) for n in made if r.random() < 0.9 or len(made) < 2]
        if cls is lr_scheduler.ChainedScheduler:
            return [parts], kwargs
        kwargs["milestones"] = [1 + 2 * i for i in range(len(parts) - 1)] if r.random() < 0.9 else r.choice(VALUES["milestones"])
        return [opt, parts], kwargs
    return [opt], kwargs


def closure(writer, opt):
    return Closure(writer.random.choices(["square", "quartic", "none", "number", "raise"], [8, 8, 1, 1, 1])[0], own(writer, opt))


def draw_optimizer_method(writer, name):
    r = writer.random
    opt = optimizer(writer)
    if opt is None:
        return None
    if name == "step":
        needs = isinstance(writer.of(opt), torch.optim.LBFGS)
        if r.random() < (0.95 if needs else 0.2):
            return [opt, closure(writer, opt)], {}
        params = own(writer, opt)
        if params and r.random() < 0.8:
            writer.add("descend", [r.choice(["square", "quartic"]), [p for p in params if r.random() < 0.85] or params], {})
        return [opt], {}
    if name == "zero_grad":
        return [opt], r.choice([{}, {}, {"set_to_none": False}, {"set_to_none": True}])
    if name == "add_param_group":
        cls = type(writer.of(opt))
        return [opt, r.choice([group(writer, cls), {"params": leaf(writer)}, {"params": own(writer, opt)[:1]}, {}, []]) if r.random() < 0.3 else group(writer, cls)], {}
    if name == "load_state_dict":
        return [opt, state(writer, opt, torch.optim.Optimizer, [{}, {"state": {}, "param_groups": []}])], {}
    return [opt], {}


def state(writer, target, kind, odd):
    r = writer.random
    if r.random() < 0.08:
        return r.choice(odd)
    return StateOf(target.name if r.random() < 0.4 else newest(writer, kind).name)


def draw_scheduler_method(writer, name):
    r = writer.random
    scheduler = newest(writer, lr_scheduler.LRScheduler)
    if scheduler is None:
        return None
    if name == "load_state_dict":
        same = [n for n, v in writer.run.env.items() if type(v) is type(writer.of(scheduler))]
        return [scheduler, StateOf(r.choice(same))], {}
    if name != "step":
        return [scheduler], {}
    if isinstance(writer.of(scheduler), lr_scheduler.ReduceLROnPlateau):
        metric = r.choice([1.0, 0.5, 0.25, 1.5, float("nan"), 2.0])
        return [scheduler, scalar(writer, metric) if r.random() < 0.15 else metric] if r.random() < 0.96 else [scheduler], {}
    epoch = [r.choice([0, 1, 2, 5])] if r.random() < 0.08 else []
    return [scheduler, *epoch], {}


def draw_init(writer, name):
    r = writer.random
    shape = [r.choice([1, 2, 3, 4]) for _ in range(r.choices([0, 1, 2, 3, 4, 5], [1, 2, 8, 3, 2, 1])[0])]
    words = {"mode": ["fan_in", "fan_out", "x"], "nonlinearity": ["relu", "leaky_relu", "linear", "tanh", "selu", "sigmoid", "x"], "groups": [1, 2], "sparsity": [0.5, 0.1, 1.0], "val": [0.5, 2.0, -1.0], "a": [0.5, -0.5], "b": [2.0, 0.75], "param": [None, 0.1, "x"], "std": [0.02, 1.0, 0.5], "mean": [0.5, -2.0, 5.0], "gain": [0.5, 2.0]}
    fn = getattr(torch.nn.init, name)
    while hasattr(fn, "__wrapped__"):
        fn = fn.__wrapped__
    args, kwargs = [], {}
    for key, p in inspect.signature(getattr(torch.nn.init, f"{name}_", fn)).parameters.items():
        if key == "tensor":
            args.append(writer.tensor(shape, r.choice(FLOATS)))
        elif key in words and (p.default is p.empty or r.random() < 0.4):
            (args.append if p.default is p.empty else lambda v, k=key: kwargs.update({k: v}))(r.choice(words[key]))
    return args, kwargs


def draw_utils(writer, name):
    r = writer.random
    opt = optimizer(writer)
    params = own(writer, opt) if opt is not None and r.random() < 0.8 else [leaf(writer)]
    given = params[0] if len(params) == 1 and r.random() < 0.2 else params
    foreach = r.choice([{}, {"foreach": True}, {"foreach": False}])
    kinds = [2.0, 1.0, float("inf"), 3.0, 0.0, "x"] if r.random() < 0.1 else [2.0, 1.0, float("inf"), 3.0]
    match name:
        case "clip_grad_norm_":
            return [given, r.choice([0.1, 1.0, 5.0, 0.0])], {"norm_type": r.choice(kinds), "error_if_nonfinite": r.random() < 0.3, **foreach}
        case "clip_grad_value_":
            return [given, r.choice([0.1, 1.0, 5.0])], foreach
        case "clip_grads_with_norm_":
            return [given, r.choice([0.1, 1.0]), scalar(writer, r.choice([0.5, 2.0, 0.0]))], foreach
        case "get_total_norm":
            return [given], {"norm_type": r.choice(kinds), **foreach}
        case "parameters_to_vector":
            return [params], {}
    size = sum(writer.of(p).numel() for p in params)
    return [writer.tensor([size], torch.float32), params], {}


def draw_average(writer):
    """A module of two layers, and `n` updates of its average while its weights move."""
    r = writer.random
    kind = r.choice(["none", "ema", "ema_multi", "swa", "swa_multi"])
    return [kind, r.choice([0.9, 0.5, 0.999, 1.0, 1.5]), r.choice([1, 2, 3]), r.random() < 0.5], {}


def draw(writer, call):
    """`(args, kwargs)` of the step, or None where what it needs is not there."""
    place, _, name = call.partition(".")
    if call == "descend":
        opt = optimizer(writer)
        params = own(writer, opt) if opt is not None else []
        return ([writer.random.choice(["square", "quartic"]), params], {}) if params else None
    match place:
        case "optim":
            return draw_optim(writer, name)
        case "lr_scheduler" | "swa_utils":
            return draw_scheduler(writer, getattr(lr_scheduler if place == "lr_scheduler" else swa_utils, name))
        case "Optimizer":
            return draw_optimizer_method(writer, name)
        case "Scheduler":
            return draw_scheduler_method(writer, name)
        case "init":
            return draw_init(writer, name)
        case "utils":
            return draw_utils(writer, name)
    return draw_average(writer)
