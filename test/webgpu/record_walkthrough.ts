/**
 * @file Runs `walkthroughs/webgpu.ts` on the adapter of these tests and keeps what it records for readers who have none:
 *
 *     npx tsx test/webgpu/record_walkthrough.ts FILE      usually walkthroughs/recorded/webgpu.json
 * @original
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { use_swiftshader } from "./support/swiftshader.ts";

const [, , to] = process.argv;
if (to === undefined) throw new Error("where to?");
await use_swiftshader();
const folder = mkdtempSync(join(tmpdir(), "webgpu-"));
process.argv = [process.argv[0] as string, "walkthroughs/webgpu.ts", "--all", folder];
await import("../../walkthroughs/webgpu.ts");
const { adapter, live, made } = await import("../../walkthroughs/support/device.ts");
if (!live) throw new Error("there is no device");
rmSync(folder, { recursive: true });
const places = new Set(["source", "mirrors", "from"]);
writeFileSync(
  to,
  `${JSON.stringify({ adapter, recordings: made }, (key, value) => (places.has(key) ? undefined : value))}\n`,
);
