/**
 * @file The built data of an exercise: fetched when the exercise is opened, and its solution when a reader asks for it.
 * @original
 */
import type { Exercise } from "../../../tools/learn/exercise.ts";
import type { Row } from "../../../tools/learn/picture.ts";
import type { Module } from "../playground/engine/transpile.ts";

export type Texts = readonly (readonly [file: string, text: string])[];

export interface ExerciseData {
  readonly exercise: Exercise;
  /** Hash of everything that success depends on, as in a clone. */
  readonly hash: string;
  /** The learner's files as they begin, the one to begin with first. */
  readonly stub: Texts;
  /** The exercise's `calls.ts`, and what it imports of other exercises. */
  readonly calls: readonly Module[];
  readonly goldens: Readonly<Record<string, unknown>>;
  /** By check: the places its feedback names. */
  readonly places: Readonly<Record<string, Places>>;
  /** Call -> its way with the solution. */
  readonly ways: Readonly<Record<string, readonly Row[]>>;
}

export interface Places {
  readonly ours: Link;
  readonly pytorch: Link;
}

export interface Link {
  readonly text: string;
  readonly to: string;
}

/** The facts about all exercises that every page may use. */
export interface Listed {
  readonly id: string;
  /** `04`. */
  readonly number: string;
  readonly title: string;
  readonly goal: string;
  readonly minutes: number;
  readonly room: string;
  readonly needs: readonly string[];
  readonly pages: readonly string[];
  readonly hash: string;
  /** Whether a page can do it. */
  readonly browser: boolean;
  /** Whether it only asks questions. */
  readonly asks: boolean;
}

export interface Catalog {
  readonly exercises: readonly Listed[];
  /** Part of the addresses of what is fetched. */
  readonly version: string;
}

export const numberOf = (id: string): string => id.slice(0, id.indexOf("-"));
export const pathOf = (id: string): string => `/learn/${id}/`;
