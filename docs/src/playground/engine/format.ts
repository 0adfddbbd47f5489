/**
 * @file How a value prints in the console: tensors, modules and whatever has a `__repr__` as PyTorch prints them, the rest as Node would.
 * @original
 */

const WIDTH = 76;
const DEPTH = 3;
const ITEMS = 100;

/** The text of one call of `console.log`. */
export function formatAll(values: readonly unknown[]): string {
  const [first, ...rest] = values;
  if (typeof first === "string" && /%[sdifoOc%]/.test(first)) return formatPattern(first, rest);
  return values.map((value) => (typeof value === "string" ? value : format(value))).join(" ");
}

function formatPattern(pattern: string, values: unknown[]): string {
  const left = [...values];
  const text = pattern.replace(/%([sdifoOc%])/g, (all, letter: string) => {
    if (letter === "%") return "%";
    if (left.length === 0) return all;
    const value = left.shift();
    if (letter === "c") return "";
    if (letter === "s") return typeof value === "string" ? value : format(value);
    if (letter === "d" || letter === "f") return String(Number(value));
    if (letter === "i") return String(Math.trunc(Number(value)));
    return format(value);
  });
  return [text, ...left.map((value) => (typeof value === "string" ? value : format(value)))].join(" ");
}

export function format(value: unknown, depth = 0, seen: readonly unknown[] = []): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "symbol":
      return String(value);
    case "function":
      // A module is called like a function, and prints as itself.
      if (typeof (value as { __repr__?: unknown }).__repr__ === "function") return representation(value) ?? "";
      return /^class\b/.test(Function.prototype.toString.call(value))
        ? `[class ${value.name || "(anonymous)"}]`
        : `[Function: ${value.name || "(anonymous)"}]`;
    case "object":
      return value === null ? "null" : formatObject(value, depth, seen);
    default:
      return Object.is(value, -0) ? "-0" : String(value);
  }
}

function formatObject(value: object, depth: number, seen: readonly unknown[]): string {
  if (seen.includes(value)) return "[Circular]";
  const own = representation(value);
  if (own !== null) return own;
  if (value instanceof Error) return value.stack?.split("\n")[0] ?? String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return "Promise {}";
  const name = value.constructor?.name ?? "[null prototype]";
  const inner = [...seen, value];
  const item = (x: unknown): string => format(x, depth + 1, inner);
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const list = value as unknown as ArrayLike<unknown>;
    const head = Array.isArray(value) ? "" : `${name}(${list.length}) `;
    if (depth >= DEPTH && list.length > 0) return `[${name}]`;
    return (
      head +
      enclose(
        "[",
        Array.from({ length: Math.min(list.length, ITEMS) }, (_, i) => item(list[i])),
        "]",
        list.length,
      )
    );
  }
  if (depth >= DEPTH) return `[${name}]`;
  if (value instanceof Map)
    return `Map(${value.size}) ${enclose(
      "{",
      [...value].slice(0, ITEMS).map(([k, v]) => `${item(k)} => ${item(v)}`),
      "}",
      value.size,
    )}`;
  if (value instanceof Set)
    return `Set(${value.size}) ${enclose("{", [...value].slice(0, ITEMS).map(item), "}", value.size)}`;
  const entries = Object.keys(value);
  const shown = entries.slice(0, ITEMS).map((key) => {
    const field = Object.getOwnPropertyDescriptor(value, key);
    const text = field?.get !== undefined ? "[Getter]" : item(field?.value);
    return `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}: ${text}`;
  });
  return `${name === "Object" ? "" : `${name} `}${enclose("{", shown, "}", entries.length)}`;
}

/** The object's own text: Python's `__repr__`, or a `toString` of its own class. */
function representation(value: object): string | null {
  const { __repr__, toString } = value as { __repr__?: unknown; toString?: unknown };
  try {
    if (typeof __repr__ === "function") return String(__repr__.call(value));
    const builtin = [Object.prototype.toString, Array.prototype.toString, Error.prototype.toString] as unknown[];
    const plain = Array.isArray(value) || ArrayBuffer.isView(value) || value instanceof Map || value instanceof Set;
    if (!plain && typeof toString === "function" && !builtin.includes(toString) && !isBuiltIn(toString))
      return String(toString.call(value));
  } catch (error) {
    return `[${value.constructor?.name}: its text could not be made: ${(error as Error).message}]`;
  }
  return null;
}

function isBuiltIn(fn: unknown): boolean {
  return Function.prototype.toString.call(fn).includes("[native code]");
}

function enclose(open: string, parts: readonly string[], close: string, count: number): string {
  const all = count > parts.length ? [...parts, `… ${count - parts.length} more`] : parts;
  if (all.length === 0) return open + close;
  const space = open === "{" ? " " : "";
  const line = `${open}${space}${all.join(", ")}${space}${close}`;
  if (line.length <= WIDTH && !line.includes("\n")) return line;
  return `${open}\n${all.map((part) => `  ${part.replaceAll("\n", "\n  ")}`).join(",\n")}\n${close}`;
}
