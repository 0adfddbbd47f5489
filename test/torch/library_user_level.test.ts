/**
 * torch.library as a user meets it: what PyTorch 2.13.0 did in the same cases, recorded by tools/oracle/record_library.py, which has the
 * Python of each.
 */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { type Any, readFixture } from "../helpers/recorded.ts";

const { cases: recorded } = readFixture<{ readonly cases: Readonly<Record<string, unknown>> }>(
  new URL("../fixtures/library/user_level.json.gz", import.meta.url),
);
const t = torch as Any;
const { Library, custom_op, opcheck } = t.library;
const ones = (n = 2, options: Any = {}): Any => t.ones(n, options);
const grad = { requires_grad: true };

function attempt(f: () => unknown): unknown {
  try {
    return f();
  } catch (error) {
    return [(error as Error).name, (error as Error).message];
  }
}

/** Notes `what`, gives `value`. */
function noting<T>(seen: string[], what: string, value: T): T {
  seen.push(what);
  return value;
}

/** `ok`, or the type of the error. */
function kind(f: () => unknown): string {
  try {
    f();
    return "ok";
  } catch (error) {
    return (error as Error).name;
  }
}

/** A library that lives while `f` runs. */
function using<R>(ns: string, how: string, f: (lib: Any) => R): R {
  const lib = new Library(ns, how, "");
  try {
    return f(lib);
  } finally {
    lib._destroy();
  }
}

