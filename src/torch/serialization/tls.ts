/**
 * @file Options of a call of `load` that the functions which rebuild tensors need.
 * @mirrors torch/serialization.py#_SerializationLocal
 */
import type { UntypedStorage } from "#torch/storage/untyped";
import type { device } from "#torch/types";

/** The target of storages: one device, a dict of devices, or a function; null: their original device. */
export type MapLocation =
  | string
  | device
  | ReadonlyMap<string, string>
  | ((storage: UntypedStorage, location: string) => UntypedStorage | null | undefined)
  | null;

export const _serialization_tls: { map_location: MapLocation } = { map_location: null };
