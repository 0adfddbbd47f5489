/**
 * @file Runs a kernel that a reader wrote, on the browser's own device, or invocation by invocation in the exercises' simulator where there is none.
 * @original
 */
import { DeviceCard, type OpenedDevice, openDevice } from "../../../../tools/learn/kernel/device";
import { type Card, Gpu } from "../../../../tools/learn/kernel/gpu";
import { KernelError } from "../../../../tools/learn/kernel/wgsl";

export interface Outcome {
  /** Which machine ran it. */
  readonly machine: string;
  readonly result: readonly number[] | null;
  readonly error: { readonly line: number | null; readonly message: string } | null;
}

let opened: Promise<OpenedDevice | string> | null = null;

function device(): Promise<OpenedDevice | string> {
  opened ??= "gpu" in navigator ? openDevice(navigator.gpu) : Promise.resolve("this browser has no WebGPU");
  return opened;
}

/** `x` and `y` in, as many numbers out: bindings 0, 1 and 2. */
export async function run(kernel: string, x: Float32Array, y: Float32Array, groups: number): Promise<Outcome> {
  const found = await device();
  const host = (card: Card): Float32Array => {
    const buffers = [x, y, x].map(({ byteLength }) => card.createBuffer(byteLength));
    const [a, b, out] = buffers as [(typeof buffers)[0], (typeof buffers)[0], (typeof buffers)[0]];
    card.writeBuffer(a, x);
    card.writeBuffer(b, y);
    card.dispatch(kernel, buffers, [groups]);
    return card.readBuffer(out);
  };
  const machine =
    typeof found === "string"
      ? `The simulator ran it, since ${found}.`
      : `${found.name}, the device of this browser, ran it.`;
  try {
    if (typeof found === "string") {
      const card = new Gpu();
      return { machine, result: [...host(card)], error: null };
    }
    const card = new DeviceCard(found);
    return { machine, result: [...(await card.run(() => host(card)))], error: null };
  } catch (error) {
    const line = error instanceof KernelError ? error.place.line : null;
    return { machine, result: null, error: { line, message: (error as Error).message } };
  }
}
