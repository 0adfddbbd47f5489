"""Drawn digits: glyphs of 5 x 7 dots, each at a place of its own, some paler than others, in noise. As gallery/support/digits.ts."""

import torch

GLYPHS = """
  .###.  ..#..  .###.  #####  ...#.  #####  ..##.  #####  .###.  .###.
  #...#  .##..  #...#  ...#.  ..##.  #....  .#...  ....#  #...#  #...#
  #..##  ..#..  ....#  ..#..  .#.#.  ####.  #....  ...#.  #...#  #...#
  #.#.#  ..#..  ...#.  ...#.  #..#.  ....#  ####.  ..#..  .###.  .####
  ##..#  ..#..  ..#..  ....#  #####  ....#  #...#  .#...  #...#  ....#
  #...#  ..#..  .#...  #...#  ...#.  #...#  #...#  .#...  #...#  ...#.
  .###.  .###.  #####  .###.  ...#.  .###.  .###.  .#...  .###.  .##.."""


def glyphs():
    """The glyphs, (10, 7, 5): ones where there is ink."""
    rows = GLYPHS.strip().split("\n")
    dots = [[1 if dot == "#" else 0 for dot in row.replace(" ", "")] for row in rows]
    return torch.tensor(dots, dtype=torch.float32).view(7, 10, 5).transpose(0, 1)


def digits(n, size, scale, noise, seed):
    """n images (n, 1, size, size) and what they show, (n). A dot of a glyph is `scale` pixels wide."""
    generator = torch.Generator().manual_seed(seed)
    height, width = 7 * scale, 5 * scale
    labels = torch.randint(0, 10, [n], generator=generator)
    top = torch.randint(0, size - height + 1, [n, 1, 1], generator=generator)
    left = torch.randint(0, size - width + 1, [n, 1, 1], generator=generator)
    ink = torch.rand([n, 1, 1], generator=generator) * 0.5 + 0.5
    images = torch.randn([n, size, size], generator=generator) * noise

    drawn = glyphs().repeat_interleave(scale, 1).repeat_interleave(scale, 2)[labels] * ink
    rows = top + torch.arange(height).view(-1, 1)
    columns = left + torch.arange(width)
    images.index_put_((torch.arange(n).view(-1, 1, 1), rows, columns), drawn, True)
    return images.unsqueeze(1), labels
