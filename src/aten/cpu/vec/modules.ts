/**
 * @file WebAssembly modules as functions: the bytes in a generated file become callable at their first use, on the heap's memory.
 * @original A linker does this for machine code.
 * @see Vec.ts (the text they are made of), tools/codegen/dest/vec_kernels.ts (makes the bytes)
 */
import { ScalarType } from "#c10/core/ScalarType";

/** A module's bytes in base64. */
export interface VecBytes {
  readonly SIMD128: string;
  /** The bytes that differ with fused multiply-add, as `place:bytes` in hexadecimal; absent if none do. */
  readonly RELAXED_SIMD?: string;
}

/** Dtypes that have vectors, by their names in VecBytes. */
const DTYPES: ReadonlyMap<string, ScalarType> = new Map<string, ScalarType>([
  ["float32", ScalarType.Float],
  ["float64", ScalarType.Double],
  ["int32", ScalarType.Int],
  ["int64", ScalarType.Long],
  ["float16", ScalarType.Half],
  ["bfloat16", ScalarType.BFloat16],
]);

/**
 * The functions `F` of a `@vec` file, for each of its dtypes. Each module's bytes are in a function of their own, so
 * that a page loads only those that it runs.
 */
export class VecModules<F> {
  private readonly bytes_: ((() => VecBytes) | undefined)[] = [];
  private made_: (F | undefined)[] = [];
  private memory_: WebAssembly.Memory | null = null;

  constructor(bytes: Readonly<Record<string, () => VecBytes>>) {
    for (const [name, b] of Object.entries(bytes)) this.bytes_[DTYPES.get(name) as ScalarType] = b;
  }

  has(dtype: ScalarType): boolean {
    return this.bytes_[dtype] !== undefined;
  }

  /** The capability whose bytes run on this machine; `relaxed` ones have multiply-add as one instruction. */
  capability(dtype: ScalarType, relaxed: boolean): keyof VecBytes {
    return relaxed && this.bytes_[dtype]?.().RELAXED_SIMD !== undefined ? "RELAXED_SIMD" : "SIMD128";
  }

  /** The functions, working on `memory`; `relaxed` is the same at every call. Precondition: `has(dtype)`. */
  get(dtype: ScalarType, memory: WebAssembly.Memory, relaxed = false): F {
    const made = memory === this.memory_ ? this.made_[dtype] : undefined;
    return made ?? this.make(dtype, memory, relaxed);
  }

  private make(dtype: ScalarType, memory: WebAssembly.Memory, relaxed: boolean): F {
    const bytes = bytes_of((this.bytes_[dtype] as () => VecBytes)(), relaxed);
    if (memory !== this.memory_) this.made_ = [];
    this.memory_ = memory;
    return (this.made_[dtype] = instantiate(bytes, memory) as F);
  }
}

/** A function in a form that another thread can use: its module, and its place among the module's exports. */
export interface KernelSource {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly which: number;
}

const sources = new WeakMap<object, KernelSource>();

/** The source of a kernel; undefined if it is not a function of a module. */
export function kernel_source(kernel: object): KernelSource | undefined {
  return sources.get(kernel);
}

/** The exports of a module that imports `memory` as `env.memory`. */
export function instantiate(code: Uint8Array<ArrayBuffer>, memory: WebAssembly.Memory): unknown {
  const bytes = with_memory(code, is_shared(memory));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  for (const [which, kernel] of Object.values(exports).entries()) sources.set(kernel, { bytes, which });
  return exports;
}

function is_shared(memory: WebAssembly.Memory): boolean {
  return typeof SharedArrayBuffer !== "undefined" && memory.buffer instanceof SharedArrayBuffer;
}

/** The import entry: `env`, `memory`, and the kind "memory"; the next byte holds its flags. */
const IMPORT = [3, 101, 110, 118, 6, 109, 101, 109, 111, 114, 121, 2];
const SHARED = 2;

/** The module's bytes for shared or unshared memory: the import must say which. */
export function with_memory(bytes: Uint8Array<ArrayBuffer>, shared: boolean): Uint8Array<ArrayBuffer> {
  const out = bytes.slice();
  for (let at = 0; at < out.length; at++) {
    if (!IMPORT.every((byte, k) => out[at + k] === byte)) continue;
    const flags = at + IMPORT.length;
    out[flags] = shared ? out[flags] | SHARED : out[flags] & ~SHARED;
    return out;
  }
  throw new Error("the module imports no env.memory");
}

/** The module's bytes for this machine. */
export function bytes_of({ SIMD128, RELAXED_SIMD }: VecBytes, relaxed: boolean): Uint8Array<ArrayBuffer> {
  const binary = atob(SIMD128);
  const out = new Uint8Array(binary.length);
  for (let k = 0; k < out.length; k++) out[k] = binary.charCodeAt(k);
  for (const change of relaxed ? (RELAXED_SIMD?.split(" ") ?? []) : []) {
    const [place, hex] = change.split(":");
    for (let k = 0; k < hex.length; k += 2)
      out[Number.parseInt(place, 16) + k / 2] = Number.parseInt(hex.slice(k, k + 2), 16);
  }
  return out;
}
