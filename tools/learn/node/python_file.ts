/**
 * @file A learner's file in Python as a module, with the systems that capture programs.
 * @original
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import "glasstorch/fx";
import { python } from "glasstorch/python";
import type { Yours } from "../checks/host.ts";

export function python_file(path: string): Yours {
  return python(readFileSync(path, "utf8"), { filename: basename(path) }) as unknown as Yours;
}
