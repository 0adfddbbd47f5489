/** The losses and their modules, beside PyTorch's: tools/oracle/user_programs/losses.py. */
import torch, { type Tensor } from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { type Said, user_programs } from "../../helpers/user_programs.ts";

const { nn } = torch;
const F = nn.functional as Any;
const at = (x: Tensor, ...index: Any[]): Any => (x as Any).__getitem__(index.length === 1 ? index[0] : index);
const float64 = { dtype: torch.float64 };
const rows = (): Any =>
  torch.tensor([
    [0.25, 0.5, 0.75],
    [0.5, 0.125, 0.25],
  ]);
const reductions = ["none", "mean", "sum"];

/** A loss by all reductions: itself, its gradients, and the gradients of these. */
function both(say: Said["say"], name: string, args: Tensor[], kwargs: Any = {}): void {
  for (const reduction of reductions) {
    const given = args.map((a) => (a.is_floating_point() ? a.clone().requires_grad_() : a));
    const wanted = given.filter((a) => a.requires_grad);
    const loss = F[name](...given, { reduction, ...kwargs });
    say(name, reduction, loss.detach(), loss.grad_fn.name());
    const grads = torch.autograd.grad(loss.square().sum(), wanted, { create_graph: true, allow_unused: true }) as Any[];
    say(...grads.map((g) => (g === null ? null : g.detach())));
    const total = grads.filter((g) => g !== null).reduce((sum, g) => g.square().sum().add(sum), 0);
    if (total.requires_grad) say(...(torch.autograd.grad(total, wanted, { allow_unused: true }) as Any[]));
  }
}

