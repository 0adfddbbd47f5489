/**
 * @file The globals that a program finds in its worker: those of the language, and timers, text, numbers and the number of processors. Everything
 * else is taken out before a line of it runs. The list names what stays, so that new globals of later browsers are removed too.
 * @original
 */

const LANGUAGE = `Object Function Array Boolean String Symbol Number BigInt Math Date JSON Intl RegExp Proxy Reflect Promise
Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError
ArrayBuffer SharedArrayBuffer DataView Atomics Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array
BigInt64Array BigUint64Array Float16Array Float32Array Float64Array Map Set WeakMap WeakSet WeakRef FinalizationRegistry Iterator
AsyncIterator Temporal DisposableStack AsyncDisposableStack globalThis Infinity NaN undefined parseFloat parseInt isFinite isNaN
decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval WebAssembly`;

const PLATFORM = `self console performance Performance crypto Crypto SubtleCrypto CryptoKey navigator WorkerNavigator isSecureContext
crossOriginIsolated setTimeout clearTimeout setInterval clearInterval queueMicrotask structuredClone atob btoa TextEncoder TextDecoder
URL URLSearchParams AbortController AbortSignal Event ErrorEvent PromiseRejectionEvent EventTarget DOMException
addEventListener removeEventListener dispatchEvent`;

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));
const kept = words(`${LANGUAGE} ${PLATFORM}`);
const keptOfNavigator = words("gpu hardwareConcurrency language languages platform userAgent");

/** A way to compute, and no way out: WebGPU reaches the device alone. */
const staysInScope = (name: string): boolean => kept.has(name) || /^(GPU|WGSL)/.test(name);

/**
 * Takes all but the above out of the scope of this worker.
 * @returns the names that are gone
 * @throws {Error} if something cannot be taken out: then nothing may run here
 */
export function confine(scope: object): ReadonlySet<string> {
  const gone = new Set<string>();
  const { navigator, URL } = scope as { navigator: object; URL: object };
  strip(navigator, (name) => keptOfNavigator.has(name), gone);
  // A blob's address is how a script is handed to a worker.
  for (const name of ["createObjectURL", "revokeObjectURL"]) Reflect.deleteProperty(URL, name);
  strip(scope, staysInScope, gone);
  return gone;
}

/** From the object itself and everything that it inherits, but for what every object has. */
function strip(from: object, stays: (name: string) => boolean, gone: Set<string>): void {
  for (let at = from; at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) {
      if (stays(name)) continue;
      // A constant that stays (`PERSISTENT`, of the old file systems) is a number and does nothing.
      const constant = typeof Object.getOwnPropertyDescriptor(at, name)?.value === "number";
      if (!Reflect.deleteProperty(at, name) && !constant) throw new Error(`this browser does not let go of ${name}`);
      gone.add(name);
    }
}
