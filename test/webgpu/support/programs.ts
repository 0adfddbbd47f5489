/**
 * @file A random program of tools/oracle/fuzz, run on the CPU and on the device side by side: after every step the same result or the same
 * error, and every tensor the same in all that can be seen.
 * @original
 *
 * As there, elements that are close become equal after each step, so each is judged by what it did itself.
 */

import { setWarningHandler } from "../../../src/c10/util/Exception.ts";
import { tuple } from "../../../src/python/Objects/tupleobject.ts";
import { close } from "../../../tools/oracle/fuzz/elements.ts";
import type { Any } from "../../../tools/oracle/fuzz/library.ts";
import type { Program, Step, Wire } from "../../../tools/oracle/fuzz/program.ts";
import { type Outcome, Run } from "../../../tools/oracle/fuzz/run.ts";
import { eachElement, graphs } from "../../../tools/oracle/fuzz/state.ts";
import { dtypeName, fromBytes } from "../../helpers/recorded.ts";
import { torch } from "./both.ts";

const library = { torch, setWarningHandler, tuple };

/** Makes tensors out of nothing: on the device where it is told so. */
const FACTORIES =
  /^torch\.(tensor|zeros|ones|full|empty|empty_strided|arange|range|eye|linspace|logspace|scalar_tensor|tril_indices|triu_indices|bartlett_window|blackman_window|hamming_window|hann_window|kaiser_window)$/;
/** Whose numbers are each device's own. */
const RANDOM =
  /rand|dropout|bernoulli|exponential|normal|uniform|multinomial|cauchy|geometric|poisson|binomial|rrelu|seed|rng_state/;

class DeviceRun extends Run {
  override decode(v: Wire): Any {
    const value = super.decode(v);
    return v !== null && typeof v === "object" && "$device" in v && value.type === "cpu"
      ? torch.device("webgpu")
      : value;
  }

  /** `host`: what the CPU gave; an error is to be the same, without an argument more. */
  beside(step: Step, host: Outcome): Outcome {
    const made = FACTORIES.test(step.call) && step.kwargs["device"] === undefined && host.error === undefined;
    return this.run(made ? { ...step, kwargs: { ...step.kwargs, device: { $device: "webgpu" } } } : step);
  }
}

function bytes_of(t: Any): Uint8Array {
  const n = t.untyped_storage().nbytes();
  if (t.device.type === "meta") return new Uint8Array(n);
  if (t.device.type === "cpu") return t.untyped_storage().bytes().slice(0, n);
  const flat = torch.empty([0], { dtype: torch.uint8, device: "webgpu" }) as Any;
  return flat.set_(t.untyped_storage(), 0, [n], [1]).cpu().untyped_storage().bytes().slice(0, n);
}

function elements_of(t: Any, bytes: Uint8Array): (number | bigint)[] {
  const size = t.itemsize;
  const out: number[] = [];
  eachElement(t, (at) => {
    for (let i = 0; i < size; i++) out.push(bytes[at + i] ?? 0);
  });
  return fromBytes(Uint8Array.from(out), dtypeName(t));
}

function refused<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    return words((error as Error).message);
  }
}

/** The words of the device where the CPU's name it. */
export function words(message: string): string {
  return message
    .replaceAll(/,\s*device='webgpu:0'/g, "")
    .replaceAll(/"\w+"(?= not implemented for)/g, '"kernel"') // each device's has its own name
    .replaceAll(/webgpu(:0)?/gi, "cpu")
    .replaceAll("AutogradPrivateUse1", "AutogradCPU")
    .replaceAll(/privateuseone|PrivateUse1/g, "CPU");
}

/** All but the elements. */
function facts(t: Any, names: ReadonlyMap<Any, string>, counts_versions: boolean): string {
  return JSON.stringify({
    dtype: dtypeName(t),
    device: t.device.type === "webgpu" ? "cpu" : t.device.type,
    shape: [...t.shape],
    stride: [...t.stride()],
    offset: t.storage_offset(),
    version: t.is_inference() || !counts_versions ? -1 : refused(() => t._version),
    neg: t.is_neg(),
    requires_grad: t.requires_grad,
    leaf: refused(() => t.is_leaf),
    grad_fn: refused(() => t.grad_fn?.name() ?? null),
    output_nr: refused(() => t.output_nr),
    view: t._is_view(),
    base: t._base === null ? null : (names.get(t._base) ?? "another"),
    nbytes: t.untyped_storage().nbytes(),
  });
}

