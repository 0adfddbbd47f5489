/**
 * @file A Chromium and a software GPU (SwiftShader) without a system package: npm's `@sparticuz/chromium`, unpacked
 * once. Linux on x86-64.
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
 * The folder with `chromium`, its `lib/`, `libvulkan.so.1` and `vk_swiftshader_icd.json`. Unpacks beside the final
 * place and renames, so that an interrupted run leaves nothing incomplete.
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

/** Options for playwright's `chromium.launch`, for this Chromium or the one named by `CHROMIUM`. */
export async function chromium_options(
  modules: string,
  flags: readonly string[] = [],
): Promise<{ executablePath: string; args: string[]; env?: Record<string, string> }> {
  const args = ["--no-sandbox", ...flags];
  const own = process.env["CHROMIUM"];
  if (own !== undefined && own !== "") return { executablePath: own, args };
  const folder = await unpacked_chromium(modules);
  const env = { ...process.env, LD_LIBRARY_PATH: `${join(folder, "lib")}:${process.env["LD_LIBRARY_PATH"] ?? ""}` };
  return { executablePath: join(folder, "chromium"), args, env: env as Record<string, string> };
}
