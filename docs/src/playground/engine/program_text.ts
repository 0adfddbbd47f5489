/**
 * @file Reads from a program's text how to run it, and what the names in an error are.
 * @original
 */
import type { Program } from "./protocol.ts";

/** Whether the library is loaded before the program's first line; one that imports it later wants to watch it load. */
export function importsTorch(text: string): boolean {
  return /^import\s(?!type)[^;]*["']glasstorch(?:\/webgpu)?["']/m.test(text);
}

/** Whether the device is turned on before the program's first line. */
export function turnsDeviceOn(text: string): boolean {
  return /^import\s(?!type)[^;]*["']glasstorch\/webgpu["']/m.test(text);
}

/** Whether it may turn the device on, or use a part of it. */
export function namesDevice(text: string): boolean {
  return /["'](?:glasstorch|#[\w/-]+)\/webgpu["'/]/.test(text);
}

/** Whether it may use a part of the library that captures programs. */
export function namesGraphs(text: string): boolean {
  return /\b(?:fx|jit|functorch|functionalize|torch\.(?:export|func))\b|glasstorch\/(?:export|func)/.test(text);
}

/** Whether it may use `torch.compile`. */
export function namesCompile(text: string): boolean {
  return /\btorch\.(?:compile|_dynamo|_inductor)\b|glasstorch\/compile/.test(text);
}

/** Whether a program in TypeScript runs programs in Python. */
export function namesPython(text: string): boolean {
  return /["']glasstorch\/python["']/.test(text);
}

/** Whether it reads texts of the repository, itself or by what shows a device's recordings. */
export function readsFiles(text: string): boolean {
  return /["']node:fs["']|["']\.\/support\/device\.ts["']/.test(text);
}

/** A walkthrough keeps its recordings itself. */
export function usesWalkthrough(text: string): boolean {
  return /\bfrom\s*["'][./]*(?:support\/)?walkthrough\.ts["']/.test(text);
}

/** A program that imports `record` says itself what is recorded. */
export function recordsItself(text: string): boolean {
  return /import\s*\{[^}]*\brecord\b[^}]*\}\s*from\s*["']glasstorch\/trace["']/.test(text);
}

/** An engine's message with the program's own names: where it says `torch`, the script has `_glasstorch2.default`. */
export function asWritten(message: string, { text, js }: Program): string {
  let written = message;
  for (const [, module, specifier] of js.matchAll(/\bvar (_\w+) = require\('([^']+)'\)/g)) {
    const whole = new RegExp(`var (_\\w+) = _interopRequire\\w+\\(${module}\\)`).exec(js)?.[1];
    const name = new RegExp(`import\\s+(?:\\*\\s*as\\s+)?(\\w+)[^;]*?["']${specifier.replace(/\W/g, "\\$&")}["']`).exec(
      text,
    )?.[1];
    if (whole !== undefined && name !== undefined)
      written = written.replaceAll(`${whole}.default`, name).replaceAll(whole, name);
    written = written.replace(new RegExp(`\\(0 ?, ?${module}\\.(\\w+)\\)`, "g"), "$1").replaceAll(`${module}.`, "");
  }
  return written;
}
