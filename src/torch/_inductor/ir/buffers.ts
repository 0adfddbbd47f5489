/**
 * @file Memory with a name: arguments of the graph, results of loops, results of library calls.
 * @mirrors torch/_inductor/ir.py#Buffer
 */
import type { OpOverload } from "#torch/_ops";
import type { Node } from "#torch/fx/node";
import { IRNode, type Layout, type Loops, type Strided } from "./index.ts";

export abstract class Buffer extends IRNode {
  readonly name: string;
  layout: Layout;

  constructor(name: string, layout: Layout) {
    super();
    this.name = name;
    this.layout = layout;
  }
}

/** An argument of the graph. */
export class InputBuffer extends Buffer {}

/** A tensor that the graph holds. (`ConstantBuffer`) */
export class ConstantBuffer extends Buffer {
  readonly value: unknown;

  constructor(name: string, layout: Layout, value: unknown) {
    super(name, layout);
    this.value = value;
  }
}

/** A loop that is stored. */
export class ComputedBuffer extends Buffer {
  readonly data: Loops;
  readonly data_origins: ReadonlySet<Node>;

  constructor(name: string, layout: Layout, data: Loops) {
    super(name, layout);
    this.data = data;
    this.data_origins = data.origins;
  }
}

/** An argument of a library call: a value, or memory in place of a tensor. */
export class TensorArgument {
  readonly strided: Strided;

  constructor(strided: Strided) {
    this.strided = strided;
  }
}

/** A call into the library of operators. */
export abstract class ExternKernel extends Buffer {
  readonly op: OpOverload;
  readonly args: readonly unknown[];
  readonly kwargs: ReadonlyMap<string, unknown>;
  readonly inputs: readonly Buffer[];

  constructor(
    name: string,
    layout: Layout,
    op: OpOverload,
    args: readonly unknown[],
    kwargs: ReadonlyMap<string, unknown>,
    inputs: readonly Buffer[],
  ) {
    super(name, layout);
    this.op = op;
    this.args = args;
    this.kwargs = kwargs;
    this.inputs = inputs;
  }
}

/** A call that writes its result to a buffer that is given: `extern_kernels.mm(a, b, out=buf0)`. */
export class ExternKernelOut extends ExternKernel {}

/** A call that makes its result: `buf0 = extern_kernels.convolution(...)`. */
export class ExternKernelAlloc extends ExternKernel {}

/** An operator that has no lowering: `buf0 = torch.ops.aten.cumsum.default(...)`. */
export class FallbackKernel extends ExternKernel {}

/** One of several results of a call. */
export class MultiOutput extends Buffer {
  readonly call: ExternKernel;
  readonly which: number;

  constructor(name: string, layout: Layout, call: ExternKernel, which: number) {
    super(name, layout);
    this.call = call;
    this.which = which;
  }
}
