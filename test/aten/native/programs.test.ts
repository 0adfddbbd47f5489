/**
 * Short programs of operator calls, with what PyTorch 2.13.0 answered: dtype, shape, strides, offset, storage size, aliasing, values bit
 * for bit, the operators called on the way, error types and texts. Recorded by tools/oracle/record_native.py.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getDefaultCPUGenerator } from "#aten/CPUGeneratorImpl";
import { Dispatcher } from "#aten/core/dispatch/Dispatcher";
import { empty_cpu } from "#aten/EmptyTensor";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as _ops from "#aten/generated/Operators";
import "#aten/generated/RegisterAll";
import { scalar_fill } from "#aten/ScalarOps";
import { Device } from "#c10/core/Device";
import { Layout } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { elementSize, getDtypeNames, ScalarType } from "#c10/core/ScalarType";
import { setWarningHandler, type WarningHandler } from "#c10/util/Exception";
import { fp16_ieee_to_fp32_value } from "#c10/util/Half";
import { setTracer, type TraceData, type TraceKind, type Tracer } from "#c10/util/Trace";
import { farthest } from "../../helpers/assert_close.ts";

// biome-ignore lint/suspicious/noExplicitAny: recorded values are of every type
type Any = any;

interface Program {
  readonly calls: readonly [string, ...Any[]][];
  readonly value?: Any;
  readonly error?: string;
  readonly message?: string;
  readonly ops?: string;
}

const recorded: { programs: Record<string, Program[]> } = JSON.parse(
  gunzipSync(readFileSync(new URL("../../fixtures/native/programs.json.gz", import.meta.url))).toString(),
);

const dtypes = new Map<string, ScalarType>();
for (const type of Object.values(ScalarType)) if (type < 46) dtypes.set(getDtypeNames(type)[0], type);

const formats: Record<string, MemoryFormat> = {
  channels_last: MemoryFormat.ChannelsLast,
  contiguous_format: MemoryFormat.Contiguous,
  preserve_format: MemoryFormat.Preserve,
};

function number(v: Any): number {
  if (typeof v === "number") return v;
  if (v === "inf" || v === "-inf") return v === "inf" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  return Number(v);
}

/** `torch.tensor(values, dtype=...)`, below everything. */
function makeTensor(values: Any[], dtype: string): Tensor {
  const type = dtypes.get(dtype) as ScalarType;
  const result = empty_cpu([values.length], type);
  const integral = /int|bool/.test(dtype);
  for (let i = 0; i < values.length; i++) {
    const element = result.select_int(0, i);
    const v = values[i];
    if (integral) scalar_fill(element, Scalar.fromInt(typeof v === "object" ? BigInt(v.$int) : v));
    else if (type === ScalarType.Double || type === ScalarType.Float)
      (element.impl_.data_view() as Float64Array)[element.impl_.data_offset()] = number(v);
    else scalar_fill(element, Scalar.fromDouble(number(v)));
  }
  return result;
}

const isScalar = (type: string): boolean => /^(Scalar|number)\b/.test(type);

function decode(a: Any, type: string, results: Any[]): Any {
  if (typeof a === "string" && a.startsWith("$")) {
    const [k, part] = a.slice(1).split(".");
    return part === undefined ? results[Number(k)] : results[Number(k)][Number(part)];
  }
  if (Array.isArray(a)) return a.map((v) => decode(v, type.replace(/\[\d*\]\??$/, ""), results));
  if (a !== null && typeof a === "object") {
    const [kind, v] = Object.entries(a)[0] as [string, Any];
    if (kind === "$dtype") return dtypes.get(v);
    if (kind === "$layout") return Layout.Sparse;
    if (kind === "$mf") return formats[v];
    if (kind === "$device") return Device.parse(v);
    if (kind === "$f") return isScalar(type) ? Scalar.fromDouble(number(v)) : number(v);
    if (kind === "$bool") return isScalar(type) ? Scalar.fromBool(v) : v;
    if (kind === "$size") return results[Number(v[0].slice(1))].size(v[1]);
    if (kind === "$call") return runCall(v, results);
    if (kind === "$made") return v;
  }
  return typeof a === "number" && isScalar(type) ? Scalar.fromInt(a) : a;
}

