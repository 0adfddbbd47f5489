/**
 * Random small programs do here what they do in PyTorch 2.13.0: the same nodes, refusals, operators and nodes in backward, gradients.
 * Expected: test/fixtures/autograd/backward_programs.json.gz, made by tools/oracle/record_backward_programs.py, which explains the steps.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import torch from "glasstorch";
import { expect, test } from "vitest";
import { setTracer } from "#c10/util/Trace";

// biome-ignore lint/suspicious/noExplicitAny: tensors of the front end
type Any = any;

interface Program {
  readonly steps: readonly (readonly [string, number, number, number])[];
  readonly mode: number;
  readonly mid: number;
  readonly refused: readonly (readonly [number, string])[];
  readonly nodes: readonly (string | null)[];
  readonly path: string;
  readonly error: string | null;
  readonly grads: readonly Any[];
  readonly result: readonly Any[] | null;
  readonly grad_is_g: readonly boolean[];
}

const fixture = new URL("../../fixtures/autograd/backward_programs.json.gz", import.meta.url);
const { programs } = JSON.parse(gunzipSync(readFileSync(fixture)).toString()) as { programs: Program[] };

const f64 = { dtype: torch.float64 };
const C01: Any = torch.tensor(0.1, f64);
const C2: Any = torch.tensor(2, f64);

class Sq extends torch.autograd.Function {
  static override forward(ctx: Any, a: Any): Any {
    ctx.save_for_backward(a);
    return a.mul(a);
  }
  static override backward(ctx: Any, g: Any): Any {
    const [a] = ctx.saved_tensors;
    return g.mul(a);
  }
}

class Id extends torch.autograd.Function {
  static override forward(_ctx: Any, a: Any): Any {
    return a.clone();
  }
  static override backward(_ctx: Any, g: Any): Any {
    return g.mul(C2);
  }
}

const makes: Readonly<Record<string, (a: Any, b: Any, k: number) => Any>> = {
  add: (a, b) => a.add(b),
  mul: (a, b) => a.mul(b),
  sub: (a, b) => a.sub(b),
  view: (a) => a.view(4).view(2, 2),
  t: (a) => a.t(),
  sumexp: (a) => a.sum(0, { keepdim: true }).expand(2, 2),
  row: (a, _b, k) => a.__getitem__(k).expand(2, 2),
  neg: (a) => a.neg(),
  exp: (a) => a.mul(C01).exp(),
  detach: (a) => a.detach(),
  sq: (a) => Sq.apply(a),
  id: (a) => Id.apply(a),
  mm: (a, b) => torch.mm(a, b),
  cat: (a, b) => torch.cat([a, b]).__getitem__({ start: null, stop: 2 }),
  clone: (a) => a.clone(),
  bcast: (a, b) => a.mul(b.__getitem__(0)),
  split: (a) => torch.cat([...a.split(1)].reverse()),
  ng: (a, b) => torch.no_grad(() => a.mul(b)),
};

const changes: Readonly<Record<string, (a: Any, b: Any, k: number) => unknown>> = {
  mul_: (a, b) => a.mul_(b.detach().clone()),
  add_: (a, b) => a.add_(b),
  copy_: (a, b) => a.copy_(b),
  rowmul_: (a, _b, k) => a.__getitem__(k).mul_(C2),
  rowadd_: (a, b, k) => a.__getitem__(k).add_(b.__getitem__(0)),
  zero_: (a) => a.zero_(),
  retain: (a) => (a.requires_grad ? a.retain_grad() : null),
};

function differentiate({ mode, mid }: Program, out: Any, tensors: Any[], leaves: Any[], g: Any): Any[] | null {
  const unused = { allow_unused: true };
  switch (mode) {
    case 0:
      out.backward(g);
      return null;
    case 1:
      return torch.autograd.grad(out, leaves, g, unused);
    case 2:
      out.backward(g, { retain_graph: true });
      out.backward(g);
      return null;
    case 3:
      out.backward(g, { inputs: [leaves[0]] });
      return null;
    case 4: {
      const wanted = tensors.filter((t) => t.requires_grad);
      return torch.autograd.grad(out, [wanted[mid % wanted.length], leaves[1]], g, unused);
    }
    default: {
      const first: Any[] = torch.autograd.grad(out, leaves, g, { ...unused, create_graph: true });
      const again = first.filter((t) => t?.requires_grad).map((t) => t.sum());
      return again.length === 0 ? first : [...first, ...(torch.autograd.grad(again, leaves, unused) as Any[])];
    }
  }
}

/** Nodes and operators in order, an operator's direct child of the same name left out, as in the profiler's list. */
function path_of(fn: () => void): string {
  const path: string[] = [];
  const open: { readonly id: number; readonly op: string | null }[] = [];
  let id = 0;
  setTracer({
    begin(kind, name, data) {
      const op =
        kind === "op" && !/redispatch(Boxed)?$/.test(name) ? String(data?.["op"]).replace(/^aten::|\..*$/g, "") : null;
      const parent = open.findLast((event) => event.op !== null);
      if (op !== null && parent?.op !== op) path.push(op);
      if (kind === "engine" && name.endsWith("::apply"))
        path.push(name.replace(/^torch::autograd::(.*)::apply$/, "$1"));
      open.push({ id: ++id, op });
      return id;
    },
    end(ended) {
      while (open.length > 0 && (open.pop() as { id: number }).id !== ended);
    },
  });
  try {
    fn();
  } finally {
    setTracer(null);
  }
  return path.join(" ");
}

