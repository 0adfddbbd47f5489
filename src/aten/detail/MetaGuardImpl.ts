/**
 * @file The guard of meta, which has no device at all.
 * @mirrors aten/src/ATen/detail/MetaGuardImpl.cpp
 */
import { DeviceType } from "#c10/core/DeviceType";
import { C10_REGISTER_GUARD_IMPL } from "#c10/core/impl/DeviceGuardImplInterface";
import { NoOpDeviceGuardImpl } from "#c10/core/impl/NoOpDeviceGuardImpl";

C10_REGISTER_GUARD_IMPL(DeviceType.Meta, new NoOpDeviceGuardImpl(DeviceType.Meta));
