/**
 * @file Before the browser tests: is there a built site, and a browser that starts? Without a browser the tests are left out with one line
 * that says so; with CI=true that is a failure.
 * @original
 */
import { existsSync, mkdirSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { launch } from "./chromium.ts";
import { build, screenshots } from "./paths.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Whether a browser starts here. */
    readonly browser: boolean;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  if (!existsSync(`${build}index.html`))
    throw new Error(`No site in ${build}. Build it first: BASE_URL=/glasstorch/ npm run site:build`);
  mkdirSync(screenshots, { recursive: true });
  try {
    await (await launch()).close();
    project.provide("browser", true);
  } catch (error) {
    const words = `browser tests: no Chromium starts here (${(error as Error).message.split("\n")[0]}); set CHROMIUM to one`;
    if (process.env["CI"] === "true") throw new Error(words);
    console.warn(`${words}. They are left out.`);
    project.provide("browser", false);
  }
  return () => console.log(`screenshots: ${screenshots}`);
}
