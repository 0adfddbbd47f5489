/**
 * @file The server's kernels, compiled at their first launch and kept by their text, also for later programs.
 * @original CUDA's kernels come compiled with the library; nvrtc is the nearest relative.
 */
import type { KernelSource } from "../interface.ts";
import type { Protocol } from "../protocol.ts";
import type { OpenDevice } from "./open.ts";
import type { Segments } from "./segments.ts";

export interface Kernel {
  readonly source: KernelSource;
  /** The pipeline; null until compiled. */
  pipeline: GPUComputePipeline | null;
  /** The compiler's errors, if it failed. A launch then only reports them. */
  complaint: string | null;
}

export interface Kernels {
  define(id: number, source: KernelSource): void;
  get(id: number): Kernel;
  /** Resolves when the kernel is compiled, or known to be faulty. */
  compile(kernel: Kernel): Promise<void>;
  /** Compiles without waiting. A faulty kernel is noticed later, and work submitted with it is lost. */
  compile_at_once(kernel: Kernel): void;
  /** Resolves when all kernels so far are known to be good or faulty. */
  known(): Promise<unknown>;
}

export type Fail = (failure: number, message: string, kernel?: string) => void;

/** Makes the kernels. Sent to workers as text: uses nothing from outside but its arguments. */
export function device_kernels(
  { device, compiled }: OpenDevice,
  { Failure }: Protocol,
  segments: Segments,
  fail: Fail,
): Kernels {
  const MOST_KEPT = 4096;
  const by_id: Kernel[] = [];
  let compiling: Promise<unknown> = Promise.resolve();

  /** The compiler's messages, with line and column where it names them, and the text of those lines. */
  const complaints = async (module: GPUShaderModule, code: string, otherwise: string): Promise<string> => {
    const { messages } = await module.getCompilationInfo();
    const errors = messages.filter(({ type }) => type === "error");
    if (errors.length === 0) return otherwise;
    const lines = code.split("\n");
    const line = (number: number): string => (number === 0 ? "" : `\n  ${lines[number - 1].trim()}`);
    return errors.map(({ lineNum, linePos, message }) => `${lineNum}:${linePos} ${message}${line(lineNum)}`).join("\n");
  };

  const compile_text = async ({ source }: Kernel): Promise<GPUComputePipeline | string> => {
    const { name: label, code, slots, written } = source;
    device.pushErrorScope("validation");
    const module = device.createShaderModule({ label, code });
    const scope = device.popErrorScope();
    const layout = segments.pipeline_layout(slots, written);
    const made = device
      .createComputePipelineAsync({ label, layout, compute: { module, entryPoint: "main" } })
      .catch((error: Error) => error.message);
    const [pipeline, invalid] = await Promise.all([made, scope]);
    if (invalid !== null) return complaints(module, code, invalid.message);
    return typeof pipeline === "string" ? complaints(module, code, pipeline) : pipeline;
  };

  const found_bad = (kernel: Kernel, complaint: string): void => {
    kernel.complaint = complaint;
    fail(Failure.VALIDATION, complaint, kernel.source.name);
  };

  return {
    define(id, source) {
      const key = `${source.slots} ${source.written} ${source.code}`;
      if (compiled.size >= MOST_KEPT) compiled.clear();
      const known = compiled.get(key);
      by_id[id] = known ?? { source, pipeline: null, complaint: null };
      if (known === undefined) compiled.set(key, by_id[id]);
    },
    get(id) {
      return by_id[id];
    },
    async compile(kernel) {
      const made = await compile_text(kernel);
      if (typeof made === "string") kernel.complaint = made;
      else kernel.pipeline = made;
    },
    compile_at_once(kernel) {
      const { name: label, code, slots, written } = kernel.source;
      device.pushErrorScope("validation");
      const module = device.createShaderModule({ label, code });
      const layout = segments.pipeline_layout(slots, written);
      kernel.pipeline = device.createComputePipeline({ label, layout, compute: { module, entryPoint: "main" } });
      const complain = async (invalid: GPUError | null): Promise<void> => {
        if (invalid !== null) found_bad(kernel, await complaints(module, code, invalid.message));
      };
      const told = device.popErrorScope().then(complain);
      compiling = Promise.all([compiling, told]);
    },
    known: () => compiling,
  };
}
