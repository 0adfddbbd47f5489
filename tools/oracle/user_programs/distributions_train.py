# a step of REINFORCE
D = torch.distributions
torch.manual_seed(1)
policy = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.1)
state, rewards = torch.randn(5, 4), torch.tensor([1.0, -1.0, 0.5, 2.0, 0.0])
for step in range(3):
    m = D.Categorical(logits=policy(state))
    action = m.sample()
    loss = -(m.log_prob(action) * rewards).mean() - 0.01 * m.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    say(action, loss, policy.get_parameter('0.bias').grad)

# a step of a variational autoencoder
D = torch.distributions
torch.manual_seed(2)
encoder, decoder = nn.Linear(6, 4).double(), nn.Linear(2, 6).double()
optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.5)
x = torch.bernoulli(torch.full((3, 6), 0.4)).double()
for step in range(3):
    mu, log_sigma = encoder(x).chunk(2, -1)
    q = D.Independent(D.Normal(mu, log_sigma.exp()), 1)
    z = q.rsample()
    likelihood = D.Independent(D.Bernoulli(logits=decoder(z)), 1).log_prob(x)
    loss = (D.kl_divergence(q, D.Independent(D.Normal(torch.zeros(2).double(), 1).expand([3, 2]), 1)) - likelihood).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    say(z, loss, encoder.weight.grad)

# a mixture density network
D = torch.distributions
torch.manual_seed(3)
net = nn.Linear(1, 9)
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
x = torch.linspace(-1, 1, 6).unsqueeze(-1)
y = x.squeeze(-1) ** 2
for step in range(3):
    logits, loc, log_scale = net(x).chunk(3, -1)
    mixture = D.MixtureSameFamily(D.Categorical(logits=logits), D.Normal(loc, log_scale.exp()))
    loss = -mixture.log_prob(y).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    say(loss, net.bias.grad, mixture.mean, mixture.sample())

# a squashed policy
D = torch.distributions
torch.manual_seed(4)
head = nn.Linear(3, 4)
loc, log_scale = head(torch.randn(2, 3)).chunk(2, -1)
policy = D.Independent(D.TransformedDistribution(D.Normal(loc, log_scale.exp()), [D.TanhTransform(cache_size=1)]), 1)
action = policy.rsample()
loss = (0.2 * policy.log_prob(action) - action.sum(-1)).mean()
loss.backward()
say(policy, action, loss, head.weight.grad)
