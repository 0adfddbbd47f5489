/**
 * @file Guards of streams for code that does not know the device type.
 * @mirrors c10/core/StreamGuard.h
 */
import { InlineMultiStreamGuard, InlineOptionalStreamGuard, InlineStreamGuard } from "./impl/InlineStreamGuard.ts";

export class StreamGuard extends InlineStreamGuard {}

export class OptionalStreamGuard extends InlineOptionalStreamGuard {}

export class MultiStreamGuard extends InlineMultiStreamGuard {}
