/**
 * @file Drawn digits: glyphs of 5 x 7 dots, each at a place of its own, some paler than others, in noise.
 * @original In Python: gallery/pytorch/digits.py
 */
import torch, { type Tensor } from "glasstorch";

const GLYPHS = `
  .###.  ..#..  .###.  #####  ...#.  #####  ..##.  #####  .###.  .###.
  #...#  .##..  #...#  ...#.  ..##.  #....  .#...  ....#  #...#  #...#
  #..##  ..#..  ....#  ..#..  .#.#.  ####.  #....  ...#.  #...#  #...#
  #.#.#  ..#..  ...#.  ...#.  #..#.  ....#  ####.  ..#..  .###.  .####
  ##..#  ..#..  ..#..  ....#  #####  ....#  #...#  .#...  #...#  ....#
  #...#  ..#..  .#...  #...#  ...#.  #...#  #...#  .#...  #...#  ...#.
  .###.  .###.  #####  .###.  ...#.  .###.  .###.  .#...  .###.  .##..`;

/** The glyphs, `(10, 7, 5)`: ones where there is ink. */
function glyphs(): Tensor {
  const rows = GLYPHS.trim().split("\n");
  const dots = rows.map((row) => [...row.replaceAll(" ", "")].map((dot) => (dot === "#" ? 1 : 0)));
  return torch.tensor(dots, { dtype: torch.float32 }).view(7, 10, 5).transpose(0, 1);
}

/**
 * `n` images `(n, 1, size, size)` and what they show, `(n)`. A dot of a glyph is `scale` pixels wide.
 * @param noise the standard deviation of what is added to each pixel; ink is 0.5 to 1
 */
export function digits(n: number, size: number, scale: number, noise: number, seed: number): [Tensor, Tensor] {
  const generator = new torch.Generator().manual_seed(seed);
  const [height, width] = [7 * scale, 5 * scale];
  const labels = torch.randint(0, 10, [n], { generator });
  const top = torch.randint(0, size - height + 1, [n, 1, 1], { generator });
  const left = torch.randint(0, size - width + 1, [n, 1, 1], { generator });
  const ink = torch.rand([n, 1, 1], { generator }).mul(0.5).add(0.5);
  const images = torch.randn([n, size, size], { generator }).mul(noise);

  const drawn = glyphs().repeat_interleave(scale, 1).repeat_interleave(scale, 2).at(labels).mul(ink);
  const rows = top.add(torch.arange(height).view(-1, 1));
  const columns = left.add(torch.arange(width));
  images.index_put_([torch.arange(n).view(-1, 1, 1), rows, columns], drawn, true);
  return [images.unsqueeze(1), labels];
}

/** Images side by side, as lines of text; a pixel is two letters wide. */
export function pictures(images: Tensor): string[] {
  const lines = images.squeeze(1).transpose(0, 1).tolist() as number[][][];
  const shade = (ink: number): string => " .:+#"[Math.min(4, Math.max(0, Math.floor(ink * 5)))].repeat(2);
  return lines.map((line) =>
    line
      .map((row) => ` ${row.map(shade).join("")}`)
      .join(" ")
      .trimEnd(),
  );
}
