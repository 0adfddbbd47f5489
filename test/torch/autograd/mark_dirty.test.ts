/** `ctx.mark_dirty` beside PyTorch's: tools/oracle/user_programs/mark_dirty.py. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const floats = (values: Any): string =>
  Array.isArray(values) ? `[${values.map(floats).join(", ")}]` : Number.isInteger(values) ? `${values}.0` : `${values}`;
const ones = (...size: number[]): Any => torch.ones(size);
const leaf = (...size: number[]): Any => torch.ones(size, { requires_grad: true });
const node = (t: Any): string | null => (t.grad_fn === null ? null : t.grad_fn.name());

/** A Function of this forward and backward. */
function maker(change: (ctx: Any, ...args: Any[]) => Any, back: (...g: Any[]) => Any, name = "Change"): Any {
  const cls = class extends torch.autograd.Function {
    static override forward(ctx: Any, ...args: Any[]): Any {
      return change(ctx, ...args);
    }
    static override backward(_: Any, ...g: Any[]): Any {
      return back(...g);
    }
  };
  Object.defineProperty(cls, "name", { value: name });
  return cls;
}

function twice(ctx: Any, x: Any): Any {
  x.mul_(2);
  ctx.mark_dirty(x);
  return x;
}
const double = (g: Any) => g.mul(2);
const no_grad = <R>(view: (t: Any) => R) => {
  return (t: Any): R => torch.no_grad(() => view(t)) as R;
};
const bases = { leaf: () => leaf(2, 2), "not a leaf": () => leaf(2, 2).mul(1), plain: () => ones(2, 2) };

