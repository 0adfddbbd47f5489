/** @file Before each file of these tests: the GPU of software. */
import { use_swiftshader } from "./swiftshader.ts";

await use_swiftshader();
