/** The tensors that a graph keeps for backward, compared with PyTorch's: tools/oracle/user_programs/saved_tensors.py. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const { autograd } = torch;
const { graph } = autograd;
const leaf = (...values: Any[]): Any => torch.tensor(values, { requires_grad: true });
/** A float list as Python prints it. */
const floats = (t: Any): string =>
  `[${t.tolist().map((x: number) => (Number.isInteger(x) ? `${x}.0` : String(x)))}]`.replaceAll(",", ", ");
const same = (t: Any): Any => t;
const copy = (t: Any): Any => t.detach().clone();
const sum = (t: Any): Any => t.sum().backward();

user_programs("saved_tensors", {
  "what pack hooks are given, and what comes back": ({ say }) => {
    const pack = (t: Any): Any => {
      say("pack", floats(t), t.requires_grad, t.is_leaf, torch.is_grad_enabled());
      return t;
    };
    const unpack = (t: Any): Any => {
      say("unpack", floats(t), torch.is_grad_enabled());
      return t;
    };
    const x = leaf(0.75);
    const plain = torch.tensor([2.5]);
    const w = x.mul(0.5);
    const t: Any = graph.saved_tensors_hooks(pack, unpack, () => x.mul(w).reciprocal().mul(1.5).mul(plain));
    say(torch.is_grad_enabled());
    const [g]: Any = autograd.grad(t.sum(), w, { create_graph: true });
    say(g.requires_grad, g.item().toFixed(4));
    sum(g);
    say(x.grad.item().toFixed(4));
  },
  "a leaf that was packed comes back with its accumulator": ({ say }) => {
    const x = leaf(1.5);
    const y = x.mul(x);
    y.grad_fn._raw_saved_self.register_hooks((t: Any) => t.clone(), same);
    const s = y.grad_fn._saved_self;
    say(s === x, s.requires_grad, s.is_leaf, s.grad_fn, s.output_nr);
    say(s.mul(2).grad_fn.next_functions[0][0] === x.mul(2).grad_fn.next_functions[0][0]);
    sum(s.mul(2.25));
    say(floats(x.grad));
  },
  "a leaf without gradient comes back as the hook gives it, unless that requires grad": ({ say }) => {
    const plain = torch.tensor([2.5]);
    const x = leaf(1.5);
    let y = x.mul(plain);
    const kept = torch.tensor([3.5]);
    y.grad_fn._raw_saved_other.register_hooks(same, () => kept);
    say(y.grad_fn._saved_other === kept, y.grad_fn._saved_other.requires_grad);
    sum(y);
    say(floats(x.grad));
    y = x.mul(plain);
    const gives = leaf(3.5);
    y.grad_fn._raw_saved_other.register_hooks(same, () => gives);
    const back = y.grad_fn._saved_other;
    say(back === gives, back.requires_grad, back.is_leaf, floats(back));
  },
  "an input that is no leaf comes back with its own node, and with its place there": ({ say }) => {
    const x = leaf(1.5, 2.5);
    const [first, second] = x.unbind();
    let y = first.mul(second);
    for (const raw of [y.grad_fn._raw_saved_self, y.grad_fn._raw_saved_other]) raw.register_hooks(copy, same);
    const a = y.grad_fn._saved_self;
    let b = y.grad_fn._saved_other;
    say(a.grad_fn === first.grad_fn, a.output_nr, a.requires_grad, a.is_leaf);
    say(b.grad_fn === first.grad_fn, b.output_nr, b === second);
    y.backward();
    say(floats(x.grad));
    y = graph.saved_tensors_hooks(copy, same, () => first.mul(second));
    b = y.grad_fn._saved_other;
    say(b.grad_fn === first.grad_fn, b.output_nr);
  },
  "an output comes back with the node that saved it": ({ say }) => {
    const y = leaf(0.75).reciprocal();
    let s = y.grad_fn._saved_result;
    say(s === y, s.grad_fn === y.grad_fn, s.output_nr, s._version);
    y.grad_fn._raw_saved_result.register_hooks((t: Any) => {
      say(t.requires_grad, t.grad_fn);
      return t;
    }, same);
    s = y.grad_fn._saved_result;
    say(s === y, s.grad_fn === y.grad_fn, s.requires_grad);
  },
  "what is freed, and what was never there": ({ say, fails }) => {
    const x = leaf(0.75);
    const y = x.reciprocal();
    sum(y);
    fails(() => y.grad_fn._saved_result);
    fails(() => y.grad_fn._raw_saved_result);
    fails(() => sum(y));
    const input: Any = torch.tensor([[0.5, 1.5]], { requires_grad: true });
    const loss: Any = torch.nn.functional.nll_loss(input, torch.tensor([1]));
    say(loss.grad_fn._saved_weight);
    fails(() => loss.grad_fn._raw_saved_weight.register_hooks(same, same));
  },
  "saved, then changed in place": ({ fails }) => {
    const x = leaf(1.5, 2.5);
    const w = x.mul(0.5);
    let y = w.mul(w);
    w.mul_(2);
    fails(() => sum(y));
    let plain = torch.tensor([2.5]);
    y = x.mul(plain);
    plain.add_(1);
    fails(() => sum(y));
    fails(() => y.grad_fn._saved_other);
    const r = x.reciprocal();
    r.add_(1);
    fails(() => sum(r));
    plain = torch.tensor([2.5]);
    y = x.mul(plain);
    plain.add_(1);
    autograd.set_detect_anomaly(true, { check_nan: false });
    fails(() => y.grad_fn._saved_other);
    autograd.set_detect_anomaly(false);
    const [, second] = x.unbind();
    y = second.mul(1).mul(second);
    second.detach().add_(1);
    fails(() => sum(y));
  },
  "the output of an in-place operation on a view": ({ say, fails }) => {
    const x = leaf(0.5, 2, 4);
    let y = x.mul(1);
    let v = y.__getitem__({ stop: 2 });
    v.reciprocal_();
    sum(y);
    say(floats(x.grad));
    y = x.mul(1);
    v = y.__getitem__({ stop: 2 });
    v.reciprocal_();
    y.mul_(2);
    fails(() => sum(y));
    y = x.mul(1);
    graph.saved_tensors_hooks(same, same, () => {
      v = y.__getitem__({ stop: 2 });
      v.reciprocal_();
    });
    say(v.grad_fn.name(), y.grad_fn.name());
    const [g]: Any = autograd.grad(y.sum(), x, { create_graph: true });
    say(floats(g), g.requires_grad);
    say(floats(autograd.grad(g.sum(), x)[0]));
  },
  "a leaf that is detached or given history after it was saved": ({ say, fails }) => {
    const x = leaf(1.5);
    const w = x.mul(0.5);
    let y = w.mul(w);
    w.detach_();
    fails(() => sum(y));
    fails(() => y.grad_fn._saved_self);
    const plain = torch.tensor([2.5]);
    y = x.mul(plain);
    plain.mul_(x);
    fails(() => sum(y));
    const made = torch.inference_mode(() => torch.ones(1));
    fails(() => x.mul(made));
    say(torch.is_grad_enabled());
    const fail = (): never => {
      throw Object.assign(new Error("no"), { name: "ValueError" });
    };
    fails(() => x.mul(x).grad_fn._raw_saved_self.register_hooks(fail, same));
    say(torch.is_grad_enabled());
  },
});