user_programs("losses", {
  "how they print": ({ say }) => {
    say(
      ...[
        new nn.L1Loss(),
        new nn.MSELoss({ reduction: "sum" }),
        new nn.SmoothL1Loss({ beta: 0.5 }),
        new nn.HuberLoss(),
      ],
      ...[new nn.BCELoss(), new nn.BCEWithLogitsLoss({ pos_weight: torch.ones(2) })],
    );
    say(
      ...[new nn.KLDivLoss({ reduction: "batchmean" as Any }), new nn.PoissonNLLLoss(), new nn.GaussianNLLLoss()],
      ...[new nn.SoftMarginLoss(), new nn.HingeEmbeddingLoss(), new nn.MarginRankingLoss()],
    );
    say(
      ...[new nn.CosineEmbeddingLoss(), new nn.MultiMarginLoss()],
      ...[new nn.MultiLabelMarginLoss(), new nn.MultiLabelSoftMarginLoss()],
    );
    const keys = (m: Any): string[] => [...m.state_dict().keys()];
    say(
      keys(new nn.BCEWithLogitsLoss({ pos_weight: torch.ones(2) })),
      keys(new nn.BCELoss(torch.ones(2))),
      keys(new nn.MSELoss()),
    );
  },
  "what they refuse": ({ fails }) => {
    const x = rows();
    const y = torch.tensor([0, 2]);
    fails(() => new nn.MSELoss({ reduction: "most" as Any })(x, x));
    fails(() => new nn.HuberLoss({ delta: "1" as Any }));
    fails(() => F.huber_loss(x, x, { delta: 0 }));
    fails(() => F.smooth_l1_loss(x, x, { beta: -1 }));
    fails(() => F.mse_loss(x, x, { weight: at(x, 0) }));
    fails(() => F.mse_loss(x, x.narrow(1, 0, 2)));
    fails(() => F.binary_cross_entropy(x, x.narrow(0, 0, 1)));
    fails(() => F.binary_cross_entropy(x.add(1), x));
    fails(() => F.binary_cross_entropy(x, x.sub(1)));
    fails(() => F.binary_cross_entropy_with_logits(x, x.narrow(0, 0, 1)));
    fails(() => F.kl_div(y, y, { reduction: "sum" }));
    fails(() => F.gaussian_nll_loss(x, x, x.neg()));
    fails(() => F.gaussian_nll_loss(x, x, x.narrow(1, 0, 2)));
    fails(() => F.gaussian_nll_loss(x, x, x, { reduction: "most" }));
    fails(() => F.margin_ranking_loss(x, x, at(x, 0)));
    fails(() => F.cosine_embedding_loss(x, x, x));
    fails(() => F.cosine_embedding_loss(at(x, 0), at(x, 0), y));
    fails(() => F.multi_margin_loss(x, y, { p: 3 }));
    fails(() => F.multi_margin_loss(x, y, { weight: x }));
    fails(() => F.multi_margin_loss(x, y.narrow(0, 0, 1)));
    fails(() => F.multi_margin_loss(x, y.add(1)));
    fails(() => F.multi_margin_loss(x, y, { weight: at(x, 0).narrow(0, 0, 2) }));
    fails(() => new nn.MultiMarginLoss(3));
    fails(() => new nn.MultiMarginLoss({ weight: x }));
    const labels = torch.tensor([
      [0, 3, -1],
      [1, -1, -1],
    ]);
    fails(() => F.multilabel_margin_loss(x, labels));
    fails(() => F.multilabel_margin_loss(x, y));
    fails(() => F.multilabel_soft_margin_loss(x, x, { reduction: "most" }));
  },
  "what they warn of": ({ say }) => {
    const x = rows();
    say(F.l1_loss(x, x.narrow(0, 0, 1)));
    say(F.mse_loss(x, x.mul(2), { size_average: false }));
    say(new nn.L1Loss({ size_average: true, reduce: false }).reduction);
    say(F.kl_div(x.log(), torch.rsub(x, 1)));
  },
  "the loss and its gradients, once and twice": ({ say }) => {
    const x = torch.tensor([[0.25, 0.5, 0.75], [0.5, 0.125, 0.375]], float64); // biome-ignore format: two rows
    const y = torch.tensor([[0.75, 0.625, 0.125], [0.25, 0.75, 0.5]], float64); // biome-ignore format: two rows
    const sign = torch.tensor([[1, -1, 1], [-1, -1, 1]]); // biome-ignore format: two rows
    both(say, "mse_loss", [x, y]);
    both(say, "l1_loss", [x, y]);
    both(say, "smooth_l1_loss", [x, y], { beta: 0.3 });
    both(say, "huber_loss", [x, y], { delta: 0.3 });
    both(say, "binary_cross_entropy", [x, y], { weight: y.add(1) });
    both(say, "binary_cross_entropy_with_logits", [x, y], { weight: y.add(1), pos_weight: at(x, 0) });
    both(say, "soft_margin_loss", [x, sign]);
    both(say, "poisson_nll_loss", [x, y.mul(4)], { full: true });
    both(say, "gaussian_nll_loss", [x, y, x.add(y)], { full: true });
    both(say, "hinge_embedding_loss", [x, sign]);
    both(say, "margin_ranking_loss", [x, y, sign], { margin: 0.5 });
    both(say, "cosine_embedding_loss", [x, y, at(sign, 0).narrow(0, 0, 2)], { margin: 0.5 });
    both(say, "multilabel_soft_margin_loss", [x, y]);
  },
  "margins have one gradient": ({ say, fails }) => {
    const x = torch.tensor([[0.25, 0.5, 0.75], [0.5, 0.125, 0.375]], { ...float64, requires_grad: true }); // biome-ignore format: two rows
    const y = torch.tensor([0, 2]);
    const weight = torch.tensor([1, 2, 3], float64);
    const told = (loss: Any): void => say(loss.detach(), (torch.autograd.grad(loss.square().sum(), x) as Any)[0]);
    for (const p of [1, 2])
      for (const reduction of reductions) told(F.multi_margin_loss(x, y, { p, margin: 0.4, weight, reduction }));
    const labels = torch.tensor([[2, 0, -1], [1, -1, 0]]); // biome-ignore format: two rows
    for (const reduction of reductions) told(F.multilabel_margin_loss(x, labels, { reduction }));
    const [g] = torch.autograd.grad(F.multi_margin_loss(x, y), x, { create_graph: true }) as Any;
    fails(() => g.sum().backward());
  },
});
