/** Autograd as a user calls it, beside PyTorch's: tools/oracle/user_programs/autograd.py. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const { _C, autograd } = torch;
const { graph } = autograd;
const leaf = (...values: Any[]): Any => torch.tensor(values, { requires_grad: true });
/** A float list as Python prints it. */
const floats = (t: Any): string =>
  `[${t.tolist().map((x: number) => (Number.isInteger(x) ? `${x}.0` : String(x)))}]`.replaceAll(",", ", ");
const same = (x: Any) => x;

user_programs("autograd", {
  "mark_dirty of what is no input": ({ say }) => {
    class F extends autograd.Function {
      static override forward(ctx: Any, x: Any): Any {
        const y = x.mul(2);
        ctx.mark_dirty(y);
        return y;
      }
      static override backward(_: Any, g: Any): Any {
        return g.mul(2);
      }
    }
    const x = leaf(1.5);
    const y: Any = F.apply(x);
    say(floats(y), y.requires_grad);
    y.backward();
    say(floats(x.grad));
  },
  ".grad of a tensor that is no leaf": ({ say }) => {
    const x = leaf(1.5);
    const y = x.mul(2);
    say(y.grad);
    y.retain_grad();
    say(y.grad);
    y.backward();
    say(floats(y.grad), floats(x.grad));
    say(x.mul(1).detach().grad, torch.ones(1).grad);
    const z = x.mul(3);
    say(z.grad === null, z.grad === null);
  },
  "numpy of what requires grad": ({ say, fails }) => {
    const x = leaf(1.5);
    fails(() => x.numpy());
    torch.no_grad(() => say(x.numpy()[0]));
    torch.inference_mode(() => say(x.numpy()[0]));
    say(x.detach().numpy()[0]);
  },
  "numbers of tensors and gradients": ({ fails }) => {
    const scalar = (x: number): Any => torch.tensor(x, { requires_grad: true });
    const [a, b, g] = [scalar(1.5), scalar(2.5), torch.ones([])] as Any[];
    const [backward, grad]: Any[] = [autograd.backward, autograd.grad];
    fails(() => backward([a, b], [g]));
    fails(() => backward([a], [g, g]));
    fails(() => grad([a, b], [a], [g]));
    fails(() => backward([]));
    fails(() => grad([], [a]));
    fails(() => grad([a], []));
    fails(() => backward(a, { inputs: [] }));
    fails(() => backward([a, b], [g, 5]));
    fails(() => backward([a, b], g));
    fails(() => backward(5));
    fails(() => grad(a, 5));
  },
  "what a backward that is under way may be asked": ({ say, fails }) => {
    const y = leaf(1.5).mul(2);
    const will: Any = _C._will_engine_execute_node;
    fails(() => will(y));
    fails(() => will(null));
    fails(() => will(5));
    fails(() => will(y.grad_fn));
    fails(() => _C._current_graph_task_execution_order());
    say(_C._current_graph_task_id());
    const z = y.mul(3).sum();
    z.register_hook(() => {
      fails(() => say(_C._current_graph_task_execution_order().map((n: Any) => n.name())));
      say(will(y.grad_fn), _C._current_graph_task_id() >= 0);
    });
    z.backward({ retain_graph: true });
    autograd.set_multithreading_enabled(false, () => z.backward());
  },
  "hooks of one saved tensor": ({ say, fails }) => {
    const y = leaf(1.5).exp();
    const saved = y.grad_fn._raw_saved_result;
    fails(() => saved.register_hooks());
    fails(() => saved.register_hooks(same));
    fails(() => saved.register_hooks(1, 2));
    fails(() => saved.register_hooks(same, 2));
    fails(() => saved.register_hooks(same, same, 3));
    saved.register_hooks(
      (t: Any) => {
        say("pack", floats(t));
        return t;
      },
      (t: Any) => {
        say("unpack");
        return t;
      },
    );
    fails(() => saved.register_hooks(same, same));
    y.sum().backward();
    fails(() => y.grad_fn._raw_saved_result.register_hooks(same, same));
    const two = leaf(1.5);
    fails(() => two.mul(two).grad_fn._raw_saved_self.register_hooks(() => 5, same));
    fails(() => two.mul(two).grad_fn._raw_saved_self.register_hooks((t: Any) => t.mul_(2), same));
  },
  "AccumulateGrad and its variable": ({ say, fails }) => {
    const x = leaf(1.5);
    const { AccumulateGrad } = _C._functions;
    const acc = x.mul(2).grad_fn.next_functions[0][0];
    say(acc.constructor.name, acc instanceof AccumulateGrad, x.mul(2).grad_fn instanceof AccumulateGrad);
    say(acc.variable === x, acc.name(), acc.next_functions.length === 0 ? "()" : "more");
    fails(() => new (AccumulateGrad as Any)());
  },
  "hooks of saved tensors, where they may be made": ({ fails }) => {
    const hooks = () => graph.saved_tensors_hooks(same, same);
    fails(() => graph.saved_tensors_hooks(5 as Any, 6 as Any).__enter__());
    graph.disable_saved_tensors_hooks("no hooks here", () => {
      fails(() => hooks().__enter__());
      graph.disable_saved_tensors_hooks("nor here", () => fails(() => hooks().__enter__()));
      fails(() => hooks().__enter__());
    });
    graph.saved_tensors_hooks(same, same, () => {
      fails(() => graph.disable_saved_tensors_hooks("no").__enter__());
      graph.saved_tensors_hooks(same, same, () => null);
    });
  },
  "a leaf's data of another size, and its accumulator": ({ say }) => {
    let x = leaf(0.5, -1, 0.3);
    x.mul(2);
    x.data = torch.ones(5);
    x.mul(2).sum().backward();
    say(floats(x.grad));
    x = leaf(0.5, -1);
    x.mul(2);
    x.data = torch.ones(2, { dtype: torch.float64 });
    x.mul(2).sum().backward();
    say(String(x.grad.dtype), floats(x.grad));
    x = leaf(0.5, -1);
    torch.no_grad(() => {
      x.mul(2);
      torch.add(torch.ones(4), 1, { out: x });
    });
    x.mul(3).sum().backward();
    say(floats(x.grad));
    x = torch.ones([2, 3], { requires_grad: true });
    x.mul(2);
    torch.no_grad(() => x.t_());
    x.mul(torch.ones([3, 2]))
      .sum()
      .backward();
    say(x.grad.shape);
  },
  "what was modified by an inplace operation": ({ fails }) => {
    const spoil = (leaf: Any) => (make: (a: Any) => Any, change: (a: Any, y: Any) => unknown) => {
      const a = leaf.clone();
      const y = make(a);
      change(a, y);
      fails(() => y.sum().backward());
    };
    const vector = spoil(leaf(1.5, 2.5));
    vector(
      (a) => a.pow(2),
      (a) => a.pow_(2),
    );
    vector(
      (a) => a.pow(a),
      (a) => a.mul_(2),
    );
    vector(
      (a) => a.exp(),
      (_, y) => y.pow_(2),
    );
    vector(
      (a) => a.exp(),
      (_, y) => y.add_(1),
    );
    const matrix = spoil(torch.ones([2, 2], { requires_grad: true }));
    matrix(
      (a) => a.min(),
      (a) => a.mul_(2),
    );
    matrix(
      (a) => a.min(1)[0].exp(),
      (_, y) => y.mul_(2),
    );
    matrix(
      (a) => a.exp(),
      (_, y) => y.t_(),
    );
    matrix(
      (a) => a.t().exp(),
      (_, y) => y.add_(1),
    );
    matrix(
      (a) => a.mm(a),
      (a) => a.zero_(),
    );
    matrix(
      (a) => a.sigmoid(),
      (_, y) => y.fill_(1),
    );
    matrix(
      (a) => a.tanh(),
      (_, y) => y.neg_(),
    );
    matrix(
      (a) => a.sqrt(),
      (_, y) => y.transpose_(0, 1).mul_(1),
    );
    matrix(
      (a) => torch.relu(a),
      (_, y) => y.masked_fill_(torch.ones([2, 2]).gt(0), 3),
    );
    matrix(
      (a) => a.softmax(1),
      (_, y) => y.div_(2),
    );
    matrix(
      (a) => a.exp(),
      (_, y) => y.at(0).zero_(),
    );
    matrix(
      (a) => a.exp(),
      (_, y) => y.copy_(torch.ones([2, 2])),
    );
  },
  "which forward call is named": ({ fails }) => {
    const m: Any = torch.ones([2, 2], { requires_grad: true });
    class Doubled extends autograd.Function {
      static override forward(_: Any, x: Any): Any {
        return x.mul(2);
      }
      static override backward(_: Any, g: Any): Any {
        return g.mul(2);
      }
    }
    const makers: ((a: Any) => Any)[] = [
      (a) => a.pow(a),
      (a) => a.sum(1),
      (a) => a.min(),
      (a) => a.mul(2),
      (a) => a.t(),
      (a) => torch.relu(a),
      (a) => Doubled.apply(a),
      (a) => torch.zeros_like(a).copy_(a),
    ];
    for (const make of makers) {
      const made = make(m.clone());
      const y = made.mul(made);
      made.detach().mul_(2);
      fails(() => y.sum().backward());
    }
  },
  "gradients of a dtype that cannot be": ({ say, fails }) => {
    const x = leaf(1.5, 2.5);
    fails(() => x.mul(2).backward(torch.tensor([1, 2])));
    say(x.grad);
    const y = leaf(1.5, 2.5);
    fails(() => y.mul(2).backward(torch.tensor([1, 2], { dtype: torch.float64 })));
    say(y.grad);
    fails(() => autograd.grad(x.sum(), x, torch.tensor(1) as Any));
    fails(() => x.mul(2).backward(torch.tensor([true, false])));
    fails(() => x.mul(2).backward(torch.ones(3)));
    fails(() => x.mul(2).backward(5));
    const z = leaf(1.5, 2.5);
    z.register_hook((g: Any) => g.to(torch.int64));
    fails(() => z.mul(2).sum().backward());
    class G extends autograd.Function {
      static override forward(_: Any, x: Any): Any {
        return x.mul(1);
      }
      static override backward(): Any {
        return torch.ones([2], { dtype: torch.int64 });
      }
    }
    const w = leaf(1.5, 2.5);
    fails(() => (G.apply(w) as Any).sum().backward());
    say(w.grad);
    fails(() => (G.apply(w.mul(2)) as Any).sum().backward());
  },
  "a saved result that is unpacked has the version of the original": ({ say, fails }) => {
    const x = leaf(1.5, 2.5);
    const y = x.exp();
    y.grad_fn._saved_result.detach().add_(1);
    fails(() => y.sum().backward());
    const z = x.sigmoid();
    say(z.grad_fn._saved_result._version, z._version);
    z.detach().mul_(2);
    fails(() => z.grad_fn._saved_result);
  },
  "a gradient whose bytes somebody else has is not added to in place": ({ say }) => {
    const kept: Any[] = [];
    class Keeps extends autograd.Function {
      static override forward(_: Any, x: Any): Any {
        return x.mul(3);
      }
      static override backward(_: Any, g: Any): Any {
        const r = g.mul(3);
        kept.push(r.detach());
        return r;
      }
    }
    class View extends autograd.Function {
      static override forward(_: Any, x: Any): Any {
        return x.mul(3);
      }
      static override backward(): Any {
        const whole = torch.full([4], torch.Float(3));
        kept.push(whole);
        return whole.at(torch.slice(null, 2));
      }
    }
    const x = leaf(1.5, 2.5);
    for (const f of [Keeps, View]) {
      const h = x.mul(1);
      h.mul(2)
        .sum()
        .add((f as Any).apply(h).sum())
        .backward();
      say(floats(kept.at(-1)), floats(x.grad));
    }
  },
  "gradcheck in fast mode": ({ say }) => {
    class Wrong extends autograd.Function {
      static override forward(ctx: Any, x: Any): Any {
        ctx.save_for_backward(x);
        return x.mul(x);
      }
      static override backward(ctx: Any, g: Any): Any {
        return g.mul(ctx.saved_tensors[0]);
      }
    }
    const double = (values: Any): Any => torch.tensor(values, { dtype: torch.float64, requires_grad: true });
    const fast = (f: Any, inputs: Any[], kwargs = {}) => autograd.gradcheck(f, inputs, { fast_mode: true, ...kwargs });
    const a = double([
      [1.5, 2.5, -1],
      [0.5, -0.25, 2],
    ]);
    const b = double([[1.25], [0.75], [3]]);
    say(
      fast((x: Any) => x.mul(x).exp(), [a]),
      fast((x: Any, y: Any) => x.mm(y), [a, b]),
      fast((x: Any, y: Any) => [x.tanh(), x.mm(y)], [a, b]),
    );
    const ones: Any = torch.ones([2, 3], { dtype: torch.float64, requires_grad: true });
    say(autograd.gradgradcheck((x: Any) => x.mul(x).mul(x), [a], ones, { fast_mode: true }));
    const wrong = (x: Any) => Wrong.apply(x);
    say(fast(wrong, [a], { raise_exception: false }));
    try {
      fast(wrong, [double([2.5]).sub(0.5).detach().requires_grad_()]);
    } catch (error) {
      say((error as Error).name, (error as Error).message.slice(0, 400));
    }
  },
  "gradcheck finds a backward that gives different gradients": ({ say, fails }) => {
    let calls = 0;
    class Noisy extends autograd.Function {
      static override forward(_: Any, x: Any): Any {
        return x.mul(2);
      }
      static override backward(_: Any, g: Any): Any {
        calls++;
        return g.mul(2).add(g.mul(1e-7 * calls));
      }
    }
    const x: Any = torch.tensor([1.5, 2.5], { dtype: torch.float64, requires_grad: true });
    const noisy = (x: Any) => Noisy.apply(x);
    fails(() => autograd.gradcheck(noisy, [x]));
    say(
      autograd.gradcheck(noisy, [x], { nondet_tol: 1e-5 }),
      autograd.gradcheck(noisy, [x], { raise_exception: false }),
    );
  },
  "the order in which a backward that is under way will go on": ({ say }) => {
    const x = leaf(1.5);
    const middle = x.exp();
    const y = middle.mul(x).add(middle.reciprocal()).add(torch.ones(1));
    y.register_hook(() => say(_C._current_graph_task_execution_order().map((n: Any) => n.name())));
    autograd.set_multithreading_enabled(false, () => {
      autograd.grad(y, middle, { retain_graph: true });
      autograd.grad(y, x, { retain_graph: true });
      y.backward();
    });
  },
  "a backward inside a backward goes before what is ready outside, and leaves that where it was": ({ say }) => {
    const graph = (name: string, node: () => void): Any => {
      const x = leaf(1.5);
      const older = x.exp();
      const newer = x.reciprocal();
      x.register_hook(() => say(name, "leaf"));
      older.register_hook(() => say(name, "older"));
      newer.register_hook(() => {
        say(name, "newer");
        node();
        say(name, "newer done");
      });
      return older.add(newer);
    };
    const two = (make: () => Any): Any[] => [make(), make()];
    const deepest = two(() => graph("deepest", () => {}));
    const deeper = two(() => graph("deeper", () => deepest.pop().backward()));
    const y = graph("outer", () => {
      deeper.pop().backward();
      deeper.pop().backward();
    });
    const z = graph("other", () => {});
    y.add(z).backward();
  },
  "gradients for roots that do not suit them": ({ say, fails }) => {
    const y = leaf(1.5).exp();
    const meta = torch.ones([1], { device: "meta" });
    fails(() => y.backward(torch.ones(2)));
    fails(() => y.backward(meta));
    fails(() => y.backward(torch.ones([1], { dtype: torch.int64 })));
    fails(() => autograd.backward([y, y], [torch.ones(1), meta]));
    const half: Any = torch.tensor([1.5], { dtype: torch.float16, requires_grad: true });
    half.mul(2).backward(torch.ones([1], { dtype: torch.float64 }));
    say(half.grad.dtype);
  },
});

test("an accumulator takes gradients of its leaf's present shape, though an older graph has it: the @differs of `grad_accumulator_`", () => {
  const x = leaf(0.5, -1, 0.3);
  const before = x.mul(2);
  x.data = torch.ones(5);
  const after = x.mul(3);
  expect(after.grad_fn.next_functions[0][0]).toBe(before.grad_fn.next_functions[0][0]); // as in PyTorch, which then refuses
  after.sum().backward();
  expect(x.grad.tolist()).toEqual([3, 3, 3, 3, 3]);
  expect(x.mul(2).grad_fn.next_functions[0][0]).toBe(after.grad_fn.next_functions[0][0]);
});
