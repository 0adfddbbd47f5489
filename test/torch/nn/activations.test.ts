/** The activations and their modules, beside PyTorch's: tools/oracle/user_programs/activations.py. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const { nn } = torch;
const F = nn.functional as Any;
const float = (...values: number[]): Any => torch.tensor(values, { dtype: torch.float32 });
const double = (...values: number[]): Any => torch.tensor(values, { dtype: torch.float64 });

user_programs("activations", {
  "how they print": ({ say }) => {
    say(new nn.ELU(), new nn.ELU(0.5, true), new nn.CELU({ inplace: true }), new nn.SELU(), new nn.SELU(true));
    say(
      ...[
        new nn.Softplus(),
        new nn.Softplus(0.5, 3.5),
        new nn.Hardtanh(),
        new nn.Hardtanh(-0.5, 2.5, { inplace: true }),
      ],
      ...[new nn.ReLU6(), new nn.ReLU6(true)],
    );
    say(
      ...[new nn.Hardsigmoid(true), new nn.Hardswish(), new nn.Softshrink(), new nn.Hardshrink(1.5)],
      ...[new nn.Mish(), new nn.Mish(true), new nn.LogSigmoid()],
    );
    say(
      ...[
        new nn.Softsign(),
        new nn.Tanhshrink(),
        new nn.GLU(),
        new nn.GLU(1),
        new nn.RReLU(),
        new nn.RReLU(0.25, 0.5, true),
      ],
      ...[new nn.Softmin(), new nn.Softmin(1), new nn.Softmax2d()],
    );
  },
  "what they refuse": ({ fails }) => {
    const x = torch.ones(3);
    fails(() => new nn.Hardtanh(1.5, 1.5));
    fails(() => new nn.Hardtanh({ min_value: 0.5, max_value: 0.25 }));
    fails(() => F.hardtanh(x, 2, 1));
    fails(() => F.hardtanh(x.gt(0)));
    fails(() => F.hardtanh(torch.ones(3, { dtype: torch.uint8 }), -1, 1));
    fails(() => F.celu(x, 0));
    fails(() => F.softshrink(x, -0.5));
    fails(() => F.softshrink(x.half(), 1e6));
    fails(() => F.softshrink(x.long()));
    fails(() => F.glu(x));
    fails(() => F.glu((x as Any).__getitem__(0)));
    fails(() => F.glu(x, 3));
    fails(() => F.rrelu(x, 0.5, 0.25));
    fails(() => F.rrelu(x, Number.NaN));
    fails(() => F.rrelu(x.half(), { training: true }));
    fails(() => F.rrelu(x.neg(), 0.5, 0.25, true, true));
    fails(() => new nn.Softmax2d()(x));
    fails(() => F.elu(x.long()));
  },
  "rrelu draws": ({ say }) => {
    const x = float(-1.5, 0.5, -0.25, 0, -3);
    torch.manual_seed(3);
    say(F.rrelu(x, { training: true }));
    say(F.rrelu(x.double(), 0.25, 0.75, { training: true }));
    say(F.rrelu(x.bfloat16(), { training: true }));
    say(F.rrelu(x));
    const m = new nn.RReLU(0.5, 1);
    say(m(x.reshape(5, 1).expand(5, 2).t()));
    say(m.eval()(x));
    const y = x.clone().requires_grad_();
    const noise = torch.ones(5);
    (torch.ops.aten as Any).rrelu_with_noise(y, noise, 0.125, 0.5, true).sum().backward();
    say(noise, y.grad);
    say(torch.rand(1));
  },
  "in place, then backward": ({ say, fails }) => {
    for (const f of [F.elu_, F.celu_, F.selu_, F.hardtanh_, F.relu_]) {
      const x = float(-1.5, 0.5, 2.5).requires_grad_();
      const y = x.mul(1);
      const z = f(y);
      say(z === y, z.grad_fn.name());
      z.backward(float(1, 2, 3));
      say(z.detach(), x.grad);
    }
    const x = torch.ones(2, { requires_grad: true }).mul(1);
    const y = F.elu(x, -0.5, { inplace: true });
    fails(() => y.sum().backward());
  },
  "the second gradient": ({ say, fails }) => {
    const names = "elu celu selu softplus mish logsigmoid hardswish hardtanh softshrink hardshrink softsign tanhshrink";
    for (const name of names.split(" ")) {
      const x = double(-2.5, -0.25, 0.75, 3.5).requires_grad_();
      const [g] = torch.autograd.grad(F[name](x).sum(), x, { create_graph: true }) as Any;
      say(name, g.detach());
      if (g.requires_grad) say((torch.autograd.grad(g.square().sum(), x, { allow_unused: true }) as Any)[0]);
    }
    const x = double(-2.5, -0.25, 0.75, 3.5).requires_grad_();
    const [g] = torch.autograd.grad(F.glu(x), x, double(1, 2), { create_graph: true }) as Any;
    say(g.detach(), (torch.autograd.grad(g.square().sum(), x) as Any)[0]);
    const [slope] = torch.autograd.grad(F.hardsigmoid(x).sum(), x, { create_graph: true }) as Any;
    fails(() => torch.autograd.grad(slope.sum(), x));
  },
});
