"""A GPT of two layers on characters: causal attention, GELU, AdamW, clipped gradients, then sampling. As gallery/gpt.ts, line by line."""

import torch
from grammar import text
from outcome import main, quiet, sums
from torch import nn
from torch.nn import functional as F

LAYERS, HEADS, WIDTH, CONTEXT, BATCH = 2, 4, 64, 32, 16

TEXT = text(400, seed=7)
LETTERS = sorted(set(TEXT))
DATA = torch.tensor([LETTERS.index(letter) for letter in TEXT])


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        # No bias: softmax takes back what a key's would add, so its gradient is rounding alone, and Adam would make whole steps of it.
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, HEADS, C // HEADS).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1 = nn.LayerNorm(WIDTH)
        self.attention = Attention()
        self.ln2 = nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.letters = nn.Embedding(len(LETTERS), WIDTH)
        self.places = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(*[Block() for _ in range(LAYERS)])
        self.ln = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, len(LETTERS), bias=False)
        self.head.weight = self.letters.weight  # tied
        self.apply(self.begin)

    def begin(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, letters):
        x = self.letters(letters) + self.places(torch.arange(letters.size(1)))
        return self.head(self.ln(self.blocks(x)))

    def write(self, n, seed):
        """n letters, each drawn by its chance after those before it."""
        generator = torch.Generator().manual_seed(seed)
        letters = torch.tensor([[LETTERS.index(".")]])
        with torch.no_grad():
            for _ in range(n):
                chances = F.softmax(self(letters[:, -CONTEXT:])[:, -1], dim=-1)
                letters = torch.cat([letters, torch.multinomial(chances, 1, generator=generator)], 1)
        return "".join(LETTERS[i] for i in letters[0, 1:].tolist())


def run(steps=300, on_step=quiet, written=240):
    torch.manual_seed(0)
    net = GPT()
    matrices = [p for p in net.parameters() if p.dim() >= 2]
    others = [p for p in net.parameters() if p.dim() < 2]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0}]
    optimizer = torch.optim.AdamW(groups, lr=3e-3, betas=(0.9, 0.95))
    warm_up = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / 20))
    places = torch.Generator().manual_seed(8)

    losses = []
    while len(losses) < steps:
        starts = torch.randint(0, len(DATA) - CONTEXT, [BATCH, 1], generator=places)
        x, y = (DATA[starts + torch.arange(CONTEXT) + shift] for shift in (0, 1))
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x).flatten(0, 1), y.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        warm_up.step()
        losses.append(loss.item())
        on_step(losses)
    return {"losses": losses, "text": net.write(written, seed=9), "parameters": sums(net)}


if __name__ == "__main__":
    main(run)
