/**
 * @file The programs of the questions, with three operators of their own. Running a program gives the answer to its question.
 * @original
 */
import torch from "glasstorch";
import type { Call, Session } from "../../tools/learn/checks/host.ts";

type Tensor = ReturnType<typeof torch.tensor>;
type Node = NonNullable<Tensor["grad_fn"]>;
type Named<T> = Readonly<Record<string, T>>;

const floats = (requires_grad = false): Tensor =>
  torch.tensor(
    [
      [1.5, 0.5],
      [0.25, 2],
    ],
    { requires_grad },
  );
const none = (): unknown[] => [];
const copied = (x: Tensor): Tensor => torch.tensor(x.tolist());
const sameStorage = (a: Tensor, b: Tensor): boolean =>
  a.untyped_storage().data_ptr() === b.untyped_storage().data_ptr();

/** The names of those for which `holds`. */
function which<T>(all: Named<T>, holds: (each: T) => boolean): string[] {
  return Object.keys(all).filter((name) => holds(all[name]));
}

function refuses(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}

function defineOperators(): { close: () => void } {
  const library = new torch.library.Library("ex14b", "DEF");
  library.define("two(Tensor x, Tensor[] others) -> Tensor");
  for (const key of ["CPU", "Meta"]) library.impl("two", (x: Tensor) => x, key);
  library.define("mixed(Tensor x) -> Tensor");
  library.impl("mixed", (x: Tensor) => x.mul(2), "CompositeImplicitAutograd");
  library.impl("mixed", copied, "CPU");
  library.define("skips(Tensor x) -> Tensor");
  library.impl("skips", copied, "CPU");
  library.impl("skips", torch.library.fallthrough_kernel, "Autograd");
  return { close: () => library._destroy() };
}

/** The words in brackets behind these keys, in the table that the dispatcher computed. */
function origins(operator: string, keys: readonly string[]): string[] {
  const rows = torch._C._dispatch_dump_table(operator).split("\n");
  return keys.map((key) => /\[(.+)\]$/.exec(rows.find((row) => row.startsWith(`${key}: `)) ?? "")?.[1] ?? "nothing");
}

function withoutGradient(): string[] {
  const programs: Named<(x: Tensor) => Tensor> = {
    clone: (x) => x.clone(),
    detach: (x) => x.detach().mul(x),
    no_grad: (x) => torch.no_grad(() => x.mul(2)),
    relu: (x) => x.relu(),
    skips: (x) => torch.ops.ex14b.skips(x),
    view: (x) => x.view([4]),
  };
  return which(programs, (run) => {
    const x = floats(true);
    refuses(() => run(x).sum().backward());
    return x.grad === null;
  });
}

function copies(): string[] {
  const x = floats();
  return which(
    {
      "x.t()": x.t(),
      "x.reshape(4)": x.reshape([4]),
      "x.t().reshape(4)": x.t().reshape([4]),
      "x.contiguous()": x.contiguous(),
      "x.t().contiguous()": x.t().contiguous(),
      "x.expand(3, 2, 2)": x.expand([3, 2, 2]),
    },
    (result) => !sameStorage(result, x),
  );
}

function counted(): string[] {
  const x = floats(true);
  const all = { x, t: x.t(), r: x.reshape([4]), c: x.t().reshape([4]), d: x.detach() };
  torch.no_grad(() => all.r.add_(1));
  return which(all, ({ _version }) => _version === 1);
}

function refusedInPlace(): string[] {
  const programs: Named<(x: Tensor) => unknown> = {
    leaf: (x) => x.add_(1),
    leaf_row: (x) => x.narrow(0, 0, 1).add_(1),
    leaf_in_no_grad: (x) => torch.no_grad(() => x.add_(1)),
    clone: (x) => x.clone().add_(1),
    clone_row: (x) => x.clone().narrow(0, 0, 1).add_(1),
    detached: (x) => x.detach().add_(1),
  };
  return which(programs, (run) => refuses(() => run(floats(true))));
}

function kept(): string[] {
  const saved: Tensor[] = [];
  const pack = (tensor: Tensor): Tensor => {
    saved.push(tensor);
    return tensor;
  };
  const hooks = torch.autograd.graph.saved_tensors_hooks(pack, (tensor: Tensor) => tensor);
  const x = floats(true);
  const w = floats();
  hooks.__enter__();
  try {
    const e = x.exp();
    const p = e.mul(w);
    const y = p.sigmoid();
    return which({ x, e, w, p, y }, (each) => saved.some((tensor) => sameStorage(tensor, each)));
  } finally {
    hooks.__exit__();
  }
}

/** The nodes, in the order in which backward runs them. */
function order(): string[] {
  const e = floats(true).exp();
  const l = floats(true).log();
  const y = e.mul(l).sum();
  const ran: string[] = [];
  const watch = (node: Node): void => {
    node.register_prehook(() => void ran.push(node.name()));
    for (const [next] of node.next_functions) if (next !== null) watch(next);
  };
  watch(y.grad_fn);
  y.backward();
  return ran;
}

export function open(): Session {
  const result = (run: () => unknown): Call => ({ inputs: none, run });
  return {
    calls: {
      "torch.ops.ex14b.two(x, [m])": {
        inputs: () => [floats(), torch.empty([2], { device: "meta" })],
        run: (x, m) => torch.ops.ex14b.two(x, [m]),
      },
      "the table of mixed": result(() => origins("ex14b::mixed", ["CPU", "Meta", "AutogradCPU", "AutogradMeta"])),
      "torch.ops.ex14b.skips(x)": { inputs: () => [floats(true)], run: (x) => torch.ops.ex14b.skips(x) },
      "which lose the gradient": result(withoutGradient),
      "x.sub_(y)": { inputs: () => [floats(), floats()], run: (x, y) => x.sub_(y) },
      "torch.maximum(x, y), of shapes that do not fit": {
        inputs: () => [torch.ones([2]), torch.ones([3])],
        run: (x, y) => refuses(() => torch.maximum(x, y)),
      },
      "which copy": result(copies),
      "whose version is 1": result(counted),
      "which refuse": result(refusedInPlace),
      "which are kept": result(kept),
      "y.backward()": result(order),
    },
    close: defineOperators().close,
  };
}
