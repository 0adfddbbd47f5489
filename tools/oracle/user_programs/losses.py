# how they print
say(nn.L1Loss(), nn.MSELoss(reduction="sum"), nn.SmoothL1Loss(beta=0.5), nn.HuberLoss(), nn.BCELoss(), nn.BCEWithLogitsLoss(pos_weight=torch.ones(2)))
say(nn.KLDivLoss(reduction="batchmean"), nn.PoissonNLLLoss(), nn.GaussianNLLLoss(), nn.SoftMarginLoss(), nn.HingeEmbeddingLoss(), nn.MarginRankingLoss())
say(nn.CosineEmbeddingLoss(), nn.MultiMarginLoss(), nn.MultiLabelMarginLoss(), nn.MultiLabelSoftMarginLoss())
say(list(nn.BCEWithLogitsLoss(pos_weight=torch.ones(2)).state_dict()), list(nn.BCELoss(torch.ones(2)).state_dict()), list(nn.MSELoss().state_dict()))

# what they refuse
f = nn.functional
x = torch.tensor([[0.25, 0.5, 0.75], [0.5, 0.125, 0.25]])
y = torch.tensor([0, 2])
fails(lambda: nn.MSELoss(reduction="most")(x, x))
fails(lambda: nn.HuberLoss(delta="1"))
fails(lambda: f.huber_loss(x, x, delta=0.0))
fails(lambda: f.smooth_l1_loss(x, x, beta=-1.0))
fails(lambda: f.mse_loss(x, x, weight=x[0]))
fails(lambda: f.mse_loss(x, x[:, :2]))
fails(lambda: f.binary_cross_entropy(x, x[:1]))
fails(lambda: f.binary_cross_entropy(x + 1, x))
fails(lambda: f.binary_cross_entropy(x, x - 1))
fails(lambda: f.binary_cross_entropy_with_logits(x, x[:1]))
fails(lambda: f.kl_div(y, y, reduction="sum"))
fails(lambda: f.gaussian_nll_loss(x, x, -x))
fails(lambda: f.gaussian_nll_loss(x, x, x[:, :2]))
fails(lambda: f.gaussian_nll_loss(x, x, x, reduction="most"))
fails(lambda: f.margin_ranking_loss(x, x, x[0]))
fails(lambda: f.cosine_embedding_loss(x, x, x))
fails(lambda: f.cosine_embedding_loss(x[0], x[0], y))
fails(lambda: f.multi_margin_loss(x, y, p=3))
fails(lambda: f.multi_margin_loss(x, y, weight=x))
fails(lambda: f.multi_margin_loss(x, y[:1]))
fails(lambda: f.multi_margin_loss(x, y + 1))
fails(lambda: f.multi_margin_loss(x, y, weight=x[0, :2]))
fails(lambda: nn.MultiMarginLoss(3))
fails(lambda: nn.MultiMarginLoss(weight=x))
fails(lambda: f.multilabel_margin_loss(x, torch.tensor([[0, 3, -1], [1, -1, -1]])))
fails(lambda: f.multilabel_margin_loss(x, y))
fails(lambda: f.multilabel_soft_margin_loss(x, x, reduction="most"))

# what they warn of
x = torch.tensor([[0.25, 0.5, 0.75], [0.5, 0.125, 0.25]])
say(nn.functional.l1_loss(x, x[:1]))
say(nn.functional.mse_loss(x, x * 2, size_average=False))
say(nn.L1Loss(size_average=True, reduce=False).reduction)
say(nn.functional.kl_div(x.log(), 1 - x))

# the loss and its gradients, once and twice
f = nn.functional
def both(name, args, **kwargs):
    for reduction in ("none", "mean", "sum"):
        given = [a.clone().requires_grad_() if a.is_floating_point() else a for a in args]
        wanted = [a for a in given if a.requires_grad]
        loss = getattr(f, name)(*given, reduction=reduction, **kwargs)
        say(name, reduction, loss.detach(), type(loss.grad_fn).__name__)
        grads = torch.autograd.grad(loss.square().sum(), wanted, create_graph=True, allow_unused=True)
        say(*[None if g is None else g.detach() for g in grads])
        total = sum(g.square().sum() for g in grads if g is not None)
        if total.requires_grad:
            say(*torch.autograd.grad(total, wanted, allow_unused=True))
x = torch.tensor([[0.25, 0.5, 0.75], [0.5, 0.125, 0.375]], dtype=torch.float64)
y = torch.tensor([[0.75, 0.625, 0.125], [0.25, 0.75, 0.5]], dtype=torch.float64)
sign = torch.tensor([[1, -1, 1], [-1, -1, 1]])
both("mse_loss", [x, y])
both("l1_loss", [x, y])
both("smooth_l1_loss", [x, y], beta=0.3)
both("huber_loss", [x, y], delta=0.3)
both("binary_cross_entropy", [x, y], weight=y + 1)
both("binary_cross_entropy_with_logits", [x, y], weight=y + 1, pos_weight=x[0])
both("soft_margin_loss", [x, sign])
both("poisson_nll_loss", [x, y * 4], full=True)
both("gaussian_nll_loss", [x, y, x + y], full=True)
both("hinge_embedding_loss", [x, sign])
both("margin_ranking_loss", [x, y, sign], margin=0.5)
both("cosine_embedding_loss", [x, y, sign[0, :2]], margin=0.5)
both("multilabel_soft_margin_loss", [x, y])

# margins have one gradient
f = nn.functional
x = torch.tensor([[0.25, 0.5, 0.75], [0.5, 0.125, 0.375]], dtype=torch.float64, requires_grad=True)
for p in (1, 2):
    for reduction in ("none", "mean", "sum"):
        loss = f.multi_margin_loss(x, torch.tensor([0, 2]), p=p, margin=0.4, weight=torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64), reduction=reduction)
        say(loss.detach(), torch.autograd.grad(loss.square().sum(), x)[0])
for reduction in ("none", "mean", "sum"):
    loss = f.multilabel_margin_loss(x, torch.tensor([[2, 0, -1], [1, -1, 0]]), reduction=reduction)
    say(loss.detach(), torch.autograd.grad(loss.square().sum(), x)[0])
g = torch.autograd.grad(f.multi_margin_loss(x, torch.tensor([0, 2])), x, create_graph=True)[0]
fails(lambda: g.sum().backward())
