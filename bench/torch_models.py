"""Two models of the gallery, a step of training of each, on random data. As models.ts."""

import torch
from torch import nn
from torch.nn import functional as F

B, T, C, H = 16, 32, 64, 4


def lenet_step():
    """Adam on 32 images of 16 x 16."""
    net = nn.Sequential(
        *[nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2)],
        *[nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()],
        *[nn.Linear(64, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)],
    )
    adam = torch.optim.Adam(net.parameters())
    images, labels = torch.randn(32, 1, 16, 16), torch.randint(0, 10, (32,))

    def step():
        adam.zero_grad()
        F.cross_entropy(net(images), labels).backward()
        adam.step()

    return step


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(C, 3 * C, bias=False)
        self.out = nn.Linear(C, C)

    def forward(self, x):
        q, k, v = self.qkv(x).view(B, T, 3, H, C // H).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.Sequential(nn.LayerNorm(C), Attention())
        self.mlp = nn.Sequential(nn.LayerNorm(C), nn.Linear(C, 4 * C), nn.GELU(), nn.Linear(4 * C, C))

    def forward(self, x):
        x = x + self.attention(x)
        return x + self.mlp(x)


def gpt_step():
    """AdamW on 16 texts of 32 letters: two layers of width 64, four heads."""
    head = [nn.LayerNorm(C), nn.Linear(C, 27, bias=False)]
    net = nn.Sequential(nn.Embedding(27, C), Block(), Block(), *head)
    adamw = torch.optim.AdamW(net.parameters())
    x, y = torch.randint(0, 27, (B, T)), torch.randint(0, 27, (B, T))

    def step():
        adamw.zero_grad()
        F.cross_entropy(net(x).flatten(0, 1), y.flatten()).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1)
        adamw.step()

    return step
