/**
 * @file Initial texts: each is complete for codegen, and throws when called because it is not written yet.
 * @original
 */
import { declare, returns_type, scattered_parameters } from "../codegen/api/cpp.ts";
import { FunctionSchema } from "../codegen/function_schema.ts";
import { type TheirOperator, unambiguousName } from "../pytorch/operators.ts";

export interface StubText {
  readonly text: string;
  readonly imports: ReadonlyMap<string, string>;
}

/** Types that a signature may use, with their modules. */
const MODULES: Readonly<Record<string, string>> = {
  Tensor: "#aten/generated/core/TensorBody",
  Scalar: "#c10/core/Scalar",
  ScalarType: "#c10/core/ScalarType",
  Layout: "#c10/core/Layout",
  Device: "#c10/core/Device",
  MemoryFormat: "#c10/core/MemoryFormat",
  Generator: "#aten/core/Generator",
  TensorIteratorBase: "#aten/TensorIterator",
  MetaBase: "#aten/TensorMeta",
  TORCH_CHECK_NOT_IMPLEMENTED: "#c10/util/Exception",
};

function importsOf(text: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(MODULES).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text)));
}

/** The stub of a kernel or a composite. */
export function functionStub({ func }: TheirOperator, kernel: string): StubText {
  const schema = FunctionSchema.parse(func);
  const text = `
// ${func}
export function ${kernel}(${declare(scattered_parameters(schema).map(unused))}): ${returns_type(schema.returns)} {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "${kernel} is not written yet");
}
`;
  return { text, imports: importsOf(text) };
}

/**
 * Two classes: one that determines the result's geometry, one that computes it.
 * @param functional name of the operator that delegates to it, after which the meta class is named
 */
export function structuredStub(
  operator: TheirOperator,
  kernel: string,
  functional: string,
  iterates: boolean,
): StubText {
  const schema = FunctionSchema.parse(operator.func);
  const outs = new Set(schema.arguments.out.map(({ name }) => name));
  const parameters = scattered_parameters(schema).map(unused);
  const inputs = parameters.filter(({ name }) => !outs.has(name.replace(/^_/, "")));
  const meta = `structured_${unambiguousName(functional)}`;
  const how = iterates
    ? "build the iterator: this.build_borrowing_...(this.maybe_get_output(0), ...)"
    : "set its shape and dtype";
  const text = `
// ${operator.func}
export abstract class ${meta} extends ${iterates ? "TensorIteratorBase" : "MetaBase"} {
  meta(${declare(inputs)}): void {
    TORCH_CHECK_NOT_IMPLEMENTED(false, "${meta}: say what the result will be; ${how}");
  }
}
export abstract class structured_${kernel} extends ${meta} {
  impl(${declare(parameters)}): void {
    TORCH_CHECK_NOT_IMPLEMENTED(false, "structured_${kernel} is not written yet");
  }
}
`;
  return { text, imports: importsOf(text) };
}

function unused<T extends { readonly name: string }>(parameter: T): T {
  return { ...parameter, name: `_${parameter.name}` };
}

export function docStub(base: string): string {
  return `  /**
   * TODO: what ${base} does, in a line; the page of the operator is empty without it.
   */
  ${base}: Documented;
`;
}

export function exportStub(base: string, module: string, name: string): string {
  return `/** TODO: what ${base} does, in a line.   \`(*) -> (*)\` */
export const ${name} = _${module}.${base};
`;
}