function runCall([op, ...args]: [string, ...Any[]], results: Any[]): Any {
  if (op === "fails") {
    expect(() => runCall(args as [string, ...Any[]], results)).toThrow();
    return null;
  }
  if (op === "seed") return getDefaultCPUGenerator().set_current_seed(BigInt(args[0]));
  if (op === "tensor") return makeTensor(args[0], args[1]);
  const [base, overload = ""] = op.split(".") as [string, string?];
  const schema = Dispatcher.singleton().findSchemaOrThrow(`aten::${base}`, overload).schema();
  const parameters = schema.arguments();
  const values = parameters.map((p, i) => {
    if (i < args.length) return decode(args[i], String(p.real_type()), results);
    const value = p.default_value();
    return value === null ? null : value.isNone() ? null : value.toJS(p.real_type());
  });
  const name = overload === "" ? base : `${base}_${overload}`;
  return (_ops as Any)[name].call(...values);
}

/** The tensors that an argument asks for, made before the calls are recorded. */
function materialize(a: Any, results: Any[]): Any {
  if (Array.isArray(a)) return a.map((v) => materialize(v, results));
  return a !== null && typeof a === "object" && "$call" in a ? { $made: runCall(a.$call, results) } : a;
}

/** The operators called, nested: `reshape(clone(empty_like(empty) copy_) _unsafe_view)`. */
class OperatorTree implements Tracer {
  private text = "";
  private readonly closes: boolean[] = [];

  begin(kind: TraceKind, _name: string, data?: TraceData): number {
    const call = kind === "op" && !String(data?.["how"]).startsWith("redispatch");
    if (call)
      this.text += `${this.text === "" || this.text.endsWith("(") ? "" : " "}${String(data?.["op"]).replace(/^aten::|\..*$/g, "")}(`;
    return this.closes.push(call) - 1;
  }

  end(id: number): void {
    while (this.closes.length > id) if (this.closes.pop()) this.text += ")";
  }

  toString(): string {
    return this.text.replaceAll("()", "");
  }
}

function bytesOf(t: Tensor): Uint8Array {
  const positive = t.resolve_neg();
  const dense = positive.is_contiguous() ? positive : positive.contiguous();
  const itemsize = elementSize(dense.scalar_type());
  const from = dense.storage_offset() * itemsize;
  return dense
    .storage()
    .bytes()
    .slice(from, from + dense.numel() * itemsize);
}

const views: Record<string, (b: ArrayBuffer) => ArrayLike<number | bigint>> = {
  float32: (b) => new Float32Array(b),
  float64: (b) => new Float64Array(b),
  int64: (b) => new BigInt64Array(b),
  int32: (b) => new Int32Array(b),
  int16: (b) => new Int16Array(b),
  float16: (b) => new Uint16Array(b),
  bfloat16: (b) => new Uint16Array(b),
};

function isNaN_(x: number | bigint | undefined, dtype: string): boolean {
  if (dtype === "bfloat16") return (Number(x) & 0x7fff) > 0x7f80;
  if (dtype === "float16") return (Number(x) & 0x7fff) > 0x7c00;
  return Number.isNaN(x);
}

/** libm.ts's `log` and `Math.log1p` differ from glibc's, by an ulp, in one of some 1500 results: float64 normals may show it. */
const LOG_MISSES = 1e-3;
const ULP = 4.5e-16;

/** Null if the same bits; a NaN is a NaN, whatever its sign. */
function differs(actual: Uint8Array, expected: Uint8Array, dtype: string): string | null {
  const view = views[dtype] ?? ((b: ArrayBuffer) => new Uint8Array(b));
  const [a, e] = [view(actual.slice().buffer), view(expected.slice().buffer)];
  if (a.length !== e.length) return `${a.length} elements instead of ${e.length}`;
  let count = 0;
  let farther = 0;
  let first = "";
  for (let i = 0; i < a.length; i++) {
    if (Object.is(a[i], e[i]) || (isNaN_(a[i], dtype) && isNaN_(e[i], dtype))) continue;
    if (dtype !== "float64" || Math.abs(Number(a[i]) - Number(e[i])) > ULP * Math.max(1, Math.abs(Number(e[i]))))
      farther++;
    if (count++ === 0) first = `element ${i} is ${a[i]} instead of ${e[i]}`;
  }
  if (farther === 0 && count <= Math.max(1, a.length * LOG_MISSES)) return null;
  return count === 0 ? null : `${count} of ${a.length} elements differ: ${first}`;
}

/** Made of cosines and Bessel functions, whose last digits are not PyTorch's: values are close, as torch.testing has it. */
const CLOSE = new Set(["windows"]);

