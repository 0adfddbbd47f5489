/**
 * @file A process of its own that ends in some way, with the device at work. `npx tsx test/webgpu/support/ends.ts HOW`
 *
 * `idle`: nothing is under way · `pending`: a thousand launches are · `exit`: the same, by `process.exit(3)` · `throw`: the same, by an error ·
 * `stop`: the same, and the device is closed · `fetch`: something is awaited at the top level
 */
import { fill, MB, malloc, open_device, u32_of } from "./device.ts";
import { use_swiftshader } from "./swiftshader.ts";

async function run(how: string): Promise<void> {
  await use_swiftshader();
  const device = open_device();
  const memory = malloc(device, MB / 4);
  fill(device, memory, 3);
  console.log(u32_of(device, memory)[0]);
  if (how === "fetch") console.log((await device.fetch(memory, 0, 4))[0]);
  if (how !== "idle" && how !== "fetch") for (let i = 0; i < 1000; i++) fill(device, memory, i);
  if (how === "stop") device.stop();
  if (how === "exit") process.exit(3);
  if (how === "throw") throw new Error("as the program likes");
}

await run(process.argv[2]);
