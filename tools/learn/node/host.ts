/**
 * @file The environment of checks in a Node process.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Generated, Host, Session, Yours } from "../checks/host.ts";
import type { Folder } from "./folder.ts";

/** @param learners the folder with the learner's files */
export function hostOf({ path }: Folder, learners: string, generated: Generated | null): Host {
  return {
    yours: async (file) =>
      file.endsWith(".py")
        ? (await import("./python_file.ts")).python_file(join(learners, file))
        : ((await import(pathToFileURL(join(learners, file)).href)) as Yours),
    text: (file) => readFileSync(join(learners, file), "utf8"),
    open: async (yours) => {
      const { open } = (await import(pathToFileURL(join(path, "calls.ts")).href)) as {
        open: (yours: Yours) => Session;
      };
      return open(yours);
    },
    golden: async (name) => JSON.parse(readFileSync(join(path, "golden", name), "utf8")),
    generated: async () => generated,
    readByPyTorch: async (files) => (await import("./pytorch_reads.ts")).readByPyTorch(files),
    device: async () => (await import("./device.ts")).deviceOfNode(),
  };
}
