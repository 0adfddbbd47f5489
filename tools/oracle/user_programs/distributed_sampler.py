# each program's share
from torch.utils.data import DistributedSampler, DataLoader
for length in (10, 7, 2, 1, 0):
    for drop_last in (False, True):
        for shuffle in (False, True):
            shares = [DistributedSampler(range(length), 3, rank, shuffle, 5, drop_last) for rank in range(3)]
            say(length, drop_last, shuffle, [list(s) for s in shares], len(shares[0]), shares[0].total_size)
s = DistributedSampler([0] * 8, num_replicas=2, rank=1)
say(list(s), list(s))
s.set_epoch(3)
say(list(s), s.epoch, s.seed, s.rank, s.num_replicas, s.shuffle, s.drop_last)
say(list(DistributedSampler([0] * 4, num_replicas=1, rank=0, shuffle=False)))
say([b.tolist() for b in DataLoader([3, 1, 4, 1, 5], sampler=DistributedSampler([0] * 5, 2, 0), batch_size=2)])

# refusals of a share
import torch.utils.data.distributed as D
make = D.DistributedSampler
fails(lambda: make([0] * 8, 2, 2))
fails(lambda: make([0] * 8, 2, -1))
fails(lambda: make([0] * 8, 0, 0))
fails(lambda: make([0] * 8, 2, "a"))
fails(lambda: make(5, 2, 0))
fails(lambda: make())
is_available, D.dist.is_available = D.dist.is_available, lambda: False
fails(lambda: make([0] * 8))
fails(lambda: make([0] * 8, 2))
fails(lambda: make([0] * 8, rank=0))
D.dist.is_available = is_available
