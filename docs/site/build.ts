/**
 * @file `npm run build`: the parts of a build one after the other, with a line at least every minute that says what runs, how long, and how much
 * memory it holds.
 * @original
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ["prepare", "tsx", "site/prepare.ts"],
  ["pages", "docusaurus", "build"],
  ["check", "tsx", "site/check_built.ts"],
  ["weigh", "tsx", "site/weigh.ts"],
];

/** Milliseconds between two lines. */
const BEAT = 40_000;

/** Gigabytes that a process holds, where the system tells. */
function memoryOf(pid: number | undefined): string {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? "" : `, ${(Number(kilobytes) / 1e6).toFixed(1)} GB`;
  } catch {
    return "";
  }
}

function run([name, command, ...args]: (typeof steps)[number]): Promise<number> {
  const begin = performance.now();
  const seconds = (): number => Math.round((performance.now() - begin) / 1000);
  const child = spawn(command, args, { stdio: "inherit", shell: process.platform === "win32" });
  const timer = setInterval(() => console.log(`… ${name}: ${seconds()} s${memoryOf(child.pid)}`), BEAT);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      clearInterval(timer);
      console.log(`${name} took ${seconds()} s`);
      resolve(code ?? 1);
    });
  });
}

async function build(): Promise<void> {
  for (const step of steps) {
    const code = await run(step);
    if (code !== 0) process.exit(code);
  }
}

void build();
