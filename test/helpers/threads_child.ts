/**
 * @file A process of its own that uses threads and ends, for the tests of the pool.
 *
 *     npx tsx test/helpers/threads_child.ts sleeping    ends while its workers sleep
 *     npx tsx test/helpers/threads_child.ts spinning    ends right after they worked
 *     npx tsx test/helpers/threads_child.ts exit        the same by process.exit
 *     npx tsx test/helpers/threads_child.ts threads     prints their number
 */
import torch from "../../src/index.ts";

const [how] = process.argv.slice(2);
if (how === "threads") console.log(torch.get_num_threads());
else {
  torch.set_num_threads(3);
  const x = torch.ones([500_000]);
  for (let i = 0; i < 50; i++) x.add(x);
  if (how === "sleeping") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  for (let i = 0; i < 5; i++) x.add(x);
  console.log("done");
  if (how === "exit") process.exit(0);
}
