/** Rules of operators for modes and autocast, as PyTorch's: tools/oracle/user_programs/library_rules.py in TypeScript, line for line. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const t = torch as Any;
const { library } = t;
const { TorchDispatchMode } = torch.utils._python_dispatch;
const floats = () => torch.ones(2) as Any;

user_programs("library_rules", {
  "rules for modes"({ say, fails }) {
    const lib = new library.Library("rules_a", "DEF");
    lib.define("foo(Tensor x, float y=1.0, *, int n=0) -> Tensor");
    const foo_impl = (x: Any, ...rest: Any[]) => {
      const { n = 0 } = typeof rest.at(-1) === "object" ? rest.pop() : {};
      return x.mul(rest[0] ?? 1).add(n);
    };
    lib.impl("foo", foo_impl, "CompositeExplicitAutograd");
    class M extends TorchDispatchMode {
      override __torch_dispatch__(func: Any, _types: readonly unknown[], args: unknown[], kwargs: object): unknown {
        say("mode", String(func));
        return func(...args, kwargs);
      }
    }
    class N extends M {}
    const rule = (mode: Any, func: Any, types: Any, args: Any, kwargs: Any) => {
      say("rule", mode.constructor.name, String(func), types.length, args.length, Object.keys(kwargs));
      return func(...args, kwargs).add(100);
    };
    library.register_torch_dispatch("rules_a::foo", M, { lib })(rule);
    const x = floats();
    const { foo } = t.ops.rules_a;
    new M().with(() => say(foo(x, 2.0, { n: 3 })));
    new N().with(() => say(foo(x, 2.0)));
    new M().with(() => new M().with(() => say(foo(x))));
    say(foo(x));
    fails(() => library.register_torch_dispatch(5, M, rule));
    fails(() => library.register_torch_dispatch("foo", M, rule));
    fails(() => library.register_torch_dispatch("rules_a::foo"));
    say(library.register_torch_dispatch("rules_a::nope", N, rule) === rule);
    lib._destroy();
  },

  "rules of a custom operator"({ say, fails }) {
    class M extends TorchDispatchMode {
      override __torch_dispatch__(func: Any, _types: readonly unknown[], args: unknown[], kwargs: object): unknown {
        say("mode", String(func));
        return func(...args, kwargs);
      }
    }
    const double = (x: Any) => {
      say("double", x.dtype, t.is_autocast_enabled("cpu"));
      return x.mul(2);
    };
    const op = library.custom_op("rules_b::double", double, { mutates_args: [], schema: "(Tensor x) -> Tensor" });
    const x = floats();
    const plus = (n: number) => (_mode: Any, _func: Any, _types: Any, args: Any) => args[0].add(n);
    say(op.register_torch_dispatch(M)(plus(1)) !== null);
    new M().with(() => say(op(x)));
    library.register_torch_dispatch(op, M, plus(5));
    new M().with(() => say(op(x)));
    op.register_autocast("cpu", torch.bfloat16);
    op.register_autocast("cpu", torch.float16);
    t.autocast("cpu", () => say(op(x), op(x.double()), op(torch.tensor([1, 2]))));
    t.autocast("cpu", { enabled: false }, () => say(op(x)));
    say(op(x));
    fails(() => op.register_autocast(5, torch.float16));
    fails(() => op.register_autocast("meta", torch.float16));
    fails(() => library.register_autocast(op, "meta", torch.float16));
    fails(() => library.register_autocast(5, "cpu", torch.float16));
  },

  "autocast of an operator of a library"({ say, fails }) {
    const lib = new library.Library("rules_c", "DEF");
    lib.define("add(Tensor a, Tensor[] b, float c=1.0, *, int n=0) -> Tensor");
    const add = (a: Any, b: Any[], ...rest: Any[]) => {
      const { n = 0 } = typeof rest.at(-1) === "object" ? rest.pop() : {};
      const dtypes = b.map((x) => x.dtype);
      say("add", a.dtype, dtypes, t.is_autocast_enabled("cpu"));
      return a.add(b.reduce((sum, x) => sum.add(x)).mul(rest[0] ?? 1)).add(n);
    };
    lib.impl("add", add, "CompositeExplicitAutograd");
    say(library.register_autocast("rules_c::add", "cpu", torch.float16, { lib }));
    const a = floats();
    t.autocast("cpu", () => {
      say(t.ops.rules_c.add(a, [a, a.double(), torch.tensor([1, 2])], 2.0));
      fails(() => t.ops.rules_c.add(a, [a], { n: 1 }));
    });
    say(t.ops.rules_c.add(a, [a], { n: 1 }));
    fails(() => library.register_autocast("rules_c::nope", "cpu", torch.float16));
    fails(() => library.register_autocast("rules_c::add", "foo", torch.float16));
    lib._destroy();
  },
});

test("a second rule for the same class is refused, and a library takes its rules with it", () => {
  const lib = new library.Library("rules_d", "FRAGMENT");
  class M extends TorchDispatchMode {}
  const rule = () => null;
  library.register_torch_dispatch("rules_d::foo", M, rule, { lib });
  expect(() => library.register_torch_dispatch("rules_d::foo", M, rule, { lib })).toThrow(
    "<class '__main__.M'> already has a `__torch_dispatch__` rule registered for rules_d::foo",
  );
  lib._destroy();
  const again = new library.Library("rules_d", "FRAGMENT");
  expect(library.register_torch_dispatch("rules_d::foo", M, rule, { lib: again })).toBe(rule);
  again._destroy();
});

test("the rules of vmap stand in a part of their own", () => {
  expect(() => library.register_vmap("aten::sin", () => {})).toThrow(
    'torch.library.register_vmap cannot be loaded from here: write import "glasstorch/func" before its first use',
  );
});
