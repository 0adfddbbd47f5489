/**
 * @file The folder of what prepare.ts makes for the pages' bundles.
 * @original
 */
import { join } from "node:path";
import { docs } from "./repository.ts";

export const generatedFolder = join(docs, "generated/");
