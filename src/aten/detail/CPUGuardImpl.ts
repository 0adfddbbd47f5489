/**
 * @file The guard of the CPU, which has one device and one stream.
 * @mirrors aten/src/ATen/detail/CPUGuardImpl.cpp
 */
import { DeviceType } from "#c10/core/DeviceType";
import { C10_REGISTER_GUARD_IMPL } from "#c10/core/impl/DeviceGuardImplInterface";
import { NoOpDeviceGuardImpl } from "#c10/core/impl/NoOpDeviceGuardImpl";

C10_REGISTER_GUARD_IMPL(DeviceType.CPU, new NoOpDeviceGuardImpl(DeviceType.CPU));
