/** A program of a user, run under tsx by workers.test.ts: two passes, the second left early with a worker that persists. */
import torch from "glasstorch";

const loader = new torch.utils.data.DataLoader(
  { module: new URL("./datasets.ts", import.meta.url), export: "Squares", args: [3] },
  { batch_size: 2, num_workers: 1, persistent_workers: true },
);
const batches: unknown[] = [];
for (const [x, y] of loader) batches.push([x.tolist(), y.tolist()]);
let left = 0;
for (const _batch of loader) {
  left++;
  break;
}
console.log(JSON.stringify(batches), left);