function numbersOf(bytes: Uint8Array, dtype: string): number[] {
  const read: (x: number) => number =
    dtype === "float16"
      ? fp16_ieee_to_fp32_value
      : dtype === "bfloat16"
        ? (bits) => new Float32Array(new Uint32Array([bits * 2 ** 16]).buffer)[0]
        : (x) => x;
  return Array.from(views[dtype](bytes.slice().buffer) as ArrayLike<number>, read);
}

/** `differs`, but for the last digits. */
function is_far(actual: Uint8Array, expected: Uint8Array, dtype: string): string | null {
  return farthest(numbersOf(actual, dtype), numbersOf(expected, dtype), dtype);
}

function complaint(actual: Any, expected: Any, results: Any[], compare = differs): string | null {
  if (expected.list !== undefined) {
    if (!Array.isArray(actual) || actual.length !== expected.list.length)
      return `${actual} instead of ${expected.list.length} tensors`;
    for (let i = 0; i < actual.length; i++) {
      const found = complaint(actual[i], expected.list[i], results, compare);
      if (found !== null) return `[${i}]: ${found}`;
    }
    return null;
  }
  if (expected.dtype === undefined) {
    const plain =
      actual instanceof Scalar
        ? actual.isBoolean()
          ? actual.toBool()
          : actual.isFloatingPoint()
            ? actual.toDouble()
            : actual.toBigInt()
        : actual;
    const wanted =
      expected.float !== undefined
        ? number(expected.float)
        : expected.bool !== undefined
          ? expected.bool
          : BigInt(expected.int);
    const same = typeof wanted === "bigint" ? BigInt(plain) === wanted : Object.is(plain, wanted);
    return same ? null : `${String(plain)} instead of ${String(wanted)}`;
  }
  if (!(actual instanceof Tensor)) return `${String(actual)} instead of a tensor`;
  const meta = actual.is_meta();
  const alias = results.findIndex(
    (r) => r instanceof Tensor && !meta && !r.is_meta() && r.storage().is_alias_of(actual.storage()),
  );
  const seen = {
    dtype: getDtypeNames(actual.scalar_type())[0],
    shape: actual.sizes(),
    stride: actual.strides(),
    offset: actual.storage_offset(),
    device: meta ? "meta" : "cpu",
    nbytes: actual.storage().nbytes(),
    alias: alias < 0 ? null : alias,
  };
  const { data, ...rest } = expected;
  for (const [key, value] of Object.entries(seen)) {
    if (JSON.stringify(value) !== JSON.stringify(rest[key]))
      return `${key} ${JSON.stringify(value)} instead of ${JSON.stringify(rest[key])}`;
  }
  actual.impl_.checkInvariants();
  return data === null ? null : compare(bytesOf(actual), Uint8Array.from(Buffer.from(data, "base64")), seen.dtype);
}

function run(program: Program, compare: typeof differs): string | null {
  const results: Any[] = [];
  let actual: Any;
  let ops = "";
  try {
    const last = program.calls.at(-1) as [string, ...Any[]];
    for (const call of program.calls.slice(0, -1)) results.push(runCall(call, results));
    const made = materialize(last, results) as [string, ...Any[]];
    const tree = new OperatorTree();
    setTracer(program.ops === undefined ? null : tree);
    try {
      actual = runCall(made, results);
    } finally {
      setTracer(null);
    }
    ops = tree.toString();
  } catch (error) {
    const { name, message, stack } = error as Error;
    if (program.error === undefined) return `threw ${name}: ${message}\n${stack?.split("\n").slice(1, 6).join("\n")}`;
    if (name !== program.error) return `threw a ${name} (${message}) instead of ${program.error}: ${program.message}`;
    if (/INTERNAL ASSERT FAILED/.test(message) && /INTERNAL ASSERT FAILED/.test(program.message ?? "")) return null;
    return message === program.message ? null : `said  ${message}\n  instead of  ${program.message}`;
  }
  if (program.error !== undefined) return `gave a result instead of ${program.error}: ${program.message}`;
  if (program.ops !== undefined && ops !== program.ops) return `called  ${ops}\n  instead of  ${program.ops}`;
  return complaint(actual, program.value, results, compare);
}

let handler: WarningHandler;
beforeAll(() => {
  handler = setWarningHandler(() => {});
});
afterAll(() => {
  setWarningHandler(handler);
});

describe.each(Object.entries(recorded.programs))("%s", (group, programs) => {
  test.each(programs.map((p, i) => [`${i}: ${p.calls.map((c) => JSON.stringify(c)).join(" ")}`, p] as const))(
    "%s",
    (_title, program) => {
      const found = run(program, CLOSE.has(group) ? is_far : differs);
      if (found !== null) expect.fail(found);
    },
  );
});
