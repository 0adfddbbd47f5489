/** @file Before each file of these tests: the GPU of software, and no fallback of another file. */
import { fallen_back } from "./fallbacks.ts";
import { use_swiftshader } from "./swiftshader.ts";

fallen_back();
await use_swiftshader();
