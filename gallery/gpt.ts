/**
 * @file A GPT of two layers on characters: causal attention, GELU, AdamW, clipped gradients, then sampling.
 * @original In Python, line by line: gallery/pytorch/gpt.py
 */
import torch, { type Module, type Tensor } from "glasstorch";
import { text } from "./support/grammar.ts";
import { type Options, type Outcome, quiet, sums } from "./support/outcome.ts";
import { report } from "./support/report.ts";

const { nn } = torch;
const { functional: F } = nn;

const [LAYERS, HEADS, WIDTH, CONTEXT, BATCH] = [2, 4, 64, 32, 16];

const TEXT = text(400, 7);
const LETTERS = [...new Set(TEXT)].sort();
const DATA = torch.tensor([...TEXT].map((letter) => LETTERS.indexOf(letter)));

class Attention extends nn.Module<[x: Tensor], Tensor> {
  // No bias: softmax takes back what a key's would add, so its gradient is rounding alone, and Adam would make whole steps of it.
  qkv = new nn.Linear(WIDTH, 3 * WIDTH, { bias: false });
  out = new nn.Linear(WIDTH, WIDTH);

  override forward(x: Tensor): Tensor {
    const [B, T, C] = x.shape;
    const [q, k, v] = this.qkv(x)
      .view(B, T, 3, HEADS, C / HEADS)
      .permute(2, 0, 3, 1, 4)
      .unbind(0);
    const y = F.scaled_dot_product_attention(q, k, v, { is_causal: true });
    return this.out(y.transpose(1, 2).reshape(B, T, C));
  }
}

class Block extends nn.Module<[x: Tensor], Tensor> {
  ln1 = new nn.LayerNorm(WIDTH);
  attention = new Attention();
  ln2 = new nn.LayerNorm(WIDTH);
  mlp = new nn.Sequential(new nn.Linear(WIDTH, 4 * WIDTH), new nn.GELU(), new nn.Linear(4 * WIDTH, WIDTH));

  override forward(x: Tensor): Tensor {
    x = x.add(this.attention(this.ln1(x)));
    return x.add(this.mlp(this.ln2(x)));
  }
}

class GPT extends nn.Module<[letters: Tensor], Tensor> {
  letters = new nn.Embedding(LETTERS.length, WIDTH);
  places = new nn.Embedding(CONTEXT, WIDTH);
  blocks = new nn.Sequential(...Array.from({ length: LAYERS }, () => new Block()));
  ln = new nn.LayerNorm(WIDTH);
  head = new nn.Linear(WIDTH, LETTERS.length, { bias: false });

  constructor() {
    super();
    this.head.weight = this.letters.weight; // tied
    this.apply(this.begin);
  }

  begin(module: Module): void {
    if (module instanceof nn.Linear || module instanceof nn.Embedding) nn.init.normal_(module.weight, { std: 0.02 });
    if (module instanceof nn.Linear && module.bias !== null) nn.init.zeros_(module.bias);
  }

  override forward(letters: Tensor): Tensor {
    const x = this.letters(letters).add(this.places(torch.arange(letters.size(1))));
    return this.head(this.ln(this.blocks(x)));
  }

  /** `n` letters, each drawn by its chance after those before it. */
  write(n: number, seed: number): string {
    const generator = new torch.Generator().manual_seed(seed);
    let letters = torch.tensor([[LETTERS.indexOf(".")]]);
    torch.no_grad(() => {
      for (let i = 0; i < n; i++) {
        const seen = letters.at(torch.slice(), torch.slice(-CONTEXT, null));
        const chances = F.softmax(this(seen).at(torch.slice(), -1), { dim: -1 });
        letters = torch.cat([letters, torch.multinomial(chances, 1, { generator })], 1);
      }
    });
    const written = letters.at(0, torch.slice(1, null)).tolist() as number[];
    return written.map((i) => LETTERS[i]).join("");
  }
}

export function run({ steps = 300, on_step = quiet, written = 240 }: Options & { written?: number } = {}): Outcome {
  torch.manual_seed(0);
  const net = new GPT();
  const matrices = [...net.parameters()].filter((p) => p.dim() >= 2);
  const others = [...net.parameters()].filter((p) => p.dim() < 2);
  const groups = [
    { params: matrices, weight_decay: 0.1 },
    { params: others, weight_decay: 0 },
  ];
  const optimizer = new torch.optim.AdamW(groups, { lr: 3e-3, betas: [0.9, 0.95] });
  const warm_up = new torch.optim.lr_scheduler.LambdaLR(optimizer, (step) => Math.min(1, (step + 1) / 20));
  const generator = new torch.Generator().manual_seed(8);

  const losses: number[] = [];
  while (losses.length < steps) {
    const starts = torch.randint(0, DATA.size(0) - CONTEXT, [BATCH, 1], { generator });
    const [x, y] = [0, 1].map((shift) => DATA.at(starts.add(torch.arange(CONTEXT)).add(shift)));
    optimizer.zero_grad();
    const loss = F.cross_entropy(net(x).flatten(0, 1), y.flatten());
    loss.backward();
    nn.utils.clip_grad_norm_(net.parameters(), 1.0);
    optimizer.step();
    warm_up.step();
    losses.push(loss.item() as number);
    on_step(losses);
  }
  return { losses, text: net.write(written, 9), parameters: sums(net) };
}

report(import.meta.url, run, {
  title: "A GPT of two layers, on characters",
  shown: ({ text = "" }) => [
    "what it writes",
    ...(text.trim().match(/.{1,96}(?: |$)/g) ?? []).map((line) => ` ${line}`),
  ],
});