user_programs("mark_dirty", {
  "a view that a Function changes": ({ say, fails }) => {
    const Twice = maker(twice, double);
    const views: Record<string, (t: Any) => Any> = {
      row: (t) => t.at(0),
      t: (t) => t.t(),
      view: (t) => t.view(6),
      narrow: (t) => t.narrow(1, 0, 2),
      diagonal: (t) => t.diagonal(),
      "view of a view": (t) => t.t().at(0),
      chunk: (t) => t.chunk(2)[0],
      split: (t) => t.split(1)[1],
      unbind: (t) => t.unbind(0)[0],
      detach: (t) => t.detach(),
      expand: (t) => t.narrow(0, 0, 1).expand(1, 3),
      view_as: (t) => t.view_as(t),
      itself: (t) => t,
    };
    const made = { leaf: () => leaf(2, 3), "not a leaf": () => leaf(2, 3).mul(1), plain: () => ones(2, 3) };
    for (const [base_name, make] of Object.entries(made)) {
      for (const [name, view] of Object.entries(views)) {
        const base = make();
        const x = view(base);
        const said: unknown[] = [];
        fails(() => {
          const y = Twice.apply(x);
          said.push(y === x, y.requires_grad, node(y), node(base));
          if (y.requires_grad) y.sum().backward();
        });
        const values = base.detach().reshape(-1).tolist().slice(0, 4);
        say(base_name, "|", name, "|", ...said, x._version, floats(values));
      }
    }
  },
  "views made without recording": ({ say, fails }) => {
    const Twice = maker(twice, double, "Twice");
    const Two = maker(
      (ctx, x) => [twice(ctx, x), x.mul(2)],
      (g) => g,
      "Two",
    );
    const Row = maker(
      (_, x) => x.at(0),
      (g) => torch.stack([g, g.mul(0)]),
      "Row",
    );
    const Same = maker(
      (_, x) => x,
      (g) => g,
      "Same",
    );
    const makers: Record<string, (t: Any) => Any> = {
      unbind: (t) => t.unbind(0)[0],
      no_grad: no_grad((t) => t.at(0)),
      "no_grad, unbind": no_grad((t) => t.unbind(0)[0]),
      inference: (t) => torch.inference_mode(() => t.at(0)),
      Function: (t) => Row.apply(t),
      "Function, as it is": (t) => Same.apply(t),
    };
    for (const [base_name, make] of Object.entries(bases)) {
      for (const [name, view] of Object.entries(makers)) {
        const x = view(make());
        say(base_name, "|", name);
        fails(() => say(Twice.apply(x).requires_grad));
        fails(() => Two.apply(view(make())));
        torch.no_grad(() => fails(() => say(Twice.apply(x).requires_grad)));
      }
    }
    const made: Any = torch.inference_mode(() => ones(2, 2));
    fails(() => Twice.apply(made));
    fails(() => Twice.apply(made.at(0)));
    torch.inference_mode(() => {
      fails(() => say(Twice.apply(made)._is_view()));
      fails(() => say(Twice.apply(made.at(0)).is_inference()));
    });
  },
  "a plain view and another input that requires grad": ({ say, fails }) => {
    const AddTo = maker(
      (ctx, x, y) => {
        x.add_(y);
        ctx.mark_dirty(x);
        return x;
      },
      (g) => [g, g.clone()],
      "AddTo",
    );
    const views: Record<string, (t: Any) => Any> = {
      row: (t) => t.at(0),
      unbind: (t) => t.unbind(0)[0],
      no_grad: no_grad((t) => t.at(0)),
      detach: (t) => t.detach().at(1),
      itself: (t) => t,
    };
    for (const [name, base] of Object.entries({
      plain: ones(2, 2),
      leaf: leaf(2, 2),
      "not a leaf": leaf(2, 2).mul(1),
    })) {
      for (const [how, view] of Object.entries(views)) {
        const y = leaf(2);
        const x = view(base);
        say(name, "|", how);
        fails(() => {
          const out = AddTo.apply(x, y);
          say(out === x, node(out), node(base));
          base.sum().backward();
          say(y.grad === null ? null : floats(y.grad.tolist()));
        });
      }
    }
  },
  "several outputs, and inputs that do not come back": ({ say, fails }) => {
    /** A forward that changes its input, marks it, and returns this. */
    const changed = (returned: (x: Any, ctx: Any) => Any) => (ctx: Any, x: Any) => {
      x.mul_(2);
      ctx.mark_dirty(x);
      return returned(x, ctx);
    };
    const changes: Record<string, (ctx: Any, x: Any) => Any> = {
      two: changed((x) => [x, x.mul(2)]),
      other_first: changed((x) => [x.mul(2), x]),
      and_number: changed((x) => [x, 5]),
      twice_the_same: changed((x) => [x, x]),
      not_returned: changed((x) => x.mul(1)),
      a_view: changed((x) => x.view_as(x)),
      not_marked: (_, x) => x.mul_(2),
      none_differentiable: changed((x, ctx) => {
        ctx.mark_non_differentiable(x);
        return x;
      }),
      two_one_not: changed((x, ctx) => {
        const y = x.mul(2);
        ctx.mark_non_differentiable(y);
        return [x, y];
      }),
      fresh: (ctx, x) => {
        const y = x.mul(2);
        ctx.mark_dirty(y);
        return y;
      },
      view_of_fresh: (ctx, x) => {
        const y = x.mul(2).view(-1);
        ctx.mark_dirty(y);
        return y;
      },
      view_of_input: (ctx, x) => {
        const y = x.view(-1);
        y.mul_(2);
        ctx.mark_dirty(y);
        return y;
      },
      number: (ctx, x) => {
        ctx.mark_dirty(5);
        return x;
      },
      nothing: (ctx, x) => {
        ctx.mark_dirty(null);
        return x;
      },
      no_arguments: (ctx, x) => {
        ctx.mark_dirty();
        return x;
      },
      marked_twice: (ctx, x) => {
        x.mul_(2);
        ctx.mark_dirty(x, x);
        return x;
      },
      not_changed: (ctx, x) => {
        ctx.mark_dirty(x);
        return x;
      },
      data_changed: (ctx, x) => {
        x.data.mul_(2);
        ctx.mark_dirty(x);
        return x;
      },
    };
    const inputs = {
      ...bases,
      "view of leaf": () => leaf(2, 2).at(0),
      view: () => leaf(2, 2).mul(1).at(0),
      "plain view": () => ones(2, 2).at(0),
      integers: () => torch.ones([2, 2], { dtype: torch.int64 }) as Any,
    };
    for (const [name, change] of Object.entries(changes)) {
      for (const [input, make] of Object.entries(inputs)) {
        const x = make();
        say(name, "|", input);
        fails(() => {
          const out = maker(change, (g) => g).apply(x);
          const outs = Array.isArray(out) ? out : [out];
          for (const o of outs) {
            if (typeof o === "number") continue;
            say(o === x, o.requires_grad, o.is_leaf, o._is_view(), node(o), o._version);
          }
          outs[0].mul_(3);
          if (outs[0].requires_grad) outs[0].sum().backward();
        });
      }
    }
  },
  "the change without a graph": ({ say, fails }) => {
    const Twice = maker(twice, double, "Twice");
    const part = (t: Any) => t.narrow(0, 0, 1);
    torch.no_grad(() => {
      for (const x of [leaf(2), part(leaf(2)), part(leaf(2).mul(1)), ones(2)]) {
        fails(() => {
          const out = Twice.apply(x);
          say(out === x, out.requires_grad, out.is_leaf, out._version);
        });
      }
    });
    const base = leaf(2);
    const x: Any = torch.no_grad(() => {
      const view = part(base);
      Twice.apply(view);
      return view;
    });
    say(floats(base.tolist()), x.requires_grad);
    fails(() => say(x.grad_fn === null));
    fails(() => Twice.apply(x));
  },
  "hooks and gradients of what is changed": ({ say }) => {
    const Twice = maker(twice, double, "Twice");
    const tell = (t: Any, name: string) => t.register_hook((g: Any) => say(name, floats(g.tolist())));
    let start = leaf(2);
    const x = start.mul(1);
    tell(x, "before");
    x.retain_grad();
    const y = Twice.apply(x);
    tell(y, "after");
    y.sum().backward();
    say(x.grad === null ? null : floats(x.grad.tolist()), floats(start.grad.tolist()));
    start = leaf(2, 2);
    let base = start.mul(1);
    tell(base, "base");
    const row = base.at(0);
    tell(row, "row");
    Twice.apply(row);
    base.sum().backward();
    say(floats(start.grad.tolist()));
    start = leaf(2, 2);
    base = start.mul(1);
    const [first, second] = [base.at(0), base.at(1)];
    Twice.apply(first);
    Twice.apply(second);
    base.at(0).mul_(3);
    base.mul(first).sum().backward();
    say(floats(start.grad.tolist()), node(base), node(first), node(second));
    const plain = ones(2);
    plain.grad = ones(2);
    Twice.apply(plain);
    say(plain.grad);
  },
  "what is no tensor": ({ fails }) => {
    const tell = (marks: (ctx: Any, x: Any) => void) => {
      const F = maker(
        (ctx, x) => {
          marks(ctx, x);
          return x.mul(2);
        },
        (g) => g,
      );
      fails(() => F.apply(leaf(1)));
    };
    tell((ctx) => ctx.mark_dirty(5));
    tell((ctx) => ctx.mark_non_differentiable(5));
    tell((ctx, x) => ctx.mark_non_differentiable(x, null));
    tell((ctx) => ctx.save_for_backward(5));
    tell((ctx, x) => ctx.save_for_backward(x, "a"));
    for (const name of ["dirty_tensors", "non_differentiable", "to_save"]) {
      for (const value of [5, null, []]) {
        tell((ctx) => {
          ctx[name] = value;
        });
      }
    }
  },
});
