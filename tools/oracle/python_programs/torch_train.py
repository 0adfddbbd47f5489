# Nets of eight kinds in training. Each program prints the losses of its steps; the test compares them within a tolerance.

# ---- perceptron with SGD
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
x = torch.rand(64, 2) * 2 - 1
y = (x[:, :1] * x[:, 1:]).sign()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(40):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    print(loss.item())

# ---- batch norm and dropout, batches from a loader, a schedule
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(1)
x = torch.randn(60, 4)
y = (x.sum(1) > 0).long() + (x[:, 0] > 1).long()
net = nn.Sequential(nn.Linear(4, 12), nn.BatchNorm1d(12), nn.LeakyReLU(0.1), nn.Dropout(0.2), nn.Linear(12, 3))
opt = optim.SGD([{'params': net[0].parameters(), 'lr': 0.02}, {'params': list(net[1:].parameters())}], lr=0.05, nesterov=True,
                momentum=0.8)
sched = optim.lr_scheduler.CosineAnnealingLR(opt, T_max=12)
crit = nn.CrossEntropyLoss(label_smoothing=0.05)
for epoch in range(6):
    for xb, yb in DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True):
        opt.zero_grad()
        loss = crit(net(xb), yb)
        loss.backward()
        opt.step()
        sched.step()
        print(loss.item())

# ---- convolutional
import torch
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.conv2 = nn.Conv2d(4, 8, 3)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.relu(self.conv2(x))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))

torch.manual_seed(2)
net = Net()
images, labels = torch.randn(12, 1, 8, 8), torch.randint(0, 3, (12,))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(15):
    opt.zero_grad()
    loss = F.cross_entropy(net(images), labels)
    loss.backward()
    opt.step()
    print(loss.item())

# ---- recurrent
import torch
from torch import nn
torch.manual_seed(3)

class Tagger(nn.Module):
    def __init__(self, words, tags):
        super().__init__()
        self.embed = nn.Embedding(words, 6)
        self.lstm = nn.LSTM(6, 8, batch_first=True, bidirectional=True)
        self.out = nn.Linear(16, tags)

    def forward(self, sentence):
        states, _ = self.lstm(self.embed(sentence))
        return self.out(states)

net = Tagger(20, 4)
sentences, tags = torch.randint(0, 20, (5, 7)), torch.randint(0, 4, (5, 7))
opt = torch.optim.AdamW(net.parameters(), lr=0.02, weight_decay=0.01)
for step in range(15):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(sentences).flatten(0, 1), tags.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    print(loss.item())

# ---- attention
import torch
from torch import nn
torch.manual_seed(4)

class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x, mask):
        h = self.norm1(x)
        x = x + self.attention(h, h, h, attn_mask=mask, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))

embed, block, head = nn.Embedding(10, 8), Block(8, 2), nn.Linear(8, 10)
parameters = [p for m in (embed, block, head) for p in m.parameters()]
tokens = torch.randint(0, 10, (4, 6))
mask = torch.triu(torch.full((5, 5), float('-inf')), diagonal=1)
opt = torch.optim.RMSprop(parameters, lr=0.005)
for step in range(12):
    logits = head(block(embed(tokens[:, :-1]), mask))
    loss = nn.functional.cross_entropy(logits.reshape(-1, 10), tokens[:, 1:].reshape(-1))
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    print(loss.item())

# ---- residual, with group norm and weight decay by groups
import torch
from torch import nn
torch.manual_seed(5)

class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(nn.Conv1d(channels, channels, 3, padding=1), nn.GroupNorm(2, channels), nn.SiLU(),
                                  nn.Conv1d(channels, channels, 3, padding=1))

    def forward(self, x):
        return nn.functional.silu(x + self.body(x))

net = nn.Sequential(nn.Conv1d(2, 4, 1), *(Residual(4) for _ in range(2)), nn.Flatten(), nn.Linear(24, 1))
x, y = torch.randn(10, 2, 6), torch.randn(10, 1)
decay = [p for p in net.parameters() if p.dim() > 1]
other = [p for p in net.parameters() if p.dim() <= 1]
opt = torch.optim.Adagrad([{'params': decay, 'weight_decay': 0.01}, {'params': other}], lr=0.05)
for step in range(15):
    opt.zero_grad()
    loss = nn.functional.smooth_l1_loss(net(x), y)
    loss.backward()
    opt.step()
    print(loss.item())

# ---- embeddings of pairs, negative samples
import torch
from torch import nn
torch.manual_seed(6)
centers, contexts = nn.Embedding(12, 5), nn.Embedding(12, 5)
pairs = torch.randint(0, 12, (24, 2))
opt = torch.optim.NAdam([*centers.parameters(), *contexts.parameters()], lr=0.03)
sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=2)
generator = torch.Generator().manual_seed(9)
for step in range(15):
    wrong = torch.randint(0, 12, (24, 3), generator=generator)
    center = centers(pairs[:, 0])
    right = (center * contexts(pairs[:, 1])).sum(1)
    off = torch.einsum('bd,bkd->bk', center, contexts(wrong))
    loss = -(nn.functional.logsigmoid(right).mean() + nn.functional.logsigmoid(-off).mean())
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step(loss.item())
    print(loss.item())

# ---- a variational autoencoder
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
torch.manual_seed(7)
encoder, decoder = nn.Linear(6, 4), nn.Linear(2, 6)
x = torch.randn(16, 6)
opt = torch.optim.Adamax([*encoder.parameters(), *decoder.parameters()], lr=0.02)
for step in range(20):
    mean, log_std = encoder(x).chunk(2, dim=1)
    q = Normal(mean, log_std.exp())
    loss = (decoder(q.rsample()) - x).square().sum(1).mean() + kl_divergence(q, Normal(0., 1.)).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
