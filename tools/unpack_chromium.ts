/**
 * @file A Chromium and a GPU of software (SwiftShader) without a system package: npm's `@sparticuz/chromium`, unpacked once. Linux on x86-64.
 * @original
 */
import { spawnSync } from "node:child_process";
import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

async function unpack(file: string, to: string): Promise<void> {
  await pipeline(createReadStream(file), createBrotliDecompress(), createWriteStream(to));
}

/**
 * The folder with `chromium`, its `lib/`, `libvulkan.so.1` and `vk_swiftshader_icd.json`. Unpacks beside the final place and renames, so that a run
 * cut short leaves nothing half done.
 * @param modules the `node_modules` folder that has the package
 */
export async function unpacked_chromium(modules: string): Promise<string> {
  const bin = join(modules, "@sparticuz/chromium/bin");
  const cache = join(modules, ".cache/chromium");
  if (existsSync(cache)) return cache;
  const half = `${cache}.${process.pid}`;
  mkdirSync(half, { recursive: true });
  await unpack(join(bin, "chromium.br"), join(half, "chromium"));
  chmodSync(join(half, "chromium"), 0o755);
  for (const name of ["swiftshader", "al2023", "fonts"]) {
    const tar = join(half, `${name}.tar`);
    await unpack(join(bin, `${name}.tar.br`), tar);
    spawnSync("tar", ["-xf", tar, "-C", half], { stdio: "inherit" });
    rmSync(tar);
  }
  try {
    renameSync(half, cache);
  } catch (error) {
    if (!existsSync(cache)) throw error;
    rmSync(half, { recursive: true }); // another process was first
  }
  return cache;
}
