/**
 * @file A GPU of software for Node: Dawn from npm's `webgpu`, over SwiftShader out of `@sparticuz/chromium`. On other machines than Linux on
 * x86-64, and where `VK_ICD_FILENAMES` or `WEBGPU_ADAPTER=system` says so, the system's own adapter.
 * @original
 */
import { createRequire } from "node:module";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { set_webgpu_module } from "../../../src/c10/webgpu/find.ts";
import { unpacked_chromium } from "../../../tools/unpack_chromium.ts";

export const modules = fileURLToPath(new URL("../node_modules/", import.meta.url));

/** Call it in the main thread, before the device is opened: only there does Node hand its environment to the process. */
export async function use_swiftshader(): Promise<void> {
  set_webgpu_module(createRequire(import.meta.url).resolve("webgpu"));
  const has = process.platform === "linux" && process.arch === "x64";
  if (!has || process.env["WEBGPU_ADAPTER"] === "system" || process.env["VK_ICD_FILENAMES"] !== undefined) return;
  const folder = await unpacked_chromium(modules);
  process.env["VK_ICD_FILENAMES"] = join(folder, "vk_swiftshader_icd.json");
  const flags = constants.dlopen.RTLD_NOW | constants.dlopen.RTLD_GLOBAL | 0x1000; // RTLD_NODELETE
  try {
    process.dlopen({ exports: {} }, join(folder, "libvulkan.so.1"), flags);
  } catch {} // it is no addon of Node; but it stays loaded, and Dawn finds it
}
