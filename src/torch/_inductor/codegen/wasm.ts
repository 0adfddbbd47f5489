/**
 * @file `WasmScheduling`: a fused group of nodes becomes one WebAssembly function.
 * @mirrors torch/_inductor/codegen/cpp.py#CppScheduling
 */
import { assemble, print, type WasmFunction } from "#aten/cpu/vec/assembler";
import { address_of, in_heap, region_of, with_addresses } from "#aten/cpu/vec/heap";
import { print_kernels } from "#aten/cpu/vec/ir";
import { instantiate } from "#aten/cpu/vec/modules";
import type { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { heap_memory } from "#c10/core/CPUHeap";
import { RuntimeError } from "#c10/util/Exception";
import type { Buffer } from "../ir/buffers.ts";
import { metrics } from "../metrics.ts";
import type { FusedSchedulerNode } from "../scheduler.ts";
import { get_fused_kernel_name } from "../utils.ts";
import { type KernelPlan, plan_kernel } from "./stages.ts";
import { kernel_of, WasmKernel } from "./wasm_kernel.ts";
import type { Registers, WrapperCodegen } from "./wrapper.ts";

/** Limits of memory that may be imported, in pages: any possible memory. */
const LIMITS = { initial: 1, maximum: 32768, shared: false };

type Function = (...addresses: readonly number[]) => void;

/** Whether kernels can run: there are vectors, and a memory that holds tensors. */
export const has_vectors = (): boolean => get_cpu_capability() !== CPUCapability.DEFAULT && heap_memory() !== null;

/** Functions by the text of their instructions: equal loops are compiled once. (`FxGraphCache`, `CppCodeCache`) */
const code_cache = new Map<string, CompiledFunction>();

/** A function that is compiled at its first call. */
class CompiledFunction {
  private readonly printed: WasmFunction;
  private made: Function | null = null;
  private memory: WebAssembly.Memory | null = null;

  constructor(printed: WasmFunction) {
    this.printed = printed;
  }

  get(): Function {
    const memory = heap_memory() as WebAssembly.Memory;
    if (this.made === null || this.memory !== memory) {
      const exported = instantiate(assemble([this.printed], LIMITS), memory) as Record<string, Function>;
      this.made = exported[this.printed.name];
      this.memory = memory;
    }
    return this.made;
  }
}

function compiled(printed: WasmFunction): CompiledFunction {
  const key = `${printed.params.length} ${printed.body.join("\n")}`;
  let found = code_cache.get(key);
  if (found === undefined) {
    found = new CompiledFunction(printed);
    code_cache.set(key, found);
  }
  return found;
}

const out_of_bounds = (error: unknown): unknown =>
  error instanceof WebAssembly.RuntimeError ? new RuntimeError("index out of bounds") : error;

export class WasmScheduling {
  private readonly wrapper: WrapperCodegen;
  private readonly dtypes: ReadonlyMap<string, string>;
  private readonly buffers: ReadonlyMap<string, Buffer>;
  private kernels = 0;
  /** The definitions of the kernels, as text that is made when it is read. */
  readonly definitions: (() => string)[] = [];

  constructor(wrapper: WrapperCodegen, buffers: ReadonlyMap<string, Buffer>) {
    this.wrapper = wrapper;
    this.buffers = buffers;
    this.dtypes = new Map([...buffers].map(([name, { layout }]) => [name, layout.dtype]));
  }

  /**
   * Writes one kernel for groups of nodes that follow each other, and its call: loop after loop in one function. (`KernelGroup`)
   * @param needed for each group the buffers that are used outside its loops
   */
  codegen_nodes(nodes: readonly FusedSchedulerNode[], needed: readonly ReadonlySet<string>[]): void {
    const plans = nodes.map((node) => plan_kernel(node.snodes, ...node.group, this.dtypes));
    const stored = new Set(
      nodes.flatMap((node, k) => [...node.names].filter((name) => needed[k].has(name) || plans[k].loaded.has(name))),
    );
    const loads = plans.flatMap(({ stages }) =>
      stages.flatMap((stage) => stage.inputs.filter((i) => i.kind === "load")),
    );
    const inputs = [...new Set(loads.map((load) => load.buffer))].filter((name) => !stored.has(name));
    const outputs = [...stored];
    const origins = nodes.flatMap((node) => node.snodes.flatMap((n) => [...n.origins]));
    const name = `wasm_${get_fused_kernel_name(origins)}_${this.kernels++}`;
    metrics.generated_kernel_count++;
    metrics.generated_cpp_vec_kernel_count++;
    const parameters = [...inputs, ...outputs];
    const relaxed = get_cpu_capability() >= CPUCapability.RELAXED_SIMD;
    const printed = joined(
      name,
      plans.map((plan) => new WasmKernel(name, plan, parameters, stored, relaxed).print()),
    );
    for (const output of outputs) this.wrapper.allocate(this.buffers.get(output) as Buffer);
    this.define(name, plans, printed);
    const function_ = compiled(printed);
    this.wrapper.kernel(name, parameters, (registers, at) => launch(function_.get(), registers, at, inputs.length));
  }

  private define(name: string, plans: readonly KernelPlan[], printed: WasmFunction): void {
    this.definitions.push(() => {
      const text = [...plans.map(plan_text), print([printed], LIMITS)].join("\n");
      const comment = text.split("\n").map((line) => `#   ${line}`);
      return [`# value graph and WebAssembly of ${name}`, ...comment, `${name} = async_compile.wasm('${name}')`].join(
        "\n",
      );
    });
  }
}

/** The loops of a plan, and the values of its stages. */
function plan_text({ ranges, stages }: KernelPlan): string {
  const loops = [...ranges].map(([v, size]) => `${v} < ${size}`).join(", ");
  const graphs = stages.map((stage, k) => {
    const places = stage.inputs.flatMap((i) =>
      i.kind === "register" ? [] : [`  ${i.name} = ${i.kind === "load" ? `${i.buffer}[${i.index}]` : String(i.expr)}`],
    );
    const results = stage.reductions.map((r) => `  ${r.buffer} = ${r.type} of ${r.value.name}`);
    return [print_kernels([kernel_of(`stage ${k + 1}, ${stage.kind}:`, stage)]), ...places, ...results].join("\n");
  });
  return [`loops: ${loops === "" ? "none" : loops}`, ...graphs].join("\n");
}

/** One function with the loops of all. Each sets its locals before it uses them, so equal names are one local. */
function joined(name: string, functions: readonly WasmFunction[]): WasmFunction {
  const locals = new Map(functions.flatMap((f) => f.locals.map((local) => [local[0], local] as const)));
  return { ...functions[0], name, locals: [...locals.values()], body: functions.flatMap((f) => f.body) };
}

/** Calls a kernel with the addresses of its tensors; tensors outside the heap are copied to it. */
function launch(fn: Function, r: Registers, at: readonly number[], inputs: number): void {
  try {
    if (at.length === 2) {
      const [a, b] = [(r[at[0]] as AtTensor).impl_, (r[at[1]] as AtTensor).impl_];
      if (in_heap(a) && in_heap(b)) {
        fn(address_of(a), address_of(b));
        return;
      }
    }
    const impls = at.map((k) => (r[k] as AtTensor).impl_);
    if (impls.every(in_heap)) {
      fn(...impls.map(address_of));
      return;
    }
    // Results come first, because they are copied back.
    const regions = [...impls.slice(inputs), ...impls.slice(0, inputs)].map(region_of);
    const outputs = impls.length - inputs;
    const done = with_addresses(regions, (found) => fn(...found.slice(outputs), ...found.slice(0, outputs)), outputs);
    if (!done) throw new RuntimeError("the heap has no room for the arguments of a kernel");
  } catch (error) {
    throw out_of_bounds(error);
  }
}
