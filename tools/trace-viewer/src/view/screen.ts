/**
 * @file The width of an element as it changes.
 * @original
 */
import { type RefObject, useLayoutEffect, useState } from "react";

export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
