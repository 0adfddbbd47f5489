/**
 * @file Opening of the server's device, with all features and limits of the adapter. The device is kept from program to program.
 * @original cuInit and cuDeviceGet.
 */
import type { Protocol } from "../protocol.ts";
import type { Fail, Kernel } from "./kernels.ts";

export interface OpenDevice {
  readonly device: GPUDevice;
  /** The properties that are reported to the caller. */
  readonly properties: object;
  /** Compiled kernels, by their text. */
  readonly compiled: Map<string, Kernel>;
  /** The reason why the device is lost; null while it works. */
  lost: string | null;
  /** Receives errors that belong to no call. */
  fail: Fail;
}

/** Opens the device. Sent to workers as text: uses nothing from outside but its arguments. */
export async function open_device({ Failure }: Protocol, gpu: GPU): Promise<OpenDevice> {
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (adapter === null) throw new Error("no WebGPU here: the system has no driver that offers an adapter");
  const wanted = ["timestamp-query", "shader-f16", "subgroups"] as GPUFeatureName[];
  const { limits, info } = adapter;
  const device = await adapter.requestDevice({
    requiredFeatures: wanted.filter((feature) => adapter.features.has(feature)),
    requiredLimits: {
      maxBufferSize: limits.maxBufferSize,
      maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
      maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
      maxComputeWorkgroupsPerDimension: limits.maxComputeWorkgroupsPerDimension,
      maxComputeInvocationsPerWorkgroup: limits.maxComputeInvocationsPerWorkgroup,
      maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
      maxComputeWorkgroupSizeX: limits.maxComputeWorkgroupSizeX,
      maxComputeWorkgroupSizeY: limits.maxComputeWorkgroupSizeY,
      maxComputeWorkgroupSizeZ: limits.maxComputeWorkgroupSizeZ,
    },
  });
  const { vendor, architecture, description } = info;
  const LARGEST = 2 ** 32 - 512; // offsets have 32 bits
  const opened: OpenDevice = {
    device,
    properties: {
      name: description || `${vendor} ${architecture}`,
      vendor,
      architecture,
      is_fallback_adapter: info.isFallbackAdapter === true,
      features: [...device.features],
      max_segment_nbytes: Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize, LARGEST),
      max_slots: limits.maxStorageBuffersPerShaderStage,
      max_grid: limits.maxComputeWorkgroupsPerDimension,
      max_workgroup_invocations: limits.maxComputeInvocationsPerWorkgroup,
      max_workgroup_memory: limits.maxComputeWorkgroupStorageSize,
    },
    compiled: new Map(),
    lost: null,
    fail: () => undefined,
  };
  device.addEventListener("uncapturederror", (event) => {
    const { error } = event as GPUUncapturedErrorEvent;
    event.preventDefault();
    const kind = error.constructor.name;
    if (kind === "GPUOutOfMemoryError") opened.fail(Failure.OUT_OF_MEMORY, error.message);
    else opened.fail(kind === "GPUInternalError" ? Failure.INTERNAL : Failure.VALIDATION, error.message);
  });
  void device.lost.then(({ reason, message }) => {
    opened.lost = `${reason}: ${message}`;
    opened.fail(Failure.LOST, opened.lost);
  });
  return opened;
}
