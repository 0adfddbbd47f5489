/**
 * @file The tensors that a Python program holds: found from its frames, as a garbage collector marks them.
 * @original In Python a tensor without references is gone at once, and the lazy executor forgets it. JavaScript's collector says nothing
 * before the program yields.
 */
import { is_namespace } from "#python/bridge/mappings";
import { Code } from "#python/compiler/code";
import { frame_above } from "#python/vm/frame";
import { LazyTensor, reachable } from "./_C.ts";
import { waiting } from "./closure.ts";

/** Data properties of an object; what a getter would give is not held. */
function* held_by(value: object): Iterable<unknown> {
  if (value instanceof Map) for (const entry of value) yield* entry;
  else if (value instanceof Set) yield* value;
  if (Array.isArray(value)) {
    yield* value;
    return;
  }
  for (const key of Reflect.ownKeys(value)) {
    if (key === "prototype" || key === "constructor") continue;
    const property = Reflect.getOwnPropertyDescriptor(value, key);
    if (property !== undefined && "value" in property) yield property.value;
  }
}

/** Variables and stacks of the running frames. Their globals lead to the modules that the program has imported. */
function* roots(): Iterable<unknown> {
  yield waiting;
  for (let frame = frame_above(0); frame !== null; frame = frame.back) {
    yield frame.globals;
    yield frame.locals;
    yield frame.func;
    for (let i = 0; i < frame.sp; i++) yield frame.fast[i];
  }
}

/** The lazy tensors that can be reached; null without a Python program. */
function mark(): ReadonlySet<LazyTensor> | null {
  if (frame_above(0) === null) return null;
  const found = new Set<LazyTensor>();
  const met = new Set<object>();
  const queue = [...roots()];
  while (queue.length > 0) {
    const value = queue.pop();
    if ((typeof value !== "object" && typeof value !== "function") || value === null || met.has(value)) continue;
    met.add(value);
    if (value instanceof LazyTensor) found.add(value);
    else if (!is_namespace(value) && !(value instanceof Code) && !ArrayBuffer.isView(value))
      queue.push(...held_by(value));
  }
  return found;
}

/** From now on a step's end computes only what the program holds. */
export function forget_unreachable_tensors(): void {
  reachable.of = mark;
}
