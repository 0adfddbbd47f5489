/** TorchScript's own operators, called by their schemas, against what PyTorch's made of the same arguments. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { Dict } from "#aten/core/Dict";
import { parseSchema } from "#aten/core/function_schema_parser";
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { Device } from "#c10/core/Device";
import { getAllOperatorsFor } from "#torch/csrc-equivalent/jit/runtime/operator";
import "#torch/csrc-equivalent/jit/runtime/profiling_graph_executor_impl";
import { type Any, readFixture } from "../../../helpers/recorded.ts";

interface Case {
  readonly op: string;
  readonly types: readonly string[];
  readonly calls: readonly (readonly [args: Any[], outcome: Any])[];
}
const { cases } = readFixture<{ cases: Case[] }>(new URL("../../../fixtures/jit/prim_ops.json.gz", import.meta.url));

const typeOf = (text: string): Type => parseSchema(`f(${text} a) -> ()`).arguments()[0].type();

/** A recorded value as one of a type. */
function box(value: Any, type: Type): IValue {
  if (type.kind() === "OptionalType") return value === null ? IValue.None : box(value, type.containedType());
  if (value === null) return IValue.None;
  switch (type.kind()) {
    case "ListType": {
      const element = type.containedType();
      return IValue.fromList(
        new List(
          element,
          value.map((item: Any) => box(item, element)),
        ),
      );
    }
    case "TupleType":
      return IValue.fromTuple(value.$tuple.map((item: Any, i: number) => box(item, type.containedType(i))));
    case "DictType": {
      const [key, inner] = type.containedTypes();
      const dict = new Dict(key, inner);
      for (const [k, v] of value.$dict) dict.insert_or_assign(box(k, key), box(v, inner));
      return IValue.fromDict(dict);
    }
  }
  if (typeof value === "boolean") return IValue.fromBool(value);
  if (typeof value === "number") return IValue.fromInt(value);
  if (typeof value === "string") return IValue.fromString(value);
  if ("$int" in value) return IValue.fromInt(BigInt(value.$int));
  if ("$float" in value) return IValue.fromDouble(float(value.$float));
  if ("$complex" in value)
    return IValue.fromComplexDouble({ real: float(value.$complex[0]), imag: float(value.$complex[1]) });
  if ("$device" in value) return IValue.opaque("Device", Device.parse(value.$device));
  const [dtype, sizes, data] = value.$tensor;
  const numbers = data.map((item: Any) => (item?.$float === undefined ? item : new torch.Float(float(item.$float))));
  const tensor = torch.tensor(numbers, { dtype: (torch as Any)[dtype] }).reshape(sizes);
  return IValue.fromTensor((tensor as Any).cdata);
}

const float = (text: string): number => Number(text.replace("inf", "Infinity").replace("nan", "NaN"));

/** A value as the recorder writes it. A float is compared with few units in the last place. */
function unbox(value: IValue): Any {
  switch (value.tag) {
    case "None":
      return null;
    case "Int": {
      const payload = value.payload as number | bigint;
      return typeof payload === "bigint" ? { $int: String(payload) } : payload;
    }
    case "Double":
      return { $float: value.payload };
    case "ComplexDouble": {
      const { real, imag } = value.toComplexDouble();
      return { $complex: [real, imag] };
    }
    case "GenericList":
      return value.toList().vec().map(unbox);
    case "Tuple":
      return { $tuple: value.toTuple().map(unbox) };
    case "GenericDict":
      return { $dict: [...value.toGenericDict().entries()].map(({ key, value: inner }) => [unbox(key), unbox(inner)]) };
    case "Device":
      return { $device: String(value.payload) };
    case "Tensor": {
      const tensor = value.toTensor();
      if (!tensor.defined()) return null;
      const flat = tensor.reshape([-1]);
      const items = Array.from({ length: tensor.numel() }, (_, i) => flat.select_int(0, i).item());
      const numbers = items.map((item) => unbox(IValue.fromScalar(item)));
      return { $tensor: [tensor.scalar_type(), [...tensor.sizes()], numbers] };
    }
    default:
      return value.payload;
  }
}

const near = (a: number, b: number): boolean =>
  Object.is(a, b) || a === b || Math.abs(a - b) <= 4e-15 * Math.max(Math.abs(a), Math.abs(b)) + 1e-322;
