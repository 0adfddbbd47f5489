/**
 * @file The part of the package that the checks of exercises use in a page's worker.
 * @original
 */
export { parse } from "yaml";
