/** Operators without an autograd kernel, beside PyTorch's: tools/oracle/user_programs/autograd_fallback.py. */
import torch from "glasstorch";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const { _C } = torch as Any;

user_programs("autograd_fallback", {
  "operators without an autograd kernel": ({ say, fails }) => {
    const lib: Any = new torch.library.Library("fallbacks", "FRAGMENT");
    const define = (schema: string, fn: (...args: Any[]) => Any): void => {
      lib.define(schema);
      lib.impl(schema.slice(0, schema.indexOf("(")), fn, "CPU");
    };
    define("sq(Tensor x) -> Tensor", (x) => x.detach().pow(2));
    define("two(Tensor x, Tensor y) -> (Tensor, Tensor)", (x, y) => [x.detach().mul(2), y.detach().mul(3)]);
    define("more(Tensor[] xs) -> Tensor[]", (xs) => xs.map((x: Any) => x.detach().mul(2)));
    define("ints(Tensor x) -> Tensor", (x) => x.detach().gt(0).to(torch.int64));
    define("twice_(Tensor(a!) x) -> ()", (x) => {
      x.detach().mul_(2);
      return null;
    });
    define("seen(Tensor x) -> Tensor", (x) => x.clone());
    const ops: Any = torch.ops["fallbacks" as never];
    const leaf = (): Any => torch.ones([2], { requires_grad: true });
    const plain = (): Any => torch.ones([2]);
    const require_grad = (ts: Any[]): boolean[] => ts.map((t) => t.requires_grad);
    say(_C._get_autograd_fallback_mode());
    for (const mode of ["nothing", "warn"]) {
      _C._set_autograd_fallback_mode(mode);
      say(_C._get_autograd_fallback_mode());
      fails(() => ops.sq(leaf()).sum().backward());
      fails(() => say(ops.sq(leaf()).requires_grad));
      fails(() => ops.two(leaf(), leaf())[1].sum().backward());
      fails(() => say(require_grad(ops.two(plain(), leaf()))));
      fails(() => say(require_grad(ops.more([plain(), leaf()]))));
      fails(() => ops.more([leaf()])[0].sum().backward());
      fails(() => say(ops.ints(leaf()).requires_grad));
      fails(() => ops.twice_(leaf().mul(1)));
      fails(() => ops.seen(leaf()).sum().backward());
      torch.no_grad(() => fails(() => say(ops.sq(leaf()).requires_grad)));
    }
    for (const mode of ["error", 5, null]) fails(() => _C._set_autograd_fallback_mode(mode));
    say(_C._get_autograd_fallback_mode());
    lib._destroy();
  },
});
