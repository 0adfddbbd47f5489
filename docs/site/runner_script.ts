/**
 * @file The script of the worker in which the playground's programs run, as one file: the page starts it from a blob, so it can import
 * nothing.
 * @original
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { build } from "vite";
import { docs } from "./repository.ts";

export async function runnerScript(): Promise<{ readonly script: string; readonly integrity: string }> {
  const made = await build({
    configFile: false,
    root: docs,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      minify: true,
      lib: { entry: join(docs, "src/playground/engine/runner.ts"), formats: ["iife"], name: "runner" },
    },
  });
  const [output] = [made].flat();
  if (output === undefined || !("output" in output)) throw new Error("the runner's script was not built");
  const script = output.output[0].code;
  return { script, integrity: `sha256-${createHash("sha256").update(script).digest("base64")}` };
}
