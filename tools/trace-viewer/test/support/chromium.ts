/**
 * @file A Chromium for the tests without a system package: npm's `@sparticuz/chromium`, unpacked once, or the one named
 * by `CHROMIUM`.
 * @original
 */

import { spawnSync } from "node:child_process";
import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";
import { type Browser, chromium } from "playwright-core";

const modules = fileURLToPath(new URL("../../node_modules/", import.meta.url));
const bin = join(modules, "@sparticuz/chromium/bin");
const cache = join(modules, ".cache/chromium");

async function unpack(name: string, to: string): Promise<void> {
  await pipeline(createReadStream(join(bin, name)), createBrotliDecompress(), createWriteStream(to));
}

/** Unpacks beside the final place and renames, so that an interrupted run leaves nothing incomplete. */
async function unpacked(): Promise<string> {
  if (existsSync(cache)) return cache;
  const half = `${cache}.${process.pid}`;
  mkdirSync(half, { recursive: true });
  await unpack("chromium.br", join(half, "chromium"));
  chmodSync(join(half, "chromium"), 0o755);
  for (const name of ["swiftshader", "al2023", "fonts"]) {
    const tar = join(half, `${name}.tar`);
    await unpack(`${name}.tar.br`, tar);
    spawnSync("tar", ["-xf", tar, "-C", half], { stdio: "inherit" });
    rmSync(tar);
  }
  renameSync(half, cache);
  return cache;
}

export async function launch(): Promise<Browser> {
  const own = process.env["CHROMIUM"];
  const args = ["--no-sandbox"];
  if (own !== undefined) return chromium.launch({ executablePath: own, args });
  const folder = await unpacked();
  const env = { ...process.env, LD_LIBRARY_PATH: `${join(folder, "lib")}:${process.env["LD_LIBRARY_PATH"] ?? ""}` };
  return chromium.launch({ executablePath: join(folder, "chromium"), args, env });
}
