/**
 * @file Of the package, what the checks of exercises use in a page's worker.
 * @original
 */
export { parse } from "yaml";
