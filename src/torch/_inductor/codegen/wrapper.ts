/**
 * @file The program of a compiled graph: a list of steps on registers, and the same as Python text for readers.
 *
 *     buf0 = empty_strided((64, 32), (32, 1), torch.float32)        registers[1] = a new tensor
 *     wasm_fused_add_mul_0(arg0_1, buf0)                            the WebAssembly function on two addresses
 *     return (buf0, )
 *
 * @mirrors torch/_inductor/codegen/wrapper.py
 * @differs The text is not run: each of its lines has a closure, and a call runs these.
 */
import { empty_strided_cpu } from "#aten/EmptyTensor";
import type { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import { ScalarType } from "#c10/core/ScalarType";
import { repr } from "#python/Objects/object";
import { THPVariable_Wrap } from "#torch/_C";
import { overload_of } from "#torch/_decomp/index";
import { HigherOrderOperator } from "#torch/_higher_order_ops/higher_order_operator";
import type { OpOverload } from "#torch/_ops";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import { GraphModule } from "#torch/fx/graph_module";
import { config } from "../config.ts";
import {
  type Buffer,
  type ExternKernel,
  ExternKernelOut,
  FallbackKernel,
  type MultiOutput,
  TensorArgument,
} from "../ir/buffers.ts";
import type { Layout, Strided } from "../ir/index.ts";

/** The tensors of a running call; null where one is not made yet, or not needed any more. */
export type Registers = (AtTensor | null)[];
export type Step = (registers: Registers) => void;

const DTYPES: Readonly<Record<string, ScalarType>> = {
  uint8: ScalarType.Byte,
  int8: ScalarType.Char,
  int16: ScalarType.Short,
  int32: ScalarType.Int,
  int64: ScalarType.Long,
  float16: ScalarType.Half,
  float32: ScalarType.Float,
  float64: ScalarType.Double,
  bool: ScalarType.Bool,
  bfloat16: ScalarType.BFloat16,
};

const tuple_text = (items: readonly unknown[]): string =>
  items.length === 1 ? `(${String(items[0])}, )` : `(${items.map(String).join(", ")})`;
const same = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((x, i) => x === b[i]);
const wrapped = (t: AtTensor): Tensor => THPVariable_Wrap(t) as Tensor;

/** `aten.cumsum.default`, `higher_order.cond`. */
const library_text = (op: OpOverload): string =>
  op instanceof HigherOrderOperator ? `${op.namespace}.${op._name}` : String(op);

/** The tensor with these strides. The branches of a conditional may give results with other ones. */
function with_strides(t: Tensor, stride: readonly number[]): Tensor {
  const [sizes, strides] = [t.cdata.sizes(), t.cdata.strides()];
  if (stride.every((it, d) => it === strides[d] || sizes[d] < 2)) return t;
  return torch.empty_strided([...sizes], [...stride], { dtype: t.dtype }).copy_(t);
}

export class WrapperCodegen {
  readonly steps: Step[] = [];
  readonly lines: string[] = [];
  readonly registers = new Map<string, number>();
  /** Buffers that nobody needs any more, whose memory may be used again. */
  private readonly free: Buffer[] = [];

  register(name: string): number {
    let at = this.registers.get(name);
    if (at === undefined) {
      at = this.registers.size;
      this.registers.set(name, at);
    }
    return at;
  }

  private add(line: string, step: Step): void {
    this.lines.push(line);
    this.steps.push(step);
  }

  /** A buffer for a kernel to write to. */
  allocate(buffer: Buffer): void {
    const { size, stride, dtype } = buffer.layout;
    const to = this.register(buffer.name);
    const old = this.free.findIndex(
      ({ layout }) => layout.dtype === dtype && same(layout.size, size) && same(layout.stride, stride),
    );
    if (old >= 0) {
      const [reused] = this.free.splice(old, 1);
      const from = this.register(reused.name);
      this.add(`${buffer.name} = ${reused.name}; del ${reused.name}  # reuse`, (r) => {
        r[to] = r[from];
        r[from] = null;
      });
      return;
    }
    const type = DTYPES[dtype];
    this.add(`${buffer.name} = empty_strided(${tuple_text(size)}, ${tuple_text(stride)}, torch.${dtype})`, (r) => {
      r[to] = empty_strided_cpu(size, stride, type);
    });
  }

  /** A buffer is not needed any more. */
  release(buffer: Buffer, can_be_reused: boolean): void {
    if (can_be_reused && config.allow_buffer_reuse) {
      this.free.push(buffer);
      return;
    }
    const at = this.register(buffer.name);
    this.add(`del ${buffer.name}`, (r) => {
      r[at] = null;
    });
  }

  kernel(
    name: string,
    parameters: readonly string[],
    launch: (registers: Registers, at: readonly number[]) => void,
  ): void {
    const at = parameters.map((p) => this.register(p));
    this.add(`${name}(${parameters.join(", ")})`, (r) => launch(r, at));
  }

  // ---- calls of the library

  private strided(value: Strided): [text: string, read: (r: Registers) => Tensor] {
    const { buffer, layout } = value;
    const at = this.register(buffer.name);
    if (is_whole(buffer.layout, layout)) return [buffer.name, (r) => wrapped(r[at] as AtTensor)];
    const { size, stride, offset } = layout;
    const text = `reinterpret_tensor(${buffer.name}, ${tuple_text(size)}, ${tuple_text(stride)}, ${offset})`;
    return [
      text,
      (r) => {
        const base = r[at] as AtTensor;
        return wrapped(base.as_strided([...size], [...stride], base.storage_offset() + offset));
      },
    ];
  }

  /** An argument, with tensors in place of the memory that it names. */
  private argument(value: unknown): [text: string, read: (r: Registers) => unknown] {
    if (value instanceof TensorArgument) return this.strided(value.strided);
    if (value instanceof GraphModule) return ["GraphModule()", () => value];
    if (Array.isArray(value) && value.some((item) => item instanceof TensorArgument || Array.isArray(item))) {
      const parts = [...(value as unknown[])].map((item) => this.argument(item));
      const readers = parts.map(([, read]) => read);
      return [`[${parts.map(([text]) => text).join(", ")}]`, (r) => readers.map((read) => read(r))];
    }
    return [repr(value ?? null), () => value];
  }

  extern(kernel: ExternKernel): void {
    const args = kernel.args.map((arg) => this.argument(arg));
    const kwargs = [...kernel.kwargs].map(([name, value]) => [name, ...this.argument(value)] as const);
    const readers = args.map(([, read]) => read);
    const texts = [...args.map(([text]) => text), ...kwargs.map(([name, text]) => `${name}=${text}`)];
    const at = this.register(kernel.name);
    const call = (op: OpOverload, r: Registers, out: Tensor | null): unknown => {
      const keywords = new Map(kwargs.map(([name, , read]) => [name, read(r)]));
      if (out !== null) keywords.set("out", out);
      return call_function(
        op,
        readers.map((read) => read(r)),
        keywords,
      );
    };
    const opname = kernel.op._opname;
    if (kernel instanceof ExternKernelOut) {
      this.allocate(kernel);
      const op = overload_of(`${opname}.out`);
      this.add(`extern_kernels.${opname}(${[...texts, `out=${kernel.name}`].join(", ")})`, (r) => {
        call(op, r, wrapped(r[at] as AtTensor));
      });
      return;
    }
    const name = kernel instanceof FallbackKernel ? `torch.ops.${library_text(kernel.op)}` : `extern_kernels.${opname}`;
    this.add(`${kernel.name} = ${name}(${texts.join(", ")})`, (r) => {
      const result = call(kernel.op, r, null);
      r[at] = Array.isArray(result) ? (result as unknown as AtTensor) : ((result as Tensor | null)?.cdata ?? null);
    });
  }

  multi_output(output: MultiOutput): void {
    const [from, to] = [this.register(output.call.name), this.register(output.name)];
    this.add(`${output.name} = ${output.call.name}[${output.which}]`, (r) => {
      r[to] = with_strides((r[from] as unknown as readonly Tensor[])[output.which], output.layout.stride).cdata;
    });
  }

  // ---- the end

  /** Reads the results of the graph. */
  results(outputs: readonly (Strided | number | bigint | boolean | null)[]): (r: Registers) => unknown[] {
    const parts = outputs.map((value): [string, (r: Registers) => unknown] =>
      typeof value === "object" && value !== null && "buffer" in value
        ? this.strided(value)
        : [repr(value), () => value],
    );
    this.lines.push(`return ${tuple_text(parts.map(([text]) => text))}`);
    const readers = parts.map(([, read]) => read);
    return (r) => readers.map((read) => read(r));
  }
}

const is_whole = (whole: Layout, part: Layout): boolean =>
  part.offset === whole.offset && same(part.size, whole.size) && same(part.stride, whole.stride);
