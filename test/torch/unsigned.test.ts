/** uint16, uint32 and uint64, of which PyTorch has little: tools/oracle/user_programs/unsigned.py in TypeScript. */
import glasstorch from "glasstorch";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const torch = glasstorch as Any;
const { nn, Float } = torch;
const F = nn.functional;
const UNSIGNED = [torch.uint16, torch.uint32, torch.uint64];
const b = torch.tensor([true, false, true]);

user_programs("unsigned", {
  "they are made, converted, filled and printed"({ say, fails }) {
    const { uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64, bool } = torch;
    for (const dtype of UNSIGNED) {
      const x = torch.tensor([1, 2, 65535], { dtype });
      say(x, x.tolist(), x.__getitem__(2).item(), x.dtype, x.element_size(), x.type());
      say(
        torch.tensor([-1, -2]).to(dtype),
        torch.tensor([-1, 127], { dtype: int8 }).to(dtype),
        torch.tensor([true, false]).to(dtype),
      );
      for (const to of [uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64, bool])
        say(x.to(to), torch.tensor([0, 1, 65], { dtype: to }).to(dtype));
      for (const to of UNSIGNED) say(torch.tensor([-1]).to(to).to(dtype));
      say(torch.tensor([-1.5, 70000.7], { dtype: float64 }).to(dtype));
      say(
        x.clone().fill_(7),
        x.clone().fill_(1.75),
        x.clone().fill_(-1),
        x.clone().zero_(),
        torch.full([2], 3, { dtype }),
        torch.ones(2, { dtype }),
        torch.full_like(x, 9),
      );
      const minus_one = torch.full([2], -1).view(dtype);
      const bytes = x.view(uint8).__getitem__({ stop: 2 });
      say(minus_one, bytes, x.new_tensor([4, 5]), torch.tensor(5, { dtype }), torch.empty(0, { dtype }));
      fails(() => torch.full([2], 2n ** 64n - 1n, { dtype }));
      fails(() => torch.full([2], 70000, { dtype }));
      fails(() => torch.tensor([70000], { dtype }));
      fails(() => torch.tensor([-1], { dtype }));
      fails(() => torch.tensor([2n ** 63n], { dtype }));
      fails(() => torch.zeros(2, { dtype, requires_grad: true }));
    }
    const large = (values: bigint[]): Any => torch.tensor(values, { dtype: torch.uint64 });
    say(
      large([2n ** 64n - 1n, 2n ** 63n]),
      large([2n ** 64n - 1n]).to(float64),
      large([2n ** 63n + 2n ** 40n]).float(),
    );
    say(
      torch.tensor([1e19, 2e19, Float(-1)], { dtype: float64 }).to(torch.uint64),
      torch.tensor([3e9], { dtype: float64 }).to(torch.uint32),
    );
  },
  "what they can do"({ say }) {
    for (const dtype of UNSIGNED) {
      const x = torch.tensor([3, 1, 2], { dtype });
      say(x.sum(), x.prod(), x.sum({ dtype: torch.float32 }), x.cumsum(0), x.any(), x.all());
      say(
        x.sort(),
        x.argsort({ descending: true }),
        x.msort(),
        ...torch.unique(torch.tensor([3, 1, 3], { dtype }), { return_inverse: true, return_counts: true }),
        torch.unique_consecutive(x),
      );
      const sum = x.add(torch.tensor([1.5, 1, 1]));
      say(
        x.mul(x),
        x.mul(2),
        x.mul(1.5),
        x.div(x),
        x.div(2),
        x.eq(x),
        x.ne(2),
        x.bitwise_and(x),
        x.bitwise_or(4),
        x.bitwise_xor(x),
        torch.outer(x, x),
        sum,
      );
      say(
        x.sqrt(),
        x.exp(),
        x.sigmoid(),
        x.isnan(),
        x.isinf(),
        x.isfinite(),
        x.atan2(x),
        x.round(),
        x.nan_to_num(),
        x.signbit(),
        x.copysign(x),
      );
      say(
        x.__getitem__(b),
        x.__getitem__(torch.tensor([2, 0])),
        x.unsqueeze(-1),
        x.__getitem__([[0, 2]]),
        x.roll(1),
        x.repeat(2),
        torch.cat([x, x]),
        torch.stack([x, x]),
        torch.where(b, x, x),
        torch.where(b, x, 1),
        x.diag(),
      );
      say(
        F.pad(x, [1, 1]),
        x.unfold(0, 2, 1),
        ...x.split(1),
        torch.block_diag(x, x),
        torch.equal(x, x),
        torch.allclose(x, x),
        torch.cat([x, torch.tensor([Float(1)])]),
      );
      const y = x.clone();
      y.__setitem__({ stop: 2 }, torch.tensor([7, 8]));
      y.__setitem__(2, 9);
      say(y, y.logsumexp(0), y.softmax(0, { dtype: torch.float32 }), torch.deg2rad(x));
      say(
        torch.randint(0, 5, [2], { dtype }).dtype,
        torch.randint_like(x, 5).shape,
        torch.kron(x, x),
        x.repeat_interleave(2),
      );
    }
    const one = (value: number | bigint, dtype: Any): Any => torch.tensor([value], { dtype });
    say(
      one(3000000000, torch.uint32).mul(3),
      one(2n ** 63n + 1n, torch.uint64).mul(3),
      one(60000, torch.uint16).mul(2),
    );
    say(
      torch.tensor([2n ** 63n, 1], { dtype: torch.uint64 }).sort(),
      one(2 ** 32 - 1, torch.uint32).bitwise_and(2 ** 31),
      one(2n ** 63n + 1n, torch.uint64).eq(2n ** 63n + 1n),
    );
  },
  "what they cannot"({ fails }) {
    const dtype = torch.uint16;
    const x = torch.tensor([3, 1, 2], { dtype });
    const unary =
      "neg abs max min argmax argmin sign sgn square bitwise_not logical_not nonzero median mode aminmax amax cumprod mean var diff count_nonzero relu softmax norm bincount random_ normal_ uniform_ bernoulli_ sqrt_ histc";
    for (const name of unary.split(" ")) {
      const dims = name === "softmax" || name === "cumprod" ? [0] : [];
      fails(() => x.clone()[name](...dims));
    }
    const binary =
      "add sub lt gt le ge maximum minimum bitwise_left_shift bitwise_right_shift floor_divide remainder pow fmod gcd lcm logical_and logical_or logical_xor hypot matmul searchsorted dist";
    for (const name of binary.split(" ")) fails(() => torch[name](x, x));
    for (const name of "add sub lt ge pow remainder floor_divide".split(" ")) fails(() => torch[name](x, 2));
    fails(() => x.add(torch.tensor([1, 1, 1])));
    fails(() => torch.cat([x, torch.tensor([1])]));
    fails(() => x.masked_fill(b, 5));
    fails(() => x.clone().__setitem__(b, 1));
    fails(() => x.clone().__setitem__([[0, 1]], torch.tensor([1, 2], { dtype })));
    fails(() => torch.arange(5, { dtype }));
    fails(() => torch.linspace(0, 4, 3, { dtype }));
    fails(() => torch.eye(2, { dtype }));
    fails(() => torch.randperm(3, { dtype }));
    fails(() => torch.rand(2, { dtype }));
    fails(() => x.flip(0));
    fails(() => x.gather(0, torch.tensor([0, 1])));
    fails(() => x.scatter(0, torch.tensor([0, 1]), x));
    fails(() => x.index_select(0, torch.tensor([0])));
    fails(() => x.index_add_(0, torch.tensor([0]), x.__getitem__({ stop: 1 }).clone()));
    fails(() => x.index_fill(0, torch.tensor([0]), 3));
    fails(() => x.take(torch.tensor([0])));
    fails(() => x.masked_select(b));
    fails(() => x.masked_scatter(b, x));
    fails(() => x.clamp(1, 2));
    fails(() => x.view(1, 3).tril());
    fails(() => x.topk(2));
    fails(() => x.kthvalue(1));
    fails(() => x.sum({ dtype }));
    fails(() => torch.tensor([1, 2]).prod({ dtype }));
    fails(() => x.cumsum(0, { dtype }));
    fails(() => x.cummax(0));
    fails(() => x.view(1, 3).mm(x.view(3, 1)));
    fails(() => x.view(1, 1, 3).bmm(x.view(1, 3, 1)));
    fails(() => x.view(1, 3).mv(x));
    fails(() => torch.addcmul(x, x, x));
    fails(() => torch.lerp(x, x, 0.5));
    fails(() => torch.arange(5).__getitem__(x));
    fails(() => torch.arange(5).gather(0, x));
    fails(() => torch.arange(3).repeat_interleave(x));
    fails(() => F.embedding(x, torch.eye(4)));
    fails(() => F.pad(x.view(1, 1, 3), [1, 1], { mode: "replicate" }));
    fails(() => F.interpolate(x.view(1, 1, 3), 6));
    fails(() => F.max_pool1d(x.view(1, 1, 3), 2));
  },
});
