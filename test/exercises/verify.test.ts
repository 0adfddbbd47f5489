/**
 * @file The exercises hold what they promise: `npm run ex -- verify`, exercise by exercise. Those whose answers change the library are in
 * verify_tree.test.ts, so that the two run beside each other. A complete run of all checks takes a share of them, and the next share for each commit.
 */
import { changesTheTree } from "../../tools/learn/exercise.ts";
import { tests_of } from "./held.ts";

tests_of("exercises by the terminal's host", (exercise) => !changesTheTree(exercise), true, 5);
