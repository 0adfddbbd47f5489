/**
 * @file Exercises whose answers change the library: codegen runs on each answer, and a process for each holds that library.
 * Each takes half a minute: a complete run of all checks takes one of the three, and the next one for each commit.
 */
import { changesTheTree } from "../../tools/learn/exercise.ts";
import { tests_of } from "./held.ts";

tests_of("exercises that change the library", changesTheTree, false, 5);
