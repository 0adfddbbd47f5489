/**
 * @file A Chromium without a system package: npm's `@sparticuz/chromium` unpacked once, or the one that `CHROMIUM` names.
 * @original
 */
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { chromium_options } from "../../../../tools/unpack_chromium.ts";

const modules = fileURLToPath(new URL("../../../node_modules/", import.meta.url));

export async function launch(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch(await chromium_options(modules, flags));
}
