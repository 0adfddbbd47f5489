/**
 * @file The call of the first page, recorded twice: with gradients asked for, and without. Run by record_home.ts.
 * @original
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import torch from "../../src/index.ts";
import { record, type Trace } from "../../src/trace/index.ts";

const { nn } = torch;

function way(requires_grad: boolean): Trace {
  // #region call
  const net = new nn.PReLU().requires_grad_(requires_grad);
  const x = torch.randn([3, 4], { requires_grad });
  const y = () => net(x);
  // #endregion
  // The first call also resolves the operators it meets; that is not its way.
  for (let i = 0; i < 5; i++) record(y);
  return record(y);
}

const folder = process.argv[2];
for (const [name, requires_grad] of [
  ["on", true],
  ["off", false],
] as const)
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(way(requires_grad).toJSON()));
