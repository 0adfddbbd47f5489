/**
 * @file Scalar functions for a GPU: for each dtype the body that codegen wrote, or the reason why there is none, and
 * the programs compiled from it.
 * @original In CUDA a lambda is compiled with the kernel around it.
 * @see wgsl/printer.ts (the text), native/webgpu/Loops.ts (who runs it)
 */
import { NumScalarTypes, type ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import type { ValueType } from "../cpu/vec/ir.ts";
import type { CaptureKind } from "../Dispatch.ts";
import { DTYPES } from "./dtypes.ts";
import { ASSERTS, type Signature } from "./wgsl/printer.ts";

/** A scalar function for one dtype. */
export class ScalarFunction implements Signature {
  readonly name: string;
  readonly inputs: Signature["inputs"];
  readonly captures: Signature["captures"];
  readonly outputs: Signature["outputs"];
  /** Lines of WGSL, indented. */
  readonly body: string;
  /** The conditions that the body asserts; it calls `kernel_assert(condition, k)` for the k-th. */
  readonly asserts: readonly string[];
  /** Dtypes of the outputs, then of the inputs. */
  readonly dtypes: readonly ScalarType[];

  constructor(signature: Signature, body: string, asserts: readonly string[]) {
    this.name = signature.name;
    this.inputs = signature.inputs;
    this.captures = signature.captures;
    this.outputs = signature.outputs;
    this.body = body;
    this.asserts = asserts;
    this.dtypes = [...signature.outputs, ...signature.inputs].map(({ dtype }) => DTYPES.get(dtype) as ScalarType);
  }
}

/** `mul float32 (self: float32, other: float32) -> float32` and `gcd float32: why not` */
const HEAD = /^([\w$]+) ([\w ]+) \((.*)\) -> (.*)$/;
const REFUSED = /^[\w$]+ ([\w ]+): (.*)$/;

export class ScalarFunctions {
  /** The function's name, and its name in errors: `mul_webgpu`. */
  readonly name: string;
  readonly label: string;
  /** The file of the scalar function. */
  readonly file: string;
  /** The operand whose dtype selects the body, for each type variable. */
  readonly by: readonly number[];
  readonly captures: readonly CaptureKind[];
  private readonly text: string;
  private table_: (ScalarFunction | undefined)[] | null = null;

  constructor(
    name: string,
    label: string,
    file: string,
    by: readonly number[],
    captures: readonly CaptureKind[],
    text: string,
  ) {
    this.name = name;
    this.label = label;
    this.file = file;
    this.by = by;
    this.captures = captures;
    this.text = text;
  }

  /** The body for a dtype, or for two. @throws {NotImplementedError} `"gcd_webgpu" not implemented for 'Float'` */
  get(first: ScalarType, second: ScalarType | -1 = -1): ScalarFunction {
    return this.table()[first * (NumScalarTypes + 1) + second + 1] ?? this.missing(first, second);
  }

  find(first: ScalarType, second: ScalarType | -1 = -1): ScalarFunction | undefined {
    return this.table()[first * (NumScalarTypes + 1) + second + 1];
  }

  /** All functions, in the order of the text. */
  all(): readonly ScalarFunction[] {
    return this.table().filter((fn) => fn !== undefined);
  }

  private missing(first: ScalarType, second: ScalarType | -1): never {
    const known = this.all().some(({ name }) => name.split(" ").includes(NAMES[first]));
    const blamed = (second >= 0 && known ? second : first) as ScalarType;
    TORCH_CHECK_NOT_IMPLEMENTED(false, '"', this.label, "\" not implemented for '", toString(blamed), "'");
    throw new Error("unreachable");
  }

  private table(): readonly (ScalarFunction | undefined)[] {
    return this.table_ ?? (this.table_ = this.read());
  }

  private read(): (ScalarFunction | undefined)[] {
    const table: (ScalarFunction | undefined)[] = [];
    let heads: Signature[] = [];
    let body: string[] = [];
    let asserts: string[] = [];
    const finish = (): void => {
      if (body.length === 0) return;
      for (const head of heads) {
        const [first, second = -1] = head.name
          .split(" ")
          .slice(1)
          .map((name) => DTYPES.get(name) as ScalarType);
        table[first * (NumScalarTypes + 1) + second + 1] = new ScalarFunction(head, body.join("\n"), asserts);
      }
      heads = [];
      body = [];
      asserts = [];
    };
    for (const line of this.text.trim().split("\n")) {
      if (line.startsWith("  ")) {
        body.push(line);
        continue;
      }
      finish();
      if (line.startsWith(ASSERTS)) {
        asserts.push(line.slice(ASSERTS.length));
        continue;
      }
      if (!REFUSED.test(line)) heads.push(read_head(line));
    }
    finish();
    return table;
  }
}

const NAMES: Readonly<Record<number, string>> = Object.fromEntries([...DTYPES].map(([name, dtype]) => [dtype, name]));

function read_head(line: string): Signature {
  const [, name, dtypes, params, results] = HEAD.exec(line) as RegExpExecArray;
  const inputs: { name: string; dtype: string }[] = [];
  const captures: { name: string; type: ValueType }[] = [];
  for (const param of params === "" ? [] : params.split(", ")) {
    const [of, type] = param.split(": ");
    if (type.startsWith("captured ")) captures.push({ name: of, type: type.slice("captured ".length) as ValueType });
    else inputs.push({ name: of, dtype: type });
  }
  return { name: `${name} ${dtypes}`, inputs, captures, outputs: results.split(", ").map((dtype) => ({ dtype })) };
}