const cases: Readonly<Record<string, () => unknown>> = {
  override_and_back() {
    const seen: string[] = [];
    const before = t.ops.aten.mul(ones(), 3).tolist();
    const during = using("aten", "IMPL", (lib) => {
      lib.impl("mul.Tensor", (x: Any) => noting(seen, "mul", t.full_like(x, 7)), "CPU");
      return [ones().mul(ones()).tolist(), ones().mul(2).tolist(), t.ops.aten.mul.Tensor(ones(), ones()).tolist()];
    });
    return [before, during, seen, ones().mul(ones()).tolist()];
  },
  override_autograd() {
    const out = using("aten", "IMPL", (lib) => {
      lib.impl("neg", (x: Any) => x.mul(5), "AutogradCPU");
      const x = ones(2, grad);
      const y = t.neg(x);
      y.sum().backward();
      return [y.tolist(), x.grad.tolist(), y.grad_fn.name()];
    });
    const y = t.neg(ones(2, grad));
    return [...out, y.tolist(), y.grad_fn.name()];
  },
  override_composite() {
    const out = using("aten", "IMPL", (lib) => {
      lib.impl("prelu", (x: Any) => x.add(100), "CPU");
      return [t.prelu(ones(), ones(1)).tolist(), attempt(() => t.prelu(ones(2, grad), ones(1)).grad_fn === null)];
    });
    return [...out, t.prelu(ones(), ones(1)).tolist()];
  },
  returns_of_a_kernel() {
    return using("ul1", "DEF", (lib) => {
      lib.define("two(Tensor x) -> (Tensor, Tensor)");
      lib.define("many(Tensor x) -> Tensor[]");
      lib.define("number(Tensor x) -> int");
      lib.define("nothing(Tensor x) -> ()");
      lib.define("maybe(Tensor x) -> Tensor?");
      const results: Record<string, (x: Any) => unknown> = {
        two: (x) => [x, x.add(1)],
        many: (x) => [x, x],
        number: () => 3,
        nothing: () => undefined,
        maybe: () => null,
      };
      for (const [name, f] of Object.entries(results)) lib.impl(name, f, "CPU");
      const ops = t.ops.ul1;
      return [
        ops.two(ones()).map((x: Any) => x.tolist()),
        ops.many(ones()).length,
        ops.number(ones()),
        ops.nothing(ones()) ?? null,
        ops.maybe(ones()),
      ];
    });
  },
  wrong_returns() {
    const kernels: [string, (x: Any) => unknown][] = [
      ["Tensor", () => 3],
      ["Tensor", () => null],
      ["(Tensor, Tensor)", (x) => x],
      ["(Tensor, Tensor)", (x) => [x]],
      ["int", () => "a"],
      ["Tensor[]", () => [1]],
    ];
    return using("ul2", "DEF", (lib) =>
      kernels.map(([ret, f], i) => {
        lib.define(`op${i}(Tensor x) -> ${ret}`);
        lib.impl(`op${i}`, f, "CPU");
        return kind(() => t.ops.ul2[`op${i}`](ones(1)));
      }),
    );
  },
  a_kernel_that_raises() {
    return using("ul3", "DEF", (lib) => {
      lib.define("bad(Tensor x) -> Tensor");
      const bad = () => {
        const error = new Error("no good");
        error.name = "ValueError";
        throw error;
      };
      lib.impl("bad", bad, "CPU");
      return [attempt(() => t.ops.ul3.bad(ones())), kind(() => t.ops.ul3.bad(ones(2, { device: "meta" })))];
    });
  },
  an_operator_that_is_gone() {
    using("ul4", "DEF", (lib) => {
      lib.define("f(Tensor x) -> Tensor");
      lib.impl("f", (x: Any) => x, "CPU");
      t.ops.ul4.f(ones());
    });
    return [attempt(() => t.ops.ul4.f), attempt(() => t.ops.ul4.g)];
  },
  missing_kernels() {
    return using("ul5", "DEF", (lib) => {
      lib.define("f(Tensor x) -> Tensor");
      const error = attempt(() => t.ops.ul5.f(ones())) as [string, string];
      const before = [kind(() => t.ops.ul5.f(ones())), error[1].split("\n")[0].slice(0, 150)];
      lib.impl("f", (x: Any) => x.add(1), "CompositeExplicitAutograd");
      return [...before, t.ops.ul5.f(ones()).tolist(), String(t.ops.ul5.f(ones(2, { device: "meta" })).device)];
    });
  },
  composite_implicit() {
    return using("ul6", "DEF", (lib) => {
      lib.define("f(Tensor x) -> Tensor");
      lib.impl("f", (x: Any) => x.mul(x), "CompositeImplicitAutograd");
      const x = ones(2, grad);
      const y = t.ops.ul6.f(x);
      y.sum().backward();
      return [y.grad_fn.name(), x.grad.tolist()];
    });
  },
  cpu_only_without_autograd() {
    return using("ul7", "DEF", (lib) => {
      lib.define("f(Tensor x) -> Tensor");
      lib.impl("f", (x: Any) => x.mul(2), "CPU");
      const y = t.ops.ul7.f(ones(2, grad));
      return [y.requires_grad, y.grad_fn === null ? null : y.grad_fn.name()];
    });
  },
  a_custom_op() {
    const seen: string[] = [];
    const scale = custom_op("ul8::scale", { mutates_args: [], schema: "(Tensor x, float s) -> Tensor" })(
      (x: Any, s: number) => noting(seen, "kernel", x.mul(s)),
    );
    const setup_context = ({ ctx, inputs }: Any) => {
      seen.push("setup");
      ctx.s = inputs[1];
    };
    const backward = (ctx: Any, g: Any) => noting(seen, "backward", [g.mul(ctx.s), null]);
    scale.register_fake((x: Any) => noting(seen, "fake", t.empty_like(x)));
    scale.register_autograd(backward, { setup_context });
    const x = ones(2, grad);
    const y = scale(x, 3);
    y.sum().backward();
    const plain = t.ops.ul8.scale(ones(), 2);
    const meta = t.ops.ul8.scale.default(ones(2, { device: "meta" }), 2);
    const quiet = t.no_grad(() => scale(x, 3));
    const checked = opcheck(scale, [ones(2, grad), 2], null, {
      test_utils: ["test_schema", "test_autograd_registration", "test_faketensor"],
    });
    return [
      y.tolist(),
      x.grad.tolist(),
      plain.tolist(),
      [...meta.shape],
      quiet.requires_grad,
      seen.slice(0, 4),
      Object.entries(checked as Record<string, string>).sort(([a], [b]) => (a < b ? -1 : 1)),
      y.grad_fn.name().split("_")[0].slice(0, 8),
    ];
  },
  custom_op_errors() {
    const make = (name: string, f: (x: Any) => Any) =>
      custom_op(`ul9::${name}`, { mutates_args: [], schema: "(Tensor x) -> Tensor" })(f);
    const same = make("same", (x) => x);
    const hidden = make("hidden", (x) => x.add_(1).clone());
    const nofake = make("nofake", (x) => x.clone());
    const nograd = make("nograd", (x) => x.clone());
    return [
      kind(() => same(ones())),
      kind(() => nofake(ones(2, { device: "meta" }))),
      kind(() => opcheck(hidden, [ones()], null, { test_utils: ["test_schema"] })),
      kind(() => nograd(ones(2, grad)).sum().backward()),
      kind(() => custom_op("noname", { mutates_args: [], schema: "(Tensor x) -> Tensor" })((x: Any) => x)),
      kind(() => custom_op("ul9::mut", { mutates_args: ["x"], schema: "(Tensor x) -> Tensor" })((x: Any) => x)),
      kind(() => same(1)),
      kind(() => same()),
    ];
  },
  custom_op_mutates() {
    const inc = custom_op("ul10::inc", { mutates_args: ["x"], schema: "(Tensor(a!) x) -> ()" })(
      (x: Any) => void x.add_(1),
    );
    const x = ones();
    const v = x._version;
    const r = inc(x) ?? null;
    const y = ones(2, grad);
    return [x.tolist(), x._version - v, r, kind(() => inc(y))];
  },
  fallthrough() {
    return using("ul11", "DEF", (lib) => {
      lib.define("f(Tensor x) -> Tensor");
      lib.impl("f", (x: Any) => x.add(1), "CPU");
      lib.impl("f", t.library.fallthrough_kernel, "AutogradCPU");
      const y = t.ops.ul11.f(ones(2, grad));
      return [y.tolist(), y.requires_grad];
    });
  },
  with_keyset() {
    return using("ul12", "DEF", (lib) => {
      const seen: string[] = [];
      lib.define("f(Tensor x) -> Tensor");
      lib.impl(
        "f",
        (keyset: Any, x: Any) => {
          seen.push("AutogradCPU"); // before what the redispatch notes
          return t.ops.ul12.f.default.redispatch(keyset.and(t._C._after_autograd_keyset), x);
        },
        "AutogradCPU",
        { with_keyset: true },
      );
      lib.impl("f", (x: Any) => noting(seen, "CPU", x.add(1)), "CPU");
      return [t.ops.ul12.f(ones()).tolist(), seen];
    });
  },
  fallback() {
    const on = (ns: string) => {
      const lib = new Library(ns, "IMPL", "PrivateUse1");
      try {
        return attempt(() => lib.fallback(() => null)) ?? null;
      } finally {
        lib._destroy();
      }
    };
    return [on("_"), on("aten")];
  },
  names() {
    const op = t.ops.aten.add;
    return [
      String(op),
      String(op.Tensor),
      op.Tensor.__repr__(),
      op.overloads()[0],
      String(op.Tensor._schema),
      op.Tensor.name(),
      op.Tensor.namespace,
      op.Tensor.overloadpacket === op,
      op.Tensor.is_view,
      op.Tensor.tags.map(String).sort(),
      t.ops.aten.select.int.is_view,
      op.__name__,
      op.Tensor.__name__,
      attempt(() => op.nope),
      attempt(() => t.ops.aten.nope),
    ];
  },
  calls_of_aten() {
    const ops = t.ops.aten;
    return [
      ops.add(ones(), 2).tolist(),
      ops.add(ones(), 2, { alpha: 3 }).tolist(),
      ops.add.Scalar(ones(), 2).tolist(),
      ops.sum.dim_IntList(ones(), [0]).item(),
      ops.split(ones(3), 2)[1].tolist(),
      ops.max.dim(ones(), 0)[1].item(),
      attempt(() => ops.add.Tensor(ones(), 2).tolist()),
      kind(() => ops.relu(1)),
      ops.size(ones(), 0),
      (attempt(() => ops.add.Tensor(ones())) as string[])[1],
      (attempt(() => ops.add.Tensor(ones(), ones(), { beta: 1 })) as string[])[1],
    ];
  },
};

