/**
 * @file The kept data for components, and how far an exercise is.
 * @original
 */
import { useSyncExternalStore } from "react";
import { type Status, statusIn } from "../../../tools/learn/progress.ts";
import { type Kept, kept, nothingKept, subscribe } from "./kept.ts";

export function useKept(): Kept {
  return useSyncExternalStore(subscribe, kept, nothingKept);
}

export function useStatus({ id, hash }: { readonly id: string; readonly hash: string }): Status {
  return statusIn(useKept().passed, id, hash);
}
