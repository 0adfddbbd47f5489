/**
 * @file Sharding of long generated files: an operator's name determines the file that contains its text.
 * @mirrors torchgen/utils.py#write_sharded
 *
 * Note [An operator's text stays where it is]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * One more operator adds lines to the generated files and neither moves nor changes others: a person can review that,
 * and git can merge two such changes. So the operator's own name determines its shard, never its place in a list.
 * Inside a shard operators are in the order of the YAML (or of their names). A comment cites its entry by name, an
 * import line imports one name, and the number of shards is fixed.
 */
import type { NativeFunction } from "./model.ts";

/**
 * Number of files of each output, chosen once for the 2,584 entries of PyTorch 2.13 so that none exceeds 6,000 lines.
 * Changing a number moves operators to other files.
 * @differs There are more and shorter files; PyTorch has five of Operators and one of python_variable_methods.
 */
export const NUM_SHARDS = {
  Operators: 14,
  Functions: 4,
  RegisterCPU: 6,
  RegisterMeta: 6,
  RegisterCompositeExplicitAutogradNonFunctional: 4,
  RegisterCompositeExplicitAutograd: 4,
  RegisterCompositeImplicitAutograd: 2,
  RegisterZeroTensor: 1,
  CompositeViewCopyKernels: 2,
  VariableType: 10,
  ADInplaceOrViewType: 4,
  "autograd/Functions": 6,
  python_torch_functions: 6,
  python_variable_methods: 4,
  LazyIr: 3,
  LazyNativeFunctions: 3,
} as const;

/** An FNV-1a hash whose high bits are mixed into the low ones, because the remainder depends only on these. */
function stable_hash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The shard of the operators `root_name`, `root_name_` and their overloads, which stay together. */
export function shard_of(root_name: string, count: number): number {
  return stable_hash(root_name) % count;
}

/** The root that determines the shard of a Python name or an operator's base name: `add`, `add_`, `__iadd__` -> `add`. */
export function root_of(name: string): string {
  return name.replace(/^__i?(\w+)__$/, "$1").replace(/_$/, "");
}

/** `src/aten/generated/Operators.ts`, 3 -> `src/aten/generated/Operators_3.ts`. */
export function shard_path(path: string, shard: number): string {
  return path.replace(/\.ts$/, `_${shard}.ts`);
}

export interface Shard<T> {
  /** Path of this shard's file. */
  readonly path: string;
  readonly index: number;
  readonly items: readonly T[];
}

/** The files of `path`, each with its part of `items`, in their order. */
export function shards<T>(
  path: string,
  count: number,
  items: readonly T[],
  root_name: (item: T) => string,
): Shard<T>[] {
  const made = Array.from({ length: count }, (_, index) => ({
    path: shard_path(path, index),
    index,
    items: [] as T[],
  }));
  for (const item of items) made[shard_of(root_name(item), count)].items.push(item);
  return made;
}

export function by_operator(f: NativeFunction): string {
  return f.root_name;
}

/** `export * from` every shard, for importers of the whole. */
export function everything(path: string, count: number): string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return Array.from({ length: count }, (_, i) => `export * from "./${shard_path(name, i)}";`);
}
