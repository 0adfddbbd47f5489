/**
 * @file Before the tests of the device: says how many of the slow files run.
 * @original
 */
import { device_files } from "../../../tools/ci/slow_files.ts";

export default function setup(): void {
  if (device_files.words !== null) console.log(device_files.words);
}