function run(program: Program): Omit<Program, "steps" | "mode" | "mid"> {
  const leaves: Any[] = [
    [
      [1, 2],
      [3, 4],
    ],
    [
      [0.5, -1],
      [0.25, 2],
    ],
  ].map((v) => torch.tensor(v, { ...f64, requires_grad: true }));
  const tensors = [...leaves];
  const refused: [number, string][] = [];
  for (const [n, [kind, i, j, k]] of program.steps.entries()) {
    const a = tensors[i % tensors.length];
    const b = tensors[j % tensors.length];
    try {
      const make = makes[kind];
      if (make !== undefined) tensors.push(make(a, b, k));
      else changes[kind]?.(a, b, k);
    } catch (error) {
      refused.push([n, (error as Error).message]);
    }
  }
  const out = tensors.findLast((t) => t.requires_grad && t.grad_fn !== null);
  const nodes = tensors.map((t) => t.grad_fn?.name() ?? null);
  const g: Any = torch.tensor(
    [
      [1, -2],
      [0.5, 3],
    ],
    f64,
  );
  let error: string | null = null;
  let result: Any[] | null = null;
  const path = path_of(() => {
    try {
      result = differentiate(program, out, tensors, leaves, g);
    } catch (e) {
      error = (e as Error).message;
    }
  });
  const values = (t: Any): Any => t?.detach().tolist() ?? null;
  return {
    refused,
    nodes,
    // The profiler calls a user's node by its own name.
    path,
    error,
    grads: leaves.map((leaf) => values(leaf.grad)),
    result: (result as Any[] | null)?.map(values) ?? null,
    grad_is_g: leaves.map((leaf) => leaf.grad !== null && leaf.grad.data_ptr() === g.data_ptr()),
  };
}

/** Sums may round differently; nothing else may. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, v) => (typeof v === "number" ? Number(v.toPrecision(12)) + 0 : v));
}

test.each(programs.map((program, n) => [n, program] as const))("program %i", (_n, program) => {
  const { steps: _steps, mode: _mode, mid: _mid, ...expected } = program;
  const path = expected.path.replace(/\b(Sq|Id)Backward\b/g, "PyNode");
  expect(rounded(run(program))).toEqual(rounded({ ...expected, path }));
});