/** Real and imaginary part, as a share of the number's size: the functions are computed by other formulas. */
function complex_near(a: readonly number[], b: readonly number[]): boolean {
  const size = Math.hypot(b[0], b[1]);
  return a.every(
    (x, i) => near(x, b[i]) || Math.abs(x - b[i]) <= 1e-14 * size || !Number.isFinite(b[i]) || !Number.isFinite(size),
  );
}

function same(ours: Any, theirs: Any): boolean {
  if (theirs === null || typeof theirs !== "object") return ours === theirs;
  if (ours === null || typeof ours !== "object") return false;
  if (Array.isArray(theirs))
    return Array.isArray(ours) && ours.length === theirs.length && theirs.every((item, i) => same(ours[i], item));
  if ("$float" in theirs) return "$float" in ours && near(ours.$float, float(theirs.$float));
  if ("$complex" in theirs) return "$complex" in ours && complex_near(ours.$complex, theirs.$complex.map(float));
  if ("$tensor" in theirs) return "$tensor" in ours && same(ours.$tensor.slice(1), theirs.$tensor.slice(1));
  if ("$tuple" in theirs) return same(ours.$tuple, theirs.$tuple);
  if ("$dict" in theirs) return same(ours.$dict, theirs.$dict);
  return JSON.stringify(ours) === JSON.stringify(theirs);
}

const operator = (op: string) => {
  const name = op.replace(/\..*/, "");
  const found = getAllOperatorsFor(name).find((other) => String(other.schema().operator_name()) === op);
  if (found === undefined) throw new Error(`no operator ${op}`);
  return found;
};

/** A call's outcome in the recorder's form. */
function outcome({ op, types }: Case, args: readonly Any[]): Any {
  const given = args.map((arg, i) => box(arg, typeOf(types[i])));
  const stack = [...given];
  try {
    operator(op).getOperation()(stack);
  } catch (error) {
    const name =
      error !== null && typeof error === "object" && "getPythonClassName" in error
        ? (error as Any).getPythonClassName()
        : null;
    return { error: `${name ?? "RuntimeError"}: ${(error as Error).message}` };
  }
  return { result: { $tuple: [...stack, ...given].map(unbox) } };
}

/** Outcomes that say nothing: PyTorch's process died, an optional was read that is empty, nothing was pushed (complex == int), or a result cannot be shown. */
const defects = /Unsupported TypeMeta|Invalid number of inputs: 3|strides\(\) called on an undefined Tensor/;

function agrees({ op }: Case, args: readonly Any[], ours: Any, theirs: Any): boolean {
  if ("crash" in theirs || defects.test(theirs.error)) return true;
  if (/are not built here/.test(ours.error)) return /complex/.test(JSON.stringify([theirs, args])); // complex tensors
  if (/__is/.test(op) && typeof args[0] === "string" && args[0] === args[1]) return true; // see is_same_ivalue
  if ("undecodable" in theirs) return "result" in ours && has_lone_byte(ours.result);
  if ("error" in theirs) {
    if (!("error" in ours)) return false;
    if (/INTERNAL ASSERT/.test(theirs.error)) return true;
    return ours.error.replace(/\nHint: .*/s, "") === theirs.error;
  }
  return "result" in ours && same(ours.result, theirs.result);
}

/** Whether a string in the value holds a byte that is no UTF-8. */
function has_lone_byte(value: Any): boolean {
  if (typeof value === "string") return /[\udc80-\udcff]/.test(value.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""));
  return value !== null && typeof value === "object" && Object.values(value).some(has_lone_byte);
}

/** Cases by name of the operator. */
const groups = new Map<string, Case[]>();
for (const one of cases) {
  const name = one.op.replace(/\..*/, "");
  groups.set(name, [...(groups.get(name) ?? []), one]);
}

describe("recorded calls", () => {
  test.each([...groups])("%s", (_, group) => {
    const wrong: string[] = [];
    for (const one of group)
      for (const [args, theirs] of one.calls) {
        const ours = outcome(one, args);
        if (!agrees(one, args, ours, theirs))
          wrong.push(`${one.op}${JSON.stringify(args)}: ${JSON.stringify(ours)}, PyTorch: ${JSON.stringify(theirs)}`);
      }
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
