/**
 * @file Where things are.
 * @original
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const root = at("../../../../");
/** The built site; `SITE` names another one. */
export const build = process.env["SITE"] === undefined ? at("../../../build/") : `${resolve(process.env["SITE"])}/`;
export const screenshots = at("../../screenshots/");
