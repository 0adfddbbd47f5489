/** @file `torch.finfo` and `torch.iinfo`: tools/oracle/user_programs/type_info.py in TypeScript. */
import glasstorch from "glasstorch";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const torch = glasstorch as Any;
const { float32, float64, float16, bfloat16 } = torch;

user_programs("type_info", {
  "what a dtype can hold"({ say }) {
    for (const d of [float32, float64, float16, bfloat16]) {
      const f = torch.finfo(d);
      // The float of half the range has no fraction: said as Python says it.
      const half = new torch.Float(f.max - f.max / 2);
      say(f, f.bits, f.dtype, f.eps, f.smallest_normal, f.tiny, f.resolution, half, -f.min / f.max === 1);
      const same = f.__eq__(torch.finfo(d));
      say(same, f.__eq__(torch.finfo(float32)), !same, f instanceof torch.finfo, f instanceof torch.iinfo);
    }
    for (const name of ["uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"]) {
      const i = new torch.iinfo(torch[name]);
      say(i, i.bits, i.max, i.min, i.dtype, i.__eq__(torch.iinfo(torch[name])), i.__eq__(torch.iinfo(torch.int8)));
    }
    say(torch.finfo(), torch.finfo({ type: float16 }), torch.finfo.__name__.split(".").at(-1));
    torch.set_default_dtype(float64);
    say(torch.finfo());
    torch.set_default_dtype(float32);
    const scores = torch.zeros([2, 2]).masked_fill(torch.tensor([true, false]), torch.finfo(float32).min);
    say(scores, scores.softmax(1));
  },
  "dtypes of the other kind"({ fails }) {
    fails(() => torch.finfo(torch.int8));
    fails(() => torch.finfo(torch.bool));
    fails(() => torch.iinfo(float32));
    fails(() => torch.iinfo(torch.bool));
    fails(() => torch.iinfo());
    fails(() => torch.finfo(3));
    fails(() => torch.iinfo("x"));
    fails(() => torch.finfo({ dtype: float16 }));
  },
});