export interface Difference {
  readonly step: number;
  readonly call: string;
  readonly said: string;
}

/** A step that ends a program: after it the two devices may differ. */
export const ENDS = "ends";
/** Errors that a kernel finds, and that are reported when the caller waits; an integer division by 0 is not one of them, as on CUDA. */
const LATE = /out of bounds|out of range|ZeroDivisionError/;

function wait(): void {
  try {
    (torch as Any).webgpu.synchronize();
  } catch {} // a device-side assertion
}

function is_on(value: Any, type: string): boolean {
  return value instanceof torch.Tensor && (value as Any).device.type === type;
}

export class Pair {
  #counts_versions = true;
  readonly host: Run;
  readonly device: DeviceRun;
  constructor(seed: number) {
    this.host = new Run(library, seed);
    this.device = new DeviceRun(library, seed);
  }

  step(step: Step): string | null {
    const random = RANDOM.test(step.call);
    const host = this.host.run(step);
    const device = this.device.beside(step, host);
    if (host.error !== undefined && device.error === undefined && LATE.test((host.error as Error).message)) {
      wait();
      return ENDS;
    }
    if ((device.error as Error | undefined)?.message.startsWith("Cannot convert a WebGPU Tensor to ")) return ENDS;
    if (step.out.some((name) => is_on(this.device.env.get(name), "cpu"))) return ENDS; // nothing named the device
    if (step.kwargs["out"] !== undefined || step.scope === "inference_mode") this.#counts_versions = false; // resized by an operator, where the CPU goes a shorter way
    const writes_out = /out|grad_input|values/.test(Object.keys(step.kwargs).join());
    if (host.error !== undefined && writes_out) return this.#outcome(host, device) ?? ENDS;
    this.host.zero(step.zeroed);
    for (const name of step.zeroed) this.#zero(name);
    return this.#outcome(host, device) ?? this.#variables(random);
  }

