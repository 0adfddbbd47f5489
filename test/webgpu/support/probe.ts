/** @file Ends well if there is an adapter: asked where none comes with the packages. */
import { open_device } from "./device.ts";
import { use_swiftshader } from "./swiftshader.ts";

void use_swiftshader().then(() => open_device().stop());
