/**
 * @file Every operator in PyTorch 2.13's native_functions.yaml: its schema, its kernels, and how many of them are built here.
 * @original
 */

/** One entry of native_functions.yaml, without unused fields. */
export interface TheirOperator {
  /** The schema: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`. */
  readonly func: string;
  /** Line of PyTorch's native_functions.yaml. */
  readonly line: number;
  /** Kernels by keys, which are separated by commas. Without it, one composite kernel with the operator's own name serves all. */
  readonly dispatch?: { readonly [keys: string]: string };
  readonly structured?: boolean;
  readonly structured_delegate?: string;
  readonly autogen?: string;
  readonly python_module?: string;
  readonly variants?: string;
  readonly ufunc_inner_loop?: boolean;
  readonly structured_inherits?: string;
  readonly device_check?: string;
  readonly tags?: string | readonly string[];
  /** The functions that its formulas in derivatives.yaml call, separated by spaces. */
  readonly derivative?: string;
  /** The arguments that derivatives.yaml marks as `non_differentiable`, separated by spaces. */
  readonly non_differentiable?: string;
}

/** The form in the file tools/pytorch/operators.json.gz. */
export interface OperatorsFile {
  readonly torch: string;
  readonly operators: readonly TheirOperator[];
}

/** `add.Tensor` */
export function nameOf({ func }: { readonly func: string }): string {
  return func.slice(0, func.indexOf("("));
}

/** `add_.Tensor` -> `add`: the name without overload and in-place mark; `__and__` stays. */
export function baseOf(name: string): string {
  const [short] = name.split(".");
  return /^__\w+__$/.test(short) ? short : short.replace(/(?<=[^_])_$/, "");
}

/** Whether one kernel serves every key, including autograd's. */
export function isImplicit({
  dispatch,
  structured_delegate,
  structured,
}: Omit<TheirOperator, "func" | "line">): boolean {
  if (dispatch === undefined) return structured_delegate === undefined && structured !== true;
  return Object.keys(dispatch).some((keys) => keys.split(", ").includes("CompositeImplicitAutograd"));
}

export function hasTag({ tags = [] }: TheirOperator, tag: string): boolean {
  return [tags].flat().includes(tag);
}

/** `add_.Tensor` -> `add__Tensor`, the spelling of `at::_ops` and generated functions. */
export function unambiguousName(name: string): string {
  return name.replace(".", "_");
}

export interface Coverage {
  /** Entries of native_functions.yaml. */
  readonly entries: { readonly built: number; readonly all: number };
  /** Operators; all overloads and variants of one name are counted once. */
  readonly names: { readonly built: number; readonly all: number };
}

/**
 * How many of PyTorch's operators are built here; `built` are the names of ours (`add.Tensor`), including those that
 * `autogen` adds.
 */
export function coverageOf({ operators }: OperatorsFile, built: Iterable<string>): Coverage {
  const ours = new Set(built);
  const all = operators.map(nameOf);
  const entries = all.filter((name) => ours.has(name));
  return {
    entries: { built: entries.length, all: all.length },
    names: { built: new Set(entries.map(baseOf)).size, all: new Set(all.map(baseOf)).size },
  };
}
