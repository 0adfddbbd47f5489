/**
 * Calls that are wrong: the type and the text of the error are PyTorch's (2.13.0, recorded by tools/oracle/record_errors.py, which has
 * the Python of each case), and nothing has changed after it.
 */
import torch from "glasstorch";
import { afterEach, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { type Any, elementsOf, readFixture } from "../helpers/recorded.ts";

interface Recorded {
  readonly cases: Readonly<
    Record<string, { readonly python: readonly string[]; readonly type: string; readonly message: string }>
  >;
}
const { cases: recorded } = readFixture<Recorded>(new URL("../fixtures/errors/bad_input.json.gz", import.meta.url));
const F = torch.nn.functional as Any;
const t = torch as Any;

/** The tensors each case starts from: SETUP of the recorder. */
function setup() {
  return {
    f: t.tensor([
      [1.5, 2, 3],
      [4, 5, 6],
    ]),
    g: t.tensor(
      [
        [1, 2],
        [3, 4],
      ],
      { dtype: t.float32 },
    ),
    v: t.tensor([1, 2, 3], { dtype: t.float32 }),
    i: t.tensor([1, 2, 3]),
    b: t.tensor([true, false]),
    d: t.tensor([1, 2, 3], { dtype: t.float64 }),
    m: t.empty([2, 3], { device: "meta" }),
    r: t.tensor([1, 2, 3], { dtype: t.float32, requires_grad: true }),
    q: t.tensor(
      [
        [1, 2],
        [3, 4],
      ],
      { dtype: t.float32, requires_grad: true },
    ),
  };
}
type Setup = ReturnType<typeof setup>;

const inference = () => t.inference_mode(() => t.ones([3]));

/** The last call of each case; what comes before it in the recorder is returned as a closure's preparation where it matters. */
const cases: Readonly<Record<string, (s: Setup) => unknown>> = {
  "no arguments": () => t.add(),
  "one argument": ({ v }) => t.add(v),
  "too many arguments": ({ g }) => t.mm(g, g, g, g),
  "wrong type": ({ v }) => t.add(v, "a"),
  "wrong type of self": ({ g }) => t.mm("a", g),
  "a list for a tensor": () => t.relu([1, 2]),
  "None for a tensor": ({ g }) => t.mm(g, null),
  "unknown keyword": ({ v }) => t.relu(v, { foo: 1 }),
  "unknown keyword of several overloads": ({ v }) => t.add(v, v, { beta: 1 }),
  "keyword twice": ({ g }) => t.mm(g, { mat2: g, input: g }),
  "float for a dim": ({ v }) => t.softmax(v, 0.5),
  "str for a dim": ({ v }) => v.unsqueeze("a"),
  "float for a size": () => t.zeros([1.5]),
  "bool for a float": () => t.full([2], "x"),
  "invalid combination": ({ v }) => t.sum(v, "a"),
  "method without arguments": ({ v }) => v.view(),
  "clamp without bounds": ({ v }) => t.clamp(v),
  "cat of no tensors": () => t.cat([]),
  "cat of numbers": () => t.cat([1, 2]),
  "stack of different sizes": ({ v, g }) => t.stack([v, g]),
  "where with two arguments": ({ b }) => t.where(b, 1),
  "dtype that is none": () => t.zeros(2, { dtype: "float32" }),
  "device that is none": () => t.zeros(2, { device: "foo" }),
  "negative size": () => t.zeros(-1),
  "ragged list": () => t.tensor([[1, 2], [3]]),
  "tensor of a str": () => t.tensor(["a"]),
  broadcasting: ({ f, g }) => f.add(g),
  "broadcasting in place": ({ v, f }) => v.add_(f),
  "mm sizes": ({ f }) => t.mm(f, f),
  "mm dims": ({ v, g }) => t.mm(v, g),
  "matmul sizes": ({ f, g }) => t.matmul(f, g),
  "bmm dims": ({ g }) => t.bmm(g, g),
  "dot sizes": ({ v }) => t.dot(v, t.ones(2)),
  "dot dims": ({ g }) => t.dot(g, g),
  "linear sizes": ({ f, g }) => F.linear(f, g),
  "addmm sizes": ({ v, g, f }) => t.addmm(v, g, f.t()),
  "view impossible": ({ f }) => f.view(4),
  "view of strides": ({ f }) => f.t().view(6),
  "view with two -1": ({ f }) => f.view(-1, -1),
  "reshape impossible": ({ f }) => f.reshape(4, 2),
  "expand impossible": ({ f }) => f.expand(2, 4),
  "expand to fewer dims": ({ f }) => f.expand(3),
  "dim out of range": ({ f }) => f.sum(2),
  "negative dim out of range": ({ f }) => f.unsqueeze(-4),
  "dim twice": ({ f }) => f.sum([0, 0]),
  "transpose out of range": ({ f }) => f.transpose(0, 2),
  "permute of too few dims": ({ f }) => f.permute(0),
  "permute twice": ({ f }) => f.permute(0, 0),
  "t of 3 dims": () => t.zeros(1, 2, 3).t(),
  "select out of range": ({ f }) => f.select(0, 2),
  "index out of range": ({ f }) => f.at(2),
  "negative index out of range": ({ v }) => v.at(-4),
  "too many indices": ({ v }) => v.at(0, 0),
  "index tensor out of range": ({ v }) => v.at(t.tensor([5])),
  "mask of another shape": ({ v, b }) => v.at(b),
  "float index": ({ v }) => v.at(t.tensor([0.5])),
  "narrow out of range": ({ v }) => v.narrow(0, 2, 2),
  "split that does not add up": ({ v }) => v.split([1, 1]),
  "chunk by 0": ({ v }) => v.chunk(0),
  "squeeze out of range": ({ v }) => v.squeeze(1),
  "as_strided out of bounds": ({ v }) => v.as_strided([4], [1]),
  "gather index dtype": ({ v }) => v.gather(0, t.tensor([new t.Float(0)])),
  "cat of different dims": ({ f, g }) => t.cat([f, g]),
  "max of nothing": () => t.zeros(0).max(),
  "argmax of nothing": () => t.zeros(0).argmax(),
  "prelu weights": ({ f }) => t.prelu(f, t.ones(2)),
  "nll_loss target": ({ f }) => F.nll_loss(f, t.tensor([0, 3])),
  "nll_loss batch": ({ f }) => F.nll_loss(f, t.tensor([0])),
  "result type cannot be cast": ({ i }) => i.add_(1.5),
  "division in place on integers": ({ i }) => i.div_(2),
  "mean of integers": ({ i }) => i.mean(),
  "bool subtraction": ({ b }) => b.sub(b),
  "neg of bool": ({ b }) => b.neg(),
  "bitwise on floats": ({ v }) => t.bitwise_and(v, v),
  "mm dtypes": ({ g }) => t.mm(g, g.double()),
  "dot dtypes": ({ v, d }) => t.dot(v, d),
  "integer to a negative power": ({ i }) => t.pow(i, -1),
  "softmax of integers": ({ i }) => t.softmax(i, 0),
  "alpha of another kind": ({ i }) => t.add(i, i, { alpha: 1.5 }),
  "cpu and meta": ({ f, m }) => f.add(m),
  "item of meta": ({ m }) => m.sum().item(),
  "values of meta": ({ m }) => m.tolist(),
  "bernoulli p": () => t.bernoulli(t.tensor([new t.Float(2)])),
  "normal std": () => t.zeros(2).normal_(0, -1),
  "randint range": () => t.randint(3, 3, [2]),
  "arange step": () => t.arange(0, 5, -1),
  "out dtype": ({ v, i }) => t.add(v, v, { out: i }),
  "out of mm dtype": ({ g }) => t.mm(g, g, { out: t.zeros(2, 2, { dtype: t.float64 }) }),
  "out with gradient": ({ v, r }) => t.add(v, v, { out: r }),
  "out of an operand with gradient": ({ v, r }) => t.add(r, v, { out: t.zeros(3) }),
  "out that overlaps itself": ({ v }) => t.add(v, v, { out: t.zeros(1).expand(3) }),
  "in place on an expanded tensor": () => t.zeros(1).expand(3).add_(1),
  "overlapping copy": () => {
    const z = t.zeros(4);
    return z.at(t.slice(null, 3)).add_(z.at(t.slice(1, null)));
  },
  "item of many": ({ v }) => v.item(),
  "item of none": () => t.zeros(0).item(),
  "bool of many": ({ v }) => v.__bool__(),
  "bool of none": () => t.zeros(0).__bool__(),
  "int of many": ({ v }) => v.__int__(),
  "len of 0 dims": () => t.tensor(1).__len__(),
  "iteration over 0 dims": () => [...t.tensor(1)],
  "backward of a vector": ({ r }) => r.mul(2).backward(),
  "backward without gradient": ({ v }) => v.sum().backward(),
  "in place on a leaf": ({ r }) => r.add_(1),
  "in place on a view of a leaf": ({ r }) => r.at(0).add_(1),
  "in place on one of several views": ({ r }) => r.clone().unbind()[0].add_(1),
  "in place on a view made without gradients": ({ r }) => {
    const z = r.clone();
    return t.no_grad(() => z.view(3)).add_(r);
  },
  "setting an item of a leaf": ({ r }) => r.__setitem__([0], 1),
  "requires_grad of integers": ({ i }) => i.requires_grad_(),
  "requires_grad of a new integer tensor": () => t.tensor([1], { requires_grad: true }),
  "requires_grad = False of a result": ({ r }) => {
    r.mul(2).requires_grad = false;
  },
  "unused input": ({ r, q }) => t.autograd.grad(r.sum(), q),
  "grad of a vector": ({ r }) => t.autograd.grad(r.mul(2), r),
  "grad of a tensor that needs none": ({ r, v }) => t.autograd.grad(r.sum(), v),
  "gradient of another shape": ({ r }) => r.mul(2).backward(t.ones(2)),
  "grad assigned of another shape": ({ r }) => {
    r.grad = t.ones(2);
  },
  "grad assigned of another dtype": ({ r }) => {
    r.grad = t.ones(3, { dtype: t.float64 });
  },
  "grad assigned a number": ({ r }) => {
    r.grad = 1;
  },
  "grad assigned itself": ({ r }) => {
    r.grad = r;
  },
  "numpy of a tensor with gradient": ({ r }) => r.numpy(),
  "hook on a tensor that needs none": ({ v }) => v.register_hook((g: Any) => g),
  "hook with a wrong result": ({ r }) => {
    const y = r.mul(2);
    y.register_hook(() => "a");
    y.sum().backward();
  },
  "retain_grad of a tensor that needs none": ({ v }) => v.retain_grad(),
  "inference tensor saved": ({ r }) => inference().mul(r),
  "inference tensor in place": () => inference().add_(1),
  "inference tensor made a leaf": () => inference().requires_grad_(),
  "version of an inference tensor": () => inference()._version,
  "set_ of data in the graph": ({ r }) => r.resize_(9),
  "detach_ of a view": ({ r }) => r.clone().view(3).detach_(),
  "data of another type": ({ v }) => {
    v.data = 1;
  },
  "copy_ of another shape": ({ v }) => v.copy_(t.ones(2)),
  "fill_ with a vector": ({ v }) => v.fill_(t.ones(2)),
  "masked_fill_ mask dtype": ({ v }) => v.masked_fill_(v, 1),
  "index_put_ shape": ({ v }) => v.index_put_([t.tensor([0, 1])], t.ones(3)),
  "setitem shape": ({ v }) => v.__setitem__([t.slice(0, 2)], t.ones(3)),
};

/** Cases in which the graph is used up or a tensor changed before the call that fails: these run their own steps. */
const stateful: Readonly<Record<string, (s: Setup) => unknown>> = {
  "backward twice": ({ r }) => {
    const y = r.mul(r).sum();
    y.backward();
    return y.backward();
  },
  "saved tensor changed": ({ r }) => {
    const a = r.mul(1);
    const y = a.mul(a).sum();
    a.add_(1);
    return y.backward();
  },
  "saved result changed": ({ r }) => {
    const y = r.exp();
    y.mul_(2);
    return y.sum().backward();
  },
};

/** In TypeScript there is nothing to compare: a missing property is `undefined`, and there is no deepcopy module. */
const without = ["property called", "deepcopy of a result"];

/** The message in our words: a Python `list` or `tuple` is an array here, and `tuple` is never named in "got (...)". */
function same_words(message: string): string {
  return message.replaceAll("tuple of (", "list of [");
}

/** All that a call could have changed. */
function state(s: Setup): Any {
  return Object.entries(s).map(([name, x]) => [
    name,
    String(x.dtype),
    [...x.shape],
    [...x.stride()],
    x._version,
    x.requires_grad,
    x.grad === null ? null : elementsOf(x.grad).map(String),
    x.device.type === "meta" ? null : elementsOf(x).map(String),
  ]);
}

afterEach(() => {
  expect(t.is_grad_enabled()).toBe(true);
  expect(t.is_inference_mode_enabled()).toBe(false);
});

function thrown(fn: () => unknown): { name: string; message: string } {
  const before = setWarningHandler(() => {});
  try {
    fn();
  } catch (error) {
    return { name: (error as Error).name, message: (error as Error).message };
  } finally {
    setWarningHandler(before as Any);
  }
  return { name: "nothing", message: "" };
}

test.each(Object.keys(cases))("%s", (name) => {
  const { type, message } = recorded[name];
  const s = setup();
  const before = state(s);
  const error = thrown(() => (cases[name] as (s: Setup) => unknown)(s));
  expect(error).toEqual({ name: type, message: same_words(message) });
  expect(state(s)).toEqual(before);
});

test.each(Object.keys(stateful))("%s", (name) => {
  const { type, message } = recorded[name];
  expect(thrown(() => (stateful[name] as (s: Setup) => unknown)(setup()))).toEqual({ name: type, message });
});

test("every recorded case is here", () => {
  expect([...Object.keys(cases), ...Object.keys(stateful), ...without].sort()).toEqual(Object.keys(recorded).sort());
});
