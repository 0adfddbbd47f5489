/**
 * @file `npm run site` (while writing) and `npm run site:build` (static files in docs/build). The site has its own
 * packages, installed here if they are missing or differ from the lock file. `BASE_URL=/name/` builds for a sub-path.
 * @original
 */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const docs = fileURLToPath(new URL("../docs/", import.meta.url));

function npm(...args: string[]): void {
  const shell = process.platform === "win32"; // npm is a .cmd there
  const { status } = spawnSync("npm", args, { cwd: docs, stdio: "inherit", shell });
  if (status !== 0) process.exit(status ?? 1);
}

function installed(): boolean {
  const made = `${docs}node_modules/.package-lock.json`;
  return existsSync(made) && statSync(made).mtimeMs >= statSync(`${docs}package-lock.json`).mtimeMs;
}

const script = process.argv[2];
if (script !== "start" && script !== "build" && script !== "test")
  throw new Error(`site: start, build or test, not ${script}`);
if (!installed()) {
  console.log("docs/: installing the site's packages (about 570 MB, a minute or two; only this time)");
  npm("ci", "--no-audit", "--no-fund");
}
npm("run", "--silent", script);
