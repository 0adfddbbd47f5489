/**
 * @file The observable state of our run: the counterpart of state.py. Memory is read byte by byte, not through operators.
 * @original
 */
import type { Any } from "./library.ts";
import type { Graphs, TensorState, VariableState } from "./program.ts";
import type { Run } from "./run.ts";

/** Calls `visit` with the byte offset of each element, in the order of the indices. */
export function eachElement(t: Any, visit: (at: number) => void): void {
  const [shape, stride, size] = [t.shape, t.stride(), t.itemsize];
  const walk = (dim: number, at: number): void => {
    if (dim === shape.length) visit(at * size);
    else for (let i = 0; i < shape[dim]; i++) walk(dim + 1, at + i * stride[dim]);
  };
  walk(0, t.storage_offset());
}

function elements(t: Any): string {
  const bytes: Uint8Array = t.untyped_storage().bytes();
  const size = t.itemsize;
  const out: number[] = [];
  eachElement(t, (at) => {
    for (let i = 0; i < size; i++) out.push(bytes[at + i] ?? -1);
  });
  return Buffer.from(out).toString("base64");
}

function refused<T>(read: () => T): T | { refuses: string } {
  try {
    return read();
  } catch (error) {
    return { refuses: (error as Error).message };
  }
}

/** Names for the objects of a run: variables by name, storages by number. */
export class Seen {
  readonly #names = new Map<Any, string>();
  readonly #storages = new Map<Any, number>();
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
    for (const [name, value] of run.env) this.#names.set(value, name);
  }

  tensor(t: Any): TensorState {
    const storage = t.untyped_storage();
    const impl = storage.cdata.unsafeGetStorageImpl();
    let group = this.#storages.get(impl);
    if (group === undefined) {
      group = this.#storages.size;
      this.#storages.set(impl, group);
    }
    const zero = this.#run.torch._C._dispatch_keys(t).toString().includes("ZeroTensor");
    const inference = t.is_inference();
    const device = t.device.type;
    return {
      dtype: String(t.dtype).replace("torch.", ""),
      device,
      shape: [...t.shape],
      stride: [...t.stride()],
      offset: t.storage_offset(),
      nbytes: storage.nbytes(),
      storage: group,
      inference,
      version: inference ? -1 : refused(() => t._version),
      neg: t.is_neg(),
      zero,
      requires_grad: t.requires_grad,
      retains_grad: t.retains_grad,
      leaf: refused(() => t.is_leaf),
      grad_fn: refused(() => (t.grad_fn === null ? null : t.grad_fn.name().split("::").at(-1))),
      output_nr: refused(() => t.output_nr),
      view: t._is_view(),
      base: t._base === null ? null : (this.#names.get(t._base) ?? "a tensor without a name"),
      data: device !== "cpu" || zero ? null : elements(t),
    };
  }

  variable(t: Any): VariableState {
    const state = this.tensor(t);
    const grad = state.leaf === true || state.retains_grad ? t.grad : null;
    return { ...state, grad: grad === null ? null : { is: this.#names.get(grad) ?? null, ...this.tensor(grad) } };
  }
}

/** An optimizer or a scheduler, with all its state. */
export function held(object: Any): Any {
  if (!("param_groups" in object)) return object.state_dict();
  const { defaults, param_groups, state } = object;
  return { repr: object.__repr__(), defaults, param_groups, state };
}

/** Every node reachable from the variables, in the order in which a walk reaches it. */
export function graphs(run: Run): Graphs {
  const names = new Map([...run.env].map(([name, value]) => [value, name]));
  const numbers = new Map<Any, number>();
  const nodes: { name: string; variable?: string | null; next: [number | null, number][] }[] = [];
  const roots: Record<string, number | null | { refuses: string }> = {};
  const number = (fn: Any): number | null => {
    if (fn === null || fn === undefined) return null;
    const known = numbers.get(fn);
    if (known !== undefined) return known;
    const at = numbers.size;
    numbers.set(fn, at);
    const node: (typeof nodes)[number] = { name: fn.name().split("::").at(-1), next: [] };
    nodes.push(node);
    if (fn.variable !== undefined) node.variable = names.get(fn.variable) ?? null;
    node.next = fn.next_functions.map(([f, nr]: [Any, number]) => [number(f), nr]);
    return at;
  };
  for (const [name, v] of run.env) {
    if (v instanceof run.torch.Tensor) roots[name] = refused(() => number(v.grad_fn));
  }
  return { roots, nodes };
}
