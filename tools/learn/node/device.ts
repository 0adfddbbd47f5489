/**
 * @file The WebGPU device of a process of Node: a package brings it, found where the library's own device finds it.
 * @original
 */
import { find_module } from "#c10/webgpu/find";
import { type OpenedDevice, openDevice } from "../kernel/device.ts";

/** Kept as long as the process: without the object that `create` returns, Node ends in the midst of an await. */
let gpu: GPU | null = null;
let opened: Promise<OpenedDevice | string> | null = null;

/** Opened once; or why there is none. */
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
