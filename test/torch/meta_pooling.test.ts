/** Pooling of meta tensors, beside PyTorch's: tools/oracle/user_programs/meta_pooling.py. */
import glasstorch from "glasstorch";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const torch = glasstorch as Any;
const { aten } = torch.ops;
const meta = { device: "meta" };
const index = { dtype: torch.int64 };
const told = (t: Any) => `${t.dtype} [${[...t.shape].join(", ")}] [${[...t.stride()].join(", ")}]`;

user_programs("meta_pooling", {
  "adaptive maxima"({ say, fails }) {
    const tell = (ts: Iterable<Any>) => say([...ts].map(told).join(" "));
    const [image, volume] = [torch.empty(2, 3, 4, 5, meta), torch.empty(2, 3, 4, 5, 6, meta)];
    const last = image.to({ memory_format: torch.channels_last });
    for (const [x, two, three] of [
      [image.select(0, 0), true, false],
      [image, true, true],
      [last, true, true],
      [volume, false, true],
      [volume.transpose(1, 4), false, true],
    ]) {
      if (two) tell(aten.adaptive_max_pool2d(x, [2, 3]));
      if (three) tell(aten.adaptive_max_pool3d(x, [2, 1, 3]));
    }
    fails(() => aten.adaptive_max_pool2d(volume, [2, 3]));
    fails(() => aten.adaptive_max_pool2d(image.narrow(1, 0, 0), [2, 3]));
    fails(() => aten.adaptive_max_pool2d(image, [2]));
    fails(() => aten.adaptive_max_pool3d(image.select(0, 0), [2, 3, 1]));
    fails(() => aten.adaptive_max_pool3d(image.narrow(2, 0, 0), [2, 3, 1]));
    fails(() => aten.adaptive_max_pool3d(image, [2]));
    for (const [op, x, size] of [
      [aten.adaptive_max_pool2d.out, image, [2, 3]],
      [aten.adaptive_max_pool3d.out, volume, [2, 1, 3]],
    ]) {
      for (const a of ["cpu", "meta"])
        for (const b of ["cpu", "meta"]) {
          const kw = { out: torch.empty(0, { device: a }), indices: torch.empty(0, { ...index, device: b }) };
          if (a === "meta" && b === "meta") tell(op(x, size, kw));
          else fails(() => op(x, size, kw));
        }
      const bool = torch.empty(0, { ...meta, dtype: torch.bool });
      fails(() => op(x, size, { out: torch.empty(0, meta), indices: bool }));
    }
  },
  "means of volumes"({ say, fails }) {
    const tell = (t: Any) => say(told(t));
    const x = torch.empty(2, 3, 4, 5, 6, meta);
    const last = x.to({ memory_format: torch.channels_last_3d });
    tell(aten.avg_pool3d(x, [2]));
    tell(aten.avg_pool3d(last, [2, 3, 1], [1, 2, 3], [1, 1, 0], true));
    tell(aten.avg_pool3d(x.select(0, 0), [2], [1]));
    tell(aten.avg_pool3d_backward(torch.empty(2, 3, 2, 2, 3, meta), last, [2], [], [0], false, true, null));
    fails(() => aten.avg_pool3d(x, [2, 2]));
    fails(() => aten.avg_pool3d(x, [2], [1, 1]));
    fails(() => aten.avg_pool3d(x, [2], [], [0, 0]));
    fails(() => aten.avg_pool3d(x, [2], [], [2]));
    fails(() => aten.avg_pool3d(x, [2], [0]));
    fails(() => aten.avg_pool3d(x.select(0, 0).select(0, 0), [2]));
    fails(() => aten.avg_pool3d(x, [2], [], [0], false, true, 0));
    fails(() => aten.avg_pool3d(x, [5, 2, 2], [], [2, 0, 0]));
    fails(() => aten.avg_pool3d(x, [0, 2, 2]));
    fails(() => aten.avg_pool3d(x.narrow(1, 0, 0), [2]));
    fails(() => aten.avg_pool3d(x.to(torch.uint8), [2]));
    fails(() => aten.avg_pool3d.out(x, [2], { out: torch.empty(0) }));
    fails(() => aten.avg_pool3d.out(x, [2], { out: torch.empty(0, { ...meta, ...index }) }));
    const short = torch.empty(2, 3, 2, 2, 2, meta);
    fails(() => aten.avg_pool3d_backward(short, x, [2], [], [0], false, true, null));
  },
});
