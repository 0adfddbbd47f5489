/**
 * @file `npm run site` (while writing) and `npm run site:build` (static files in docs/build). The site has its own
 * packages, installed here if they are missing or differ from the lock file. `BASE_URL=/name/` builds for a sub-path.
 * @original
 */
import { spawn } from "node:child_process";
import { existsSync, lstatSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const docs = fileURLToPath(new URL("../docs/", import.meta.url));
/** Milliseconds between two lines of an installation, which says nothing itself. */
const BEAT = 30_000;

function npm(args: readonly string[], what: string | null): Promise<void> {
  const shell = process.platform === "win32"; // npm is a .cmd there
  const child = spawn("npm", args, { cwd: docs, stdio: "inherit", shell });
  const begin = performance.now();
  const say = (): void => console.log(`… ${what}: ${Math.round((performance.now() - begin) / 1000)} s`);
  const timer = what === null ? undefined : setInterval(say, BEAT);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      clearInterval(timer);
      if (code !== 0) process.exit(code ?? 1);
      resolve();
    });
  });
}

function installed(): boolean {
  const packages = `${docs}node_modules`;
  // A link leads to the packages of another clone: `npm ci` would empty them.
  if (existsSync(packages) && lstatSync(packages).isSymbolicLink()) return true;
  const made = `${packages}/.package-lock.json`;
  return existsSync(made) && statSync(made).mtimeMs >= statSync(`${docs}package-lock.json`).mtimeMs;
}

async function main(script: string | undefined): Promise<void> {
  if (script !== "start" && script !== "build" && script !== "test")
    throw new Error(`site: start, build or test, not ${script}`);
  if (!installed()) {
    console.log("docs/: installing the site's packages (about 540 MB, a minute or two; only this time)");
    await npm(["ci", "--no-audit", "--no-fund"], "installing");
  }
  await npm(["run", "--silent", script], null);
}

main(process.argv[2]).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
