/**
 * @file A Chromium without a system package: npm's `@sparticuz/chromium` unpacked once, or the one that `CHROMIUM` names.
 * @original
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { unpacked_chromium } from "../../../../tools/unpack_chromium.ts";

const modules = fileURLToPath(new URL("../../../node_modules/", import.meta.url));

export async function launch(): Promise<Browser> {
  const own = process.env["CHROMIUM"];
  const args = ["--no-sandbox"];
  if (own !== undefined && own !== "") return chromium.launch({ executablePath: own, args });
  const folder = await unpacked_chromium(modules);
  const env = { ...process.env, LD_LIBRARY_PATH: `${join(folder, "lib")}:${process.env["LD_LIBRARY_PATH"] ?? ""}` };
  return chromium.launch({ executablePath: join(folder, "chromium"), args, env: env as Record<string, string> });
}
