/** Shares of a dataset as PyTorch's: tools/oracle/user_programs/distributed_sampler.py in TypeScript, line for line. */
import torch from "glasstorch";
import type { Any } from "../../../helpers/recorded.ts";
import { user_programs } from "../../../helpers/user_programs.ts";

const { DistributedSampler, DataLoader, distributed } = torch.utils.data as Any;
const range = (length: number) => Array.from({ length }, (_, i) => i);

user_programs("distributed_sampler", {
  "each program's share"({ say }) {
    for (const length of [10, 7, 2, 1, 0]) {
      for (const drop_last of [false, true]) {
        for (const shuffle of [false, true]) {
          const shares = range(3).map((rank) => new DistributedSampler(range(length), 3, rank, shuffle, 5, drop_last));
          const lists = shares.map((share) => [...share]);
          say(length, drop_last, shuffle, lists, shares[0].__len__(), shares[0].total_size);
        }
      }
    }
    const s = new DistributedSampler(range(8), { num_replicas: 2, rank: 1 });
    say([...s], [...s]);
    s.set_epoch(3);
    say([...s], s.epoch, s.seed, s.rank, s.num_replicas, s.shuffle, s.drop_last);
    say([...new DistributedSampler(range(4), { num_replicas: 1, rank: 0, shuffle: false })]);
    const sampler = new DistributedSampler(range(5), 2, 0);
    say([...new DataLoader([3, 1, 4, 1, 5], { sampler, batch_size: 2 })].map((b: Any) => b.tolist()));
  },

  "refusals of a share"({ fails }) {
    const make = (...args: Any[]) => new distributed.DistributedSampler(...args);
    fails(() => make(range(8), 2, 2));
    fails(() => make(range(8), 2, -1));
    fails(() => make(range(8), 0, 0));
    fails(() => make(range(8), 2, "a"));
    fails(() => make(5, 2, 0));
    fails(() => make());
    // What PyTorch says without its package for several processes, as here.
    fails(() => make(range(8)));
    fails(() => make(range(8), 2));
    fails(() => make(range(8), { rank: 0 }));
  },
});
