"""Records what PyTorch's optimizers and schedulers of the learning rate do over a few steps.

    python tools/oracle/record_optim.py test/fixtures/optim/optim.json.gz

The configurations and the constructor errors are those of PyTorch's own suite (torch.testing._internal.common_optimizers). Every optimizer
takes five steps from the same parameters along the same gradients; kept are the parameters after steps 1 and 5, `state_dict()` after the
last, and the repr. Schedulers run over SGD with momentum, for one group and for two: learning rate and momentum before the first and after
each of their steps.
"""

import base64
import gzip
import json
import sys
import warnings

import torch
from torch import optim
from torch.optim import lr_scheduler, swa_utils
from torch.testing._internal.common_optimizers import optim_db

torch.manual_seed(0)
torch.set_num_threads(1)
warnings.simplefilter("ignore")

SHAPES = {"all": [(3, 4), (5,), (2, 2, 3), ()], "Adafactor": [(4, 3), (5,), (2, 2, 3)], "Muon": [(3, 4), (4, 2), (3, 3)]}
DATA = {k: [torch.randn(s, dtype=torch.float64) for s in shapes] for k, shapes in SHAPES.items()}
GRADS = {k: [[torch.randn(s, dtype=torch.float64) for s in shapes] for _ in range(5)] for k, shapes in SHAPES.items()}
IDS = {}  # of the parameters of one call: the same parameter twice has one number
LAMBDAS = {"pow95": lambda e: 0.95**e, "third": lambda e: 1 / (1 + e // 3), "nine_tenths": lambda e: 0.9, "halves": lambda x: 0.5 ** (x - 1)}


def encode(v):
    if isinstance(v, torch.nn.Parameter):
        return {"$param": [IDS.setdefault(id(v), len(IDS)), list(v.shape)]}
    if isinstance(v, torch.Tensor):
        data = v.detach().contiguous()
        raw = data.numpy().tobytes() if data.dtype != torch.bfloat16 else data.view(torch.int16).numpy().tobytes()
        return {"$t": [str(v.dtype)[6:], list(data.shape), list(data.stride()), 0, base64.b64encode(raw).decode()]}
    if isinstance(v, tuple):
        return {"$tuple": [encode(x) for x in v]}
    if isinstance(v, list):
        return [encode(x) for x in v]
    if isinstance(v, dict):
        return {str(k): encode(x) for k, x in v.items()}
    if isinstance(v, float) and v.is_integer():
        return {"$f": repr(v)}
    return v


def optimizer_case(cls, kw, dtype=torch.float32, two_groups=False):
    key = cls.__name__ if cls.__name__ in SHAPES else "all"
    leaves = params = [torch.nn.Parameter(d.to(dtype, copy=True)) for d in DATA[key]]
    if kw.get("differentiable"):
        params = [leaf.clone() for leaf in leaves]
    half = len(params) // 2
    groups = [{"params": params[:half], "lr": 0.05}, {"params": params[half:], "weight_decay": 0.02}]
    encoded = encode(kw)
    if cls is optim.Rprop:
        groups[1].pop("weight_decay")
    opt = cls(groups if two_groups else params, **kw)
    case = {"optimizer": cls.__name__, "key": key, "dtype": str(dtype)[6:], "kw": encoded, "two_groups": two_groups, "repr": repr(opt), "after": {}}

    def closure():
        opt.zero_grad()
        loss = sum(((p - g.to(dtype)) ** 2 * (1 + i)).sum() for i, (p, g) in enumerate(zip(params, GRADS[key][0])))
        loss.backward()
        return loss

    for step in range(1, 6):
        if cls is optim.LBFGS:
            opt.step(closure)
        else:
            for p, g in zip(params, GRADS[key][step - 1]):
                p.grad = g.to(dtype)
            opt.step()
        if step in (1, 5):
            case["after"][step] = [encode(p.data) for p in params]
    if kw.get("differentiable"):
        try:
            case["leaf_grads"] = [encode(g) for g in torch.autograd.grad(sum((p * p).sum() for p in params), leaves)]
        except RuntimeError as error:
            case["leaf_grads"] = str(error).split(":")[0]
    state = opt.state_dict()
    if cls is optim.LBFGS:
        state["state"] = {k: {n: v for n, v in s.items() if n in ("func_evals", "n_iter")} for k, s in state["state"].items()}
    case["state_dict"] = encode(state)
    return case


optimizers, errors = [], []
for info in optim_db:
    cls = info.optim_cls
    if cls is optim.SparseAdam:
        continue
    for i, given in enumerate(info.optim_inputs_func("cpu")):
        optimizers.append(optimizer_case(cls, given.kwargs))
        for impl in ("foreach", "fused"):
            tensor_lr = isinstance(given.kwargs.get("lr"), torch.Tensor)
            if impl in info.supported_impls and not (impl == "foreach" and tensor_lr):
                optimizers.append(optimizer_case(cls, {**given.kwargs, impl: True}))
        if i == 0:
            optimizers.append(optimizer_case(cls, given.kwargs, torch.float64, cls is not optim.LBFGS))
            if "foreach" in info.supported_impls:
                optimizers.append(optimizer_case(cls, {**given.kwargs, "foreach": True}, torch.float64, True))
            if "differentiable" in info.supported_impls:
                optimizers.append(optimizer_case(cls, {**given.kwargs, "differentiable": True}, torch.float64))
    for given in info.optim_error_inputs_func("cpu", torch.float32):
        given = given.optimizer_error_input
        params = given.params if given.params is not None else [torch.nn.Parameter(torch.zeros(1))]
        IDS.clear()
        record = {"optimizer": cls.__name__, "params": encode(params), "kw": encode(given.kwargs)}
        try:
            cls(params, **given.kwargs)
        except Exception as error:
            errors.append({**record, "type": type(error).__name__, "message": str(error)})


def scheduler_case(name, kw, groups, parts=(), steps=14, last_epoch=None, metrics=None):
    opt = optim.SGD([{"params": [torch.nn.Parameter(torch.zeros(1))], "lr": lr} for lr in groups], lr=0.1, momentum=0.9)
    given = {k: LAMBDAS[v["$lambda"]] if isinstance(v, dict) else v for k, v in kw.items()}
    cls = getattr(swa_utils if name == "SWALR" else lr_scheduler, name)
    case = {"scheduler": name, "kw": encode(kw), "groups": groups, "parts": [[n, encode(k)] for n, k in parts], "metrics": metrics}
    try:
        schedulers = [getattr(lr_scheduler, n)(opt, **k) for n, k in parts]
        if name == "SequentialLR":
            scheduler = cls(opt, schedulers, **given)
        elif name == "ChainedScheduler":
            scheduler = cls(schedulers, **given)
        else:
            scheduler = cls(opt, **given)
        now = lambda: [[g["lr"], g["momentum"]] for g in opt.param_groups]  # noqa: E731
        lrs = [now()]
        for k in range(steps):
            opt.step()
            scheduler.step(*([metrics[k]] if metrics else []))
            lrs.append(now())
        case |= {"lrs": lrs, "last_lr": scheduler.get_last_lr(), "state": sorted(scheduler.state_dict())}
    except Exception as error:
        case |= {"type": type(error).__name__, "message": str(error)}
    schedulers_.append(case)


schedulers_ = []
L = {n: {"$lambda": n} for n in LAMBDAS}
for groups in ([0.1], [0.2, 0.05]):
    for name, kws in {
        "LambdaLR": [{"lr_lambda": L["pow95"]}, {"lr_lambda": L["third"]}],
        "MultiplicativeLR": [{"lr_lambda": L["nine_tenths"]}],
        "StepLR": [{"step_size": 3}, {"step_size": 4, "gamma": 0.5}],
        "MultiStepLR": [{"milestones": [2, 5, 5, 9]}, {"milestones": [9, 3], "gamma": 0.3}],
        "ConstantLR": [{}, {"factor": 0.5, "total_iters": 3}, {"factor": 1.5}],
        "LinearLR": [{}, {"start_factor": 0.1, "end_factor": 0.8, "total_iters": 10}, {"start_factor": 0}, {"end_factor": 2.0}],
        "ExponentialLR": [{"gamma": 0.9}],
        "PolynomialLR": [{}, {"total_iters": 10, "power": 2.0}],
        "CosineAnnealingLR": [{"T_max": 10}, {"T_max": 4, "eta_min": 0.01}],
        "CosineAnnealingWarmRestarts": [{"T_0": 4}, {"T_0": 2, "T_mult": 2, "eta_min": 0.01}, {"T_0": 0}, {"T_0": 4, "T_mult": 0}],
        "CyclicLR": [
            {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 4},
            {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 3, "step_size_down": 5, "mode": "triangular2"},
            {"base_lr": 0.05, "max_lr": 0.5, "step_size_up": 4, "mode": "exp_range", "gamma": 0.95},
            {"base_lr": 0.01, "max_lr": 0.2, "step_size_up": 3, "scale_fn": L["halves"], "base_momentum": 0.7, "max_momentum": 0.95},
            {"base_lr": 0.01, "max_lr": 0.2, "step_size_up": 3, "scale_fn": L["nine_tenths"], "scale_mode": "iterations", "cycle_momentum": False},
            {"base_lr": 0.01, "max_lr": 0.2, "mode": "round"},
            {"base_lr": [0.01, 0.02, 0.03], "max_lr": 0.2},
        ],
        "OneCycleLR": [
            {"max_lr": 0.3, "total_steps": 14},
            {"max_lr": 0.3, "total_steps": 15, "anneal_strategy": "linear", "pct_start": 0.4},
            {"max_lr": 0.3, "epochs": 4, "steps_per_epoch": 4, "three_phase": True, "cycle_momentum": False},
            {"max_lr": 0.3, "total_steps": 10},
            {"max_lr": 0.3},
            {"max_lr": 0.3, "total_steps": -1},
            {"max_lr": 0.3, "total_steps": 5, "anneal_strategy": "step"},
        ],
    }.items():
        for kw in kws:
            scheduler_case(name, kw, groups)
    losses = [1.0, 0.95, 0.94, 0.93, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.6, 0.7, 0.1]
    for kw in [
        {"patience": 1, "factor": 0.5, "cooldown": 1, "min_lr": 0.02, "threshold": 0.1},
        {"patience": 0, "mode": "max", "threshold_mode": "abs", "threshold": 0.01},
        {"patience": 2, "threshold_mode": "abs"},
        {"patience": 0, "mode": "max"},
        {"factor": 1.0},
        {"mode": "up"},
        {"threshold_mode": "up"},
        {"min_lr": [0.1, 0.1, 0.1]},
    ]:
        scheduler_case("ReduceLROnPlateau", kw, groups, metrics=losses)
    three = [("LinearLR", {"start_factor": 0.01, "total_iters": 5}), ("CosineAnnealingLR", {"T_max": 10}), ("StepLR", {"step_size": 2})]
    scheduler_case("SequentialLR", {"milestones": [5, 10]}, groups, three)
    scheduler_case("SequentialLR", {"milestones": [3, 6]}, groups, [("ConstantLR", {"factor": 0.1}), ("ExponentialLR", {"gamma": 0.9}), ("PolynomialLR", {})])
    scheduler_case("SequentialLR", {"milestones": [3]}, groups, three)
    scheduler_case("SequentialLR", {"milestones": []}, groups, [])
    scheduler_case("ChainedScheduler", {}, groups, [("LinearLR", {"total_iters": 6}), ("StepLR", {"step_size": 4, "gamma": 0.5})])
    scheduler_case("ChainedScheduler", {}, groups, [("ConstantLR", {}), ("ExponentialLR", {"gamma": 0.9}), ("CosineAnnealingLR", {"T_max": 4})])
    scheduler_case("ChainedScheduler", {}, groups, [("ReduceLROnPlateau", {})])
    scheduler_case("ChainedScheduler", {}, groups, [])

for groups in ([0.1], [0.2, 0.05]):
    for kw in [{"swa_lr": 0.01}, {"swa_lr": 0.5, "anneal_epochs": 4, "anneal_strategy": "linear"}, {"swa_lr": 0.02, "anneal_epochs": 0}, {"swa_lr": 0.02, "anneal_epochs": -1}, {"swa_lr": [0.1, 0.2, 0.3]}, {"swa_lr": 0.02, "anneal_strategy": "step"}]:
        scheduler_case("SWALR", kw, groups)

averages = []
STEPS = [[torch.randn(2, 3), torch.randn(2), torch.randn(4), torch.tensor(3 * i)] for i in range(4)]
for kw in [{}, {"avg_fn": "get_ema_avg_fn"}, {"avg_fn": "get_swa_avg_fn"}, {"multi_avg_fn": "get_ema_multi_avg_fn"}, {"multi_avg_fn": "get_swa_multi_avg_fn"}]:
    for use_buffers in (False, True):
        model = torch.nn.Linear(3, 2)
        model.register_buffer("seen", torch.zeros(4))
        if not use_buffers:
            model.register_buffer("count", torch.tensor(0))
        given = {k: getattr(swa_utils, v)(*([0.75] if "ema" in v else [])) for k, v in kw.items()}
        averaged = swa_utils.AveragedModel(model, use_buffers=use_buffers, **given)
        for values in STEPS:
            with torch.no_grad():
                for t, v in zip(list(model.parameters()) + list(model.buffers()), values):
                    t.copy_(v)
            averaged.update_parameters(model)
        averages.append({"kw": kw, "use_buffers": use_buffers, "state": encode(averaged.state_dict())})

out = {
    "torch": torch.__version__.split("+")[0],
    "data": {k: encode(v) for k, v in DATA.items()},
    "grads": {k: encode(v) for k, v in GRADS.items()},
    "optimizers": optimizers,
    "errors": errors,
    "schedulers": schedulers_,
    "steps": encode(STEPS),
    "averages": averages,
}
with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as f:
    f.write(json.dumps(out, separators=(",", ":")).encode())
print(len(optimizers), "optimizers,", len(errors), "errors,", len(schedulers_), "schedulers")
