/**
 * @file One cell of an operator's dispatch table: the kernel for a call whose highest key is `key`.
 * @mirrors aten/src/ATen/core/dispatch/OperatorEntry.cpp
 */

/** A registration: a function, or the mark that says "not me, ask the next key". The table holds either. */
type Kernel = "kernel" | "fallthrough";

/** The operator as the dispatcher knows it. Keys are their names: "CPU", "AutogradCPU". */
interface Operator {
  /** The registration under exactly this name; null if there is none. Works for alias keys too: `registered("Autograd")`. */
  registered(key: string): Kernel | null;
  /** The fallback of this key, for every operator that has no better kernel; null if there is none. */
  fallback(key: string): Kernel | null;
  /** Whether the alias key stands for `key`, among others: `reaches("Autograd", "AutogradCPU")`. */
  reaches(alias: string, key: string): boolean;
  /** The backends an autograd key works for: `backends("AutogradCPU")` is `["CPU"]`. Empty for a key that is no autograd key. */
  backends(key: string): string[];
}

/** The cell: its kernel, and the origin of the kernel, in the words of `torch._C._dispatch_dump_table`. */
interface Cell {
  kernel: Kernel;
  origin:
    | "kernel"
    | "default backend kernel"
    | "math kernel"
    | "ambiguous autogradother"
    | "autograd kernel"
    | "backend fallback";
}

/** The registration under an alias, if that alias stands for `key`. */
function through(operator: Operator, alias: string, key: string): Kernel | null {
  return operator.reaches(alias, key) ? operator.registered(alias) : null;
}

/** The cell of `key`, or null if there is nothing: calling it is an error. The first rule that applies decides. */
export function computeDispatchTableEntry(operator: Operator, key: string): Cell | null {
  // Rule 1. A kernel for the key itself.
  // ex:begin(06.own)
  const own = operator.registered(key);
  if (own !== null) return { kernel: own, origin: "kernel" };
  // ex:stub
  // ex:end

  // Rule 2. CompositeExplicitAutograd, where it reaches.
  // ex:begin(06.explicit)
  const explicit = through(operator, "CompositeExplicitAutograd", key);
  if (explicit !== null) return { kernel: explicit, origin: "default backend kernel" };
  // ex:stub
  // ex:end

  // Rule 3. CompositeImplicitAutograd, where it reaches and applies. And the ambiguous case.
  // ex:begin(06.implicit)
  const implicit = through(operator, "CompositeImplicitAutograd", key);
  if (implicit !== null) {
    const backends = operator.backends(key);
    const taken = backends.some((backend) => operator.registered(backend) !== null);
    if (taken && key === "AutogradOther") return { kernel: "kernel", origin: "ambiguous autogradother" };
    const everyBackend = operator.registered("CompositeExplicitAutograd") !== null;
    if (!taken && !everyBackend) return { kernel: implicit, origin: "math kernel" };
  }
  // ex:stub
  // ex:end

  // Rule 4. The alias Autograd.
  // ex:begin(06.autograd)
  const autograd = through(operator, "Autograd", key);
  if (autograd !== null) return { kernel: autograd, origin: "autograd kernel" };
  // ex:stub
  // ex:end

  // Rule 5. The fallback of this key, for every operator.
  // ex:begin(06.fallback)
  const fallback = operator.fallback(key);
  if (fallback !== null) return { kernel: fallback, origin: "backend fallback" };
  // ex:stub
  // ex:end

  return null;
}