  #zero(name: string): void {
    const t = this.device.env.get(name);
    if (t?.device.type === "webgpu") t.untyped_storage().fill_(0);
    else this.device.zero([name]);
  }

  #outcome(host: Outcome, device: Outcome): string | null {
    const said = (o: Outcome): string =>
      o.error === undefined
        ? "a result"
        : words(`${(o.error as Error).name}: ${(o.error as Error).message}`).replaceAll(/\s+/g, " ");
    if (said(host) !== said(device)) {
      const stack = (device.error as Error | undefined)?.stack?.split("\n").slice(0, 8).join("\n");
      return `gave ${said(device)}\n  on the CPU ${said(host)}\n${stack ?? ""}`;
    }
    const plain = (v: Any): string =>
      v instanceof torch.Tensor
        ? "tensor"
        : Array.isArray(v)
          ? `[${v.map(plain)}]`
          : typeof v === "object" && v !== null && !(v instanceof torch.Float)
            ? "object"
            : words(String(v));
    const [x, y] = [plain(host.result), plain(device.result)];
    if (x === y || (typeof host.result === "number" && close(Number(device.result), host.result, "float32")))
      return null;
    if (host.result instanceof torch.Float && close(Number(device.result), Number(host.result), "float32")) return null;
    return `gave ${y}, on the CPU ${x}`;
  }

  #variables(random: boolean): string | null {
    const [a, b] = [this.host.env, this.device.env];
    if (String([...a.keys()]) !== String([...b.keys()])) return `made ${[...b.keys()]}, on the CPU ${[...a.keys()]}`;
    const names = [a, b].map((env) => new Map([...env].map(([name, value]) => [value, name])));
    for (const [name, host] of a) {
      const device = b.get(name);
      if (!(host instanceof torch.Tensor)) continue;
      const said = this.#tensor(name, host, device, names, random);
      if (said !== null) return said;
      const grads = [host, device].map((t) => (t.is_leaf || t.retains_grad ? t.grad : null));
      if ((grads[0] === null) !== (grads[1] === null)) return `${name}.grad is ${grads[1]}, on the CPU ${grads[0]}`;
      if (grads[0] === null) continue;
      const of_grad = this.#tensor(`${name}.grad`, grads[0], grads[1], names, random);
      if (of_grad !== null) return of_grad;
    }
    return null;
  }

  #tensor(
    name: string,
    host: Any,
    device: Any,
    names: readonly ReadonlyMap<Any, string>[],
    random: boolean,
  ): string | null {
    const [x, y] = [
      facts(host, names[0] as ReadonlyMap<Any, string>, this.#counts_versions),
      facts(device, names[1] as ReadonlyMap<Any, string>, this.#counts_versions),
    ];
    if (x !== y) return `${name} is ${y}\n  on the CPU ${x}`;
    if (device.device.type !== "webgpu" || host._is_zerotensor()) return null;
    const [p, q] = [bytes_of(host), bytes_of(device)];
    if (Buffer.compare(p, q) === 0) return null;
    const dtype = dtypeName(host);
    const [want, got] = [elements_of(host, p), elements_of(device, q)];
    const far = random ? -1 : want.findIndex((w, i) => !close(got[i] as number, w, dtype));
    if (far !== -1)
      return `${name}: element ${far} of ${dtype} is ${got[far]}, on the CPU ${want[far]}\n  [${got.slice(0, 12)}]\n  [${want.slice(0, 12)}]`;
    const back = torch.empty([p.length], { dtype: torch.uint8 }) as Any;
    back.untyped_storage().bytes().set(p);
    const flat = torch.empty([0], { dtype: torch.uint8, device: "webgpu" }) as Any;
    flat.set_(device.untyped_storage(), 0, [p.length], [1]).copy_(back);
    return null;
  }

  end(): string | null {
    const [x, y] = [this.host, this.device].map((run) => JSON.stringify(graphs(run)));
    return x === y ? null : `graph ${y}\n  on the CPU ${x}`;
  }
}

function uses_missing(wire: Wire, pair: Pair): boolean {
  const names = [...JSON.stringify(wire).matchAll(/"\$(?:v|storage)":"(\w+)"/g)].map((m) => m[1]);
  return names.some((name) => !pair.host.env.has(name));
}

/** Whether a step differs by design, or reads memory that the step has resized. */
function is_left_out(step: Step): boolean {
  if (
    /is_cpu|is_privateuseone|Tensor.type$|get_device|pin|is_cuda|_foreach_.*\.Tensor|dropout|_efficientzerotensor|_copy_from|numpy/.test(
      `${step.call} ${JSON.stringify(step.args[1] ?? "")}`,
    )
  )
    return true;
  if (JSON.stringify([step.args, step.kwargs]).includes('"$device"')) return true;
  if (step.call.startsWith("aten.") && typeof step.args[0] === "number") return true; // a number as a tensor is the CPU's
  const out = JSON.stringify(step.kwargs["out"] ?? null).match(/"v\d+"/g) ?? [];
  const { out: _, ...others } = step.kwargs;
  return out.some((name) => JSON.stringify([step.args, others]).includes(name));
}

export function compare_devices(written: Program): Difference | null {
  const program: Program = JSON.parse(
    JSON.stringify(written)
      .replaceAll('{"$torch":"float64"}', '{"$torch":"float32"}')
      .replaceAll('{"$torch":"double"}', '{"$torch":"float32"}'),
  );
  const pair = new Pair(program.seed);
  for (const [at, step] of program.steps.entries()) {
    if (is_left_out(step) || step.args.some((a) => uses_missing(a, pair))) continue;
    const said = pair.step(step);
    if (said === ENDS) return null;
    if (said !== null) return { step: at, call: step.call, said };
  }
  const said = pair.end();
  return said === null ? null : { step: program.steps.length, call: "", said };
}
