/**
 * @file Short texts of a Python program's values, for a reader who steps through it. Making one runs nothing of the program: an object whose
 * class the program wrote is shown by its class, because its `__repr__` is a function of the program.
 * @original
 */
import type { Loader } from "./loader.ts";

/** Letters of one text. */
const LONGEST = 120;
/** Elements shown of a list, and levels of lists in lists. */
const ITEMS = 8;
const DEPTH = 3;
/** A tensor of no more elements shows their values. */
const ELEMENTS = 6;

interface Impl {
  sizes(): readonly number[];
  strides(): readonly number[];
  numel(): number;
  device(): { str(): string };
  data_view?(): ArrayLike<number | bigint>;
  data_offset?(): number;
}

/** The parts of a type object that are read here. */
interface Type {
  readonly name: string;
  readonly heap: boolean;
}

export type TextOf = (value: unknown) => string;

/** @param loader has the Python machine */
export function valueTexts(loader: Loader): TextOf {
  const { type_of, INFO } = loader.require("src/python/Objects/typeobject.ts");
  const { repr } = loader.require("src/python/Objects/object.ts");
  const { PyTuple } = loader.require("src/python/Objects/tupleobject.ts");
  const { PySet } = loader.require("src/python/Objects/setobject.ts");
  const { PyModule } = loader.require("src/python/Objects/moduleobject.ts");
  const { BaseException } = loader.require("src/python/Objects/exceptions.ts");
  const { FloatValue } = loader.require("src/python/Objects/floatobject.ts");
  const { FUNCTION } = loader.require("src/python/Objects/call.ts");
  const { describeValue } = loader.require("src/trace/describe.ts");

  const list = (values: Iterable<unknown>, size: number, depth: number): string => {
    if (size > 0 && depth >= DEPTH) return "…";
    const shown: string[] = [];
    for (const value of values) {
      if (shown.length === ITEMS) break;
      shown.push(text(value, depth + 1));
    }
    return [...shown, ...(size > ITEMS ? [`… ${size - ITEMS} more`] : [])].join(", ");
  };
  const entries = (map: ReadonlyMap<unknown, unknown>, depth: number): string => {
    if (map.size > 0 && depth >= DEPTH) return "…";
    const shown = [...map].slice(0, ITEMS).map(([key, value]) => `${text(key, depth + 1)}: ${text(value, depth + 1)}`);
    return [...shown, ...(map.size > ITEMS ? [`… ${map.size - ITEMS} more`] : [])].join(", ");
  };

  const tensor = (value: object): string | null => {
    const cdata = (value as { cdata?: { impl_?: Impl } }).cdata;
    const impl = cdata?.impl_;
    if (impl === undefined) return null;
    const record = describeValue(value, { values: false, storages: new Map(), nodes: new Map() });
    if (typeof record !== "object") return "tensor";
    const name = `tensor [${record.shape.join(", ")}] ${record.dtype}`;
    if (!record.device.startsWith("cpu")) return `${name} ${record.device}`;
    return record.shape.length > 1 || impl.numel() > ELEMENTS ? name : `${name}: ${elements(impl)}`;
  };

  const text = (value: unknown, depth: number): string => {
    if (value === undefined) return "NULL";
    if (value === null || typeof value === "boolean" || typeof value === "number" || typeof value === "bigint")
      return repr(value);
    if (typeof value === "string")
      return value.length > LONGEST ? `${repr(value.slice(0, LONGEST))}… ${value.length} letters` : repr(value);
    if (value instanceof FloatValue) return repr(value);
    if (typeof value === "function" && FUNCTION in value)
      return `<function ${(value as unknown as Record<symbol, { readonly name: string }>)[FUNCTION as symbol]?.name}>`;
    if (typeof value === "function" && INFO in value)
      return `<class '${((value as unknown as Record<symbol, Type>)[INFO] as Type).name}'>`;
    const shape = typeof value === "object" ? tensor(value) : null;
    if (shape !== null) return shape;
    const type = type_of(value) as Type;
    if (value instanceof PyModule) return `<module '${(value as { name: string }).name}'>`;
    if (type.heap) return `<${type.name} object>`;
    if (value instanceof PyTuple) {
      const items = value as unknown as unknown[];
      const inner = list(items, items.length, depth);
      return type.name === "tuple" ? `(${inner}${items.length === 1 ? "," : ""})` : `${type.name}([${inner}])`;
    }
    if (Array.isArray(value)) return `[${list(value, value.length, depth)}]`;
    if (value instanceof Map) return `{${entries(value, depth)}}`;
    if (value instanceof PySet) {
      const { elements } = value as unknown as { readonly elements: readonly unknown[] };
      return elements.length === 0 ? "set()" : `{${list(elements, elements.length, depth)}}`;
    }
    if (value instanceof BaseException) return `<${type.name}>`;
    if (type.name === "module") return repr(value);
    if (PLAIN.has(type.name)) return repr(value);
    return `<${type.name}>`;
  };
  return (value) => {
    try {
      const made = text(value, 0);
      return made.length > LONGEST ? `${made.slice(0, LONGEST)}…` : made;
    } catch {
      return "<?>";
    }
  };
}

/** Types whose `repr` calls no function of a program. */
const PLAIN = new Set(["range", "slice", "bytes", "complex", "ellipsis", "dtype", "device", "layout", "memory_format"]);

function elements(impl: Impl): string {
  const data = impl.data_view?.();
  const base = impl.data_offset?.();
  if (data === undefined || base === undefined) return "";
  const [stride = 1] = impl.strides();
  const numbers = Array.from({ length: impl.numel() }, (_, i) => shortNumber(data[base + i * stride] as number));
  return impl.sizes().length === 0 ? (numbers[0] ?? "") : `[${numbers.join(", ")}]`;
}

const shortNumber = (value: number | bigint): string =>
  typeof value === "bigint" || Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