test("every recorded case is here", () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(recorded).sort());
});

test.each(Object.keys(cases))("%s", (name) => {
  const before = setWarningHandler(() => {});
  try {
    expect(attempt(cases[name])).toEqual(recorded[name]);
  } finally {
    setWarningHandler(before as Any);
  }
});

test("a kernel is off inside set_kernel_enabled, and as before behind it", () => {
  const op = torch.library.custom_op("user_level::scoped", (x: Any) => x.add(1), {
    mutates_args: [],
    schema: "(Tensor x) -> Tensor",
  });
  op.register_kernel("cpu", (x: Any) => x.add(2));
  const run = () => (op as Any)(torch.zeros(1)).item();
  expect(run()).toBe(2);
  const scope = op.set_kernel_enabled("cpu", false);
  expect(run()).toBe(2); // nothing has entered it
  expect(op.set_kernel_enabled("cpu", false, run)).toBe(1);
  expect(op.set_kernel_enabled("cpu", { enabled: false }, () => op.set_kernel_enabled("cpu", true, run))).toBe(2);
  expect(run()).toBe(2);
  const leave = scope[Symbol.dispose];
  expect(run()).toBe(1);
  leave.call(scope);
  expect(run()).toBe(2);
  expect(() =>
    op.set_kernel_enabled("cpu", false, () => {
      throw new Error("out");
    }),
  ).toThrow("out");
  expect(run()).toBe(2);
});

test("a library made without a place says so as PyTorch's does", () => {
  const { _C } = torch as Any;
  const library = _C._dispatch_library("FRAGMENT", "user_level", "");
  library.define("placeless(Tensor x) -> Tensor");
  expect(_C._dispatch_dump("user_level::placeless")).toContain("registered at /dev/null:0");
  library.reset();
});
