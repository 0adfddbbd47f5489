/**
 * @file Exercises whose answers change the library: codegen runs on each answer, and a process for each holds that library.
 */
import { changesTheTree } from "../../tools/learn/exercise.ts";
import { tests_of } from "./held.ts";

tests_of(changesTheTree, false);
