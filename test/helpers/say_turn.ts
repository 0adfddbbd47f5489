/**
 * @file Before the unit tests: says how many of the slow files run.
 * @original
 */
import { unit_files } from "../../tools/ci/slow_files.ts";

export default function setup(): void {
  if (unit_files.words !== null) console.log(unit_files.words);
}
