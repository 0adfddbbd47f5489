/**
 * @file The WebGPU device of a Node process: a package provides it, found like the library's own device.
 * @original
 */
import { find_module } from "#c10/webgpu/find";
import { type OpenedDevice, openDevice } from "../kernel/device.ts";

/** Kept as long as the process: without the object that `create` returns, Node ends in the middle of an await. */
let gpu: GPU | null = null;
let opened: Promise<OpenedDevice | string> | null = null;

/** The device, opened once; or the reason why there is none. */
export function deviceOfNode(): Promise<OpenedDevice | string> {
  opened ??= open();
  return opened;
}

async function open(): Promise<OpenedDevice | string> {
  let path: string | null;
  try {
    path = find_module();
  } catch {
    return "Node has no WebGPU (npm install --no-save webgpu)";
  }
  try {
    const { create } = (await import(path as string)) as { create(flags: string[]): GPU };
    gpu = create([]);
  } catch (error) {
    return `the package webgpu does not load: ${(error as Error).message.split("\n")[0]}`;
  }
  return openDevice(gpu);
}
