# losses of all reductions, and the gradient
F = nn.functional
torch.manual_seed(0)
x = torch.randn(6, 3, 5, dtype=torch.float64, requires_grad=True)
log_probs = x.log_softmax(2)
targets = torch.tensor([[1, 2, 2], [3, 3, 4], [4, 1, 1]])
for reduction in ("none", "mean", "sum"):
    for lengths in (([6, 5, 6], [3, 2, 0]), (torch.tensor([6, 6, 4]), torch.tensor([1, 3, 2]))):
        loss = F.ctc_loss(log_probs, targets, *lengths, reduction=reduction)
        say(loss, loss.grad_fn.name(), torch.autograd.grad(loss.sum(), x, retain_graph=True)[0][:, 1].contiguous())
say(F.ctc_loss(log_probs, torch.tensor([1, 2, 2, 3, 3]), [6, 5, 6], [3, 2, 0], 4, "none"))
say(F.ctc_loss(log_probs.float(), targets.int(), [6, 5, 6], [3, 2, 0]))
say(nn.CTCLoss(blank=4, reduction="sum")(log_probs[:, 0], targets[0], [6], [3]), nn.CTCLoss(reduction="none")(log_probs[:, 0], targets[0], [6], [3]))
say(nn.CTCLoss())

# a target that cannot be read
F = nn.functional
x = torch.linspace(-1, 1, 24, dtype=torch.float64).reshape(4, 2, 3).requires_grad_()
targets = torch.tensor([[1, 1, 2], [1, 2, 1]])
for zero_infinity in (False, True):
    loss = F.ctc_loss(x.log_softmax(2), targets, [3, 4], [3, 3], reduction="none", zero_infinity=zero_infinity)
    say(loss, torch.autograd.grad(loss[1], x)[0])
say(F.ctc_loss(x.log_softmax(2), targets, [0, 4], [0, 3], reduction="none"), F.ctc_loss(x.log_softmax(2), targets, [0, 4], [1, 3], reduction="none", zero_infinity=True))
say(list(torch._ctc_loss(x.log_softmax(2).detach(), targets, [4, 4], [3, 3], 0, True)))

# what ctc_loss refuses
lp = torch.zeros(5, 2, 4).log_softmax(2)
t = torch.tensor([[1, 2], [2, 3]])
fails(lambda: torch.ctc_loss(lp.half(), t, [5, 5], [2, 2]))
fails(lambda: torch.ctc_loss(lp.int(), t, [5, 5], [2, 2]))
fails(lambda: torch.ctc_loss(lp, t, [5, 5], [2, 2], 4))
fails(lambda: torch.ctc_loss(lp, t, [5, 5], [2, 2], -1))
fails(lambda: torch.ctc_loss(lp, t, [5], [2, 2]))
fails(lambda: torch.ctc_loss(lp, t, [5, 5], [2]))
fails(lambda: torch.ctc_loss(lp, t, [6, 5], [2, 2]))
fails(lambda: torch.ctc_loss(lp, t, [-1, 5], [2, 2]))
fails(lambda: torch.ctc_loss(lp, t, [5, 5], [-1, 2]))
fails(lambda: torch.ctc_loss(lp, t, [5, 5], [2, 3]))
fails(lambda: torch.ctc_loss(lp, t[0], [5, 5], [2, 2]))
fails(lambda: torch.ctc_loss(lp, t[None], [5, 5], [2, 2]))
fails(lambda: torch.ctc_loss(lp[0, 0], t, [5, 5], [2, 2]))
fails(lambda: torch.ctc_loss(lp, t[:1], [5, 5], [2, 2]))
fails(lambda: torch.ctc_loss(lp, t, torch.tensor([5.0, 5.0]), torch.tensor([2, 2])))
fails(lambda: torch.ctc_loss(lp, t, torch.tensor([5, 5]), torch.tensor([2.0, 2.0])))
fails(lambda: torch._ctc_loss(lp, t.float(), [5, 5], [2, 2]))
fails(lambda: torch.ctc_loss(lp[:, :0], t[:0], [], []))
fails(lambda: nn.functional.ctc_loss(lp, t, [5, 5], [2, 2], reduction="x"))
fails(lambda: torch._ctc_loss(lp.to("meta"), t.to("meta"), [5, 5], [2, 9]))
say([list(r.shape) for r in torch._ctc_loss(lp.to("meta"), t.to("meta"), [5, 5], [2, 1])])
