/**
 * @file Before the tests of the site: says how many of the slow files run.
 * @original
 */
import { site_files } from "../../tools/ci/slow_files.ts";

export default function setup(): void {
  if (site_files.words !== null) console.log(site_files.words);
}
