/**
 * @file The values of an event: tensors with the data that shows a view, a copy, an in-place change.
 * @original
 */
import type { TensorRecord, TraceEvent, ValueRecord } from "../../../../src/trace/event.ts";
import { describe, isTensor } from "./label.ts";

export interface ShownValue {
  readonly side: "in" | "out";
  readonly name: string;
  readonly tensor: TensorRecord | null;
  /** The text of a value that is no tensor. */
  readonly text: string;
  /** The relation of this value to another one of the same event. */
  readonly relation: string | null;
}

export function valuesOf(event: TraceEvent): ShownValue[] {
  const inputs = flatten(event.inputs);
  const outputs = event.outputs === undefined ? [] : flatten(event.outputs, true);
  const names = inputNames(inputs, event);
  return [
    ...inputs.map((value, i) => shown("in", names[i] as string, value, null)),
    ...outputs.map((value, i) =>
      shown("out", outputs.length === 1 ? "result" : `result ${i}`, value, relationOf(value, inputs, names)),
    ),
  ];
}

/** A list of tensors counts as that many values; a list of numbers is one. */
function flatten(value: ValueRecord | undefined, single = false): ValueRecord[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [value];
  const list = value as readonly ValueRecord[];
  if (single)
    return list.some(isTensor) || list.some(Array.isArray)
      ? list.flatMap((v) => flatten(v, true))
      : list.length === 0
        ? []
        : [list];
  return list.flatMap((v) => (Array.isArray(v) && (v as readonly ValueRecord[]).some(isTensor) ? flatten(v) : [v]));
}

/** Names of inputs: an `op` event names its tensor arguments, in order; the others are named by position. */
function inputNames(inputs: readonly ValueRecord[], event: TraceEvent): string[] {
  const names = (event.args ?? []).map((arg) => arg.name);
  const tensors = inputs.filter(isTensor).length;
  let next = 0;
  return inputs.map((value, i) =>
    isTensor(value) && tensors === names.length ? (names[next++] as string) : `argument ${i}`,
  );
}

function shown(side: "in" | "out", name: string, value: ValueRecord, relation: string | null): ShownValue {
  return { side, name, tensor: isTensor(value) ? value : null, text: describe(value), relation };
}

function relationOf(value: ValueRecord, inputs: readonly ValueRecord[], names: readonly string[]): string | null {
  if (!isTensor(value) || value.storage === null) return null;
  const at = inputs.findIndex((input) => isTensor(input) && input.storage === value.storage);
  if (at === -1) return "memory of its own";
  const input = inputs[at] as TensorRecord;
  const name = names[at] as string;
  if (!sameView(value, input)) return `view of ${name}: same storage`;
  if (value.version !== null && input.version !== null && value.version > input.version)
    return `${name} changed in place: version ${input.version} → ${value.version}`;
  return `${name} itself: same storage, same strides`;
}

const sameView = (a: TensorRecord, b: TensorRecord): boolean =>
  a.offset === b.offset && a.shape.join() === b.shape.join() && a.strides.join() === b.strides.join();

/** Position in the storage of each element of a small tensor, row by row; null if it is not small. */
export function storagePicture(tensor: TensorRecord): number[][] | null {
  const { shape, strides, offset } = tensor;
  if (shape.length === 0 || shape.length > 2 || shape.length !== strides.length) return null;
  const [rows, columns] = shape.length === 1 ? [1, shape[0] as number] : [shape[0] as number, shape[1] as number];
  if (rows * columns === 0 || rows > 8 || columns > 12) return null;
  const [down, right] = shape.length === 1 ? [0, strides[0] as number] : [strides[0] as number, strides[1] as number];
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (_, c) => offset + r * down + c * right),
  );
}

const told = new Set([
  "id",
  "parent",
  "kind",
  "name",
  "start",
  "end",
  "source",
  "mirrors",
  "inputs",
  "outputs",
  "error",
  "op",
  "operator",
  "how",
  "args",
  "tls",
  "keyset",
  "key",
  "kernel",
  "origin",
  "file",
  "mirrors_line",
]);

/** Fields specific to this kind of event (shape of an iterator, allocated bytes, ...), as text. */
export function furtherFields(event: TraceEvent): { readonly name: string; readonly text: string }[] {
  return Object.entries(event)
    .filter(([name, value]) => (!told.has(name) || (name === "kernel" && event.kind === "stub")) && value !== undefined)
    .map(([name, value]) => ({
      name: name.replaceAll("_", " "),
      text: typeof value === "string" ? value : JSON.stringify(value).replaceAll(",", ", "),
    }));
}
