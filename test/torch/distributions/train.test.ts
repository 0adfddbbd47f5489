/** Steps of training with distributions: tools/oracle/user_programs/distributions_train.py in TypeScript, line for line. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";
import { floats as t } from "./helpers.ts";

const D = torch.distributions as Any;
const nn = torch.nn as Any;
const optim = torch.optim as Any;

user_programs("distributions_train", {
  "a step of REINFORCE"({ say }) {
    torch.manual_seed(1);
    const policy = new nn.Sequential(new nn.Linear(4, 8), new nn.Tanh(), new nn.Linear(8, 3));
    const optimizer = new optim.Adam(policy.parameters(), { lr: 0.1 });
    const [state, rewards] = [torch.randn(5, 4), t([1, -1, 0.5, 2, 0])];
    for (let step = 0; step < 3; step++) {
      const m = new D.Categorical({ logits: policy(state) });
      const action = m.sample();
      const loss = m.log_prob(action).mul(rewards).mean().neg().sub(m.entropy().mean().mul(0.01));
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      say(action, loss, policy.get_parameter("0.bias").grad);
    }
  },

  "a step of a variational autoencoder"({ say }) {
    torch.manual_seed(2);
    const [encoder, decoder] = [new nn.Linear(6, 4).double(), new nn.Linear(2, 6).double()];
    const optimizer = new optim.SGD([...encoder.parameters(), ...decoder.parameters()], { lr: 0.5 });
    const x = torch.bernoulli(torch.full([3, 6], 0.4)).double();
    const prior = new D.Normal(torch.zeros(2).double(), 1);
    for (let step = 0; step < 3; step++) {
      const [mu, log_sigma] = encoder(x).chunk(2, -1);
      const q = new D.Independent(new D.Normal(mu, log_sigma.exp()), 1);
      const z = q.rsample();
      const likelihood = new D.Independent(new D.Bernoulli({ logits: decoder(z) }), 1).log_prob(x);
      const divergence = D.kl_divergence(q, new D.Independent(prior.expand([3, 2]), 1));
      const loss = divergence.sub(likelihood).mean();
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      say(z, loss, encoder.weight.grad);
    }
  },

  "a mixture density network"({ say }) {
    torch.manual_seed(3);
    const net = new nn.Linear(1, 9);
    const optimizer = new optim.Adam(net.parameters(), { lr: 0.05 });
    const x: Any = torch.linspace(-1, 1, 6).unsqueeze(-1);
    const y = x.squeeze(-1).pow(2);
    for (let step = 0; step < 3; step++) {
      const [logits, loc, log_scale] = net(x).chunk(3, -1);
      const mixture = new D.MixtureSameFamily(new D.Categorical({ logits }), new D.Normal(loc, log_scale.exp()));
      const loss = mixture.log_prob(y).mean().neg();
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      say(loss, net.bias.grad, mixture.mean, mixture.sample());
    }
  },

  "a squashed policy"({ say }) {
    torch.manual_seed(4);
    const head = new nn.Linear(3, 4);
    const [loc, log_scale] = head(torch.randn(2, 3)).chunk(2, -1);
    const squash = [new D.TanhTransform({ cache_size: 1 })];
    const policy = new D.Independent(new D.TransformedDistribution(new D.Normal(loc, log_scale.exp()), squash), 1);
    const action = policy.rsample();
    const loss = policy.log_prob(action).mul(0.2).sub(action.sum(-1)).mean();
    loss.backward();
    say(policy, action, loss, head.weight.grad);
  },
});
