/**
 * @file The call of the first page, recorded twice: with gradients asked for, and without. Run by record_home.ts.
 * @original
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import torch from "../../src/index.ts";
import { record, type Trace } from "../../src/trace/index.ts";

const { nn } = torch;

function on(): Trace {
  // #region on
  const net = new nn.PReLU();
  const x = torch.randn([3, 4], { requires_grad: true });
  const y = record(() => net(x));
  // #endregion
  return y;
}

function off(): Trace {
  // #region off
  const net = new nn.PReLU().requires_grad_(false);
  const x = torch.randn([3, 4]);
  const y = record(() => net(x));
  // #endregion
  return y;
}

const folder = process.argv[2];
for (const way of [on, off]) {
  // The first call also resolves the operators it meets; that is not part of its path.
  for (let i = 0; i < 5; i++) way();
  writeFileSync(join(folder, `${way.name}.json`), JSON.stringify(way().toJSON()));
}
