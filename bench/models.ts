/**
 * @file Two models of the gallery, for a library that is loaded by path: a step of training of each, on random data.
 * @original
 * @see gallery/lenet.ts, gallery/gpt.ts
 */
import type { Torch } from "./cases.ts";

/** Adam on 32 images of 16 x 16. */
export function lenet_step(torch: Torch): () => void {
  const { nn } = torch;
  const { functional: F } = nn;
  const net = new nn.Sequential(
    ...[new nn.Conv2d(1, 6, 5, { padding: 2 }), new nn.ReLU(), new nn.MaxPool2d(2)],
    ...[new nn.Conv2d(6, 16, 5), new nn.ReLU(), new nn.MaxPool2d(2), new nn.Flatten()],
    ...[new nn.Linear(64, 120), new nn.ReLU(), new nn.Linear(120, 84), new nn.ReLU(), new nn.Linear(84, 10)],
  );
  const adam = new torch.optim.Adam(net.parameters());
  const [images, labels] = [torch.randn([32, 1, 16, 16]), torch.randint(0, 10, [32])];
  return () => {
    adam.zero_grad();
    F.cross_entropy(net(images), labels).backward();
    adam.step();
  };
}

/** AdamW on 16 texts of 32 letters: two layers of width 64, four heads. */
export function gpt_step(torch: Torch): () => void {
  const { nn } = torch;
  const { functional: F } = nn;
  const [B, T, C, H] = [16, 32, 64, 4];
  class Attention extends nn.Module {
    qkv = new nn.Linear(C, 3 * C, { bias: false });
    out = new nn.Linear(C, C);
    forward(x: Torch): Torch {
      const [q, k, v] = this.qkv(x)
        .view(B, T, 3, H, C / H)
        .permute(2, 0, 3, 1, 4)
        .unbind(0);
      const y = F.scaled_dot_product_attention(q, k, v, { is_causal: true });
      return this.out(y.transpose(1, 2).reshape(B, T, C));
    }
  }
  class Block extends nn.Module {
    attention = new nn.Sequential(new nn.LayerNorm(C), new Attention());
    mlp = new nn.Sequential(new nn.LayerNorm(C), new nn.Linear(C, 4 * C), new nn.GELU(), new nn.Linear(4 * C, C));
    forward(x: Torch): Torch {
      x = x.add(this.attention(x));
      return x.add(this.mlp(x));
    }
  }
  const head = [new nn.LayerNorm(C), new nn.Linear(C, 27, { bias: false })];
  const net = new nn.Sequential(new nn.Embedding(27, C), new Block(), new Block(), ...head);
  const adamw = new torch.optim.AdamW(net.parameters());
  const [x, y] = [torch.randint(0, 27, [B, T]), torch.randint(0, 27, [B, T])];
  return () => {
    adamw.zero_grad();
    F.cross_entropy(net(x).flatten(0, 1), y.flatten()).backward();
    nn.utils.clip_grad_norm_(net.parameters(), 1);
    adamw.step();
  };
}
