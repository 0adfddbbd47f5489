/**
 * @file What a call of `load` says to the functions that rebuild tensors.
 * @mirrors torch/serialization.py#_SerializationLocal
 */
import type { UntypedStorage } from "#torch/storage";
import type { device } from "#torch/types";

/** Where storages go: to a device, each device's to another, or where a function says; null: where they were. */
export type MapLocation =
  | string
  | device
  | ReadonlyMap<string, string>
  | ((storage: UntypedStorage, location: string) => UntypedStorage | null | undefined)
  | null;

export const _serialization_tls: { map_location: MapLocation } = { map_location: null };
