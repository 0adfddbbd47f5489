/**
 * @file The search calls its box's `focus` when its index has arrived, even if the reader has gone on by then. While the reader is elsewhere
 * the box's `focus` obeys only what a reader does (a key, a click), not a message that has come in.
 * @original
 */
import ExecutionEnvironment from "@docusaurus/ExecutionEnvironment";

const isSearch = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.matches(".navbar__search-input");

if (ExecutionEnvironment.canUseDOM) {
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    // To nowhere it goes when the box is put into another element, for which the search then makes up.
    if (!isSearch(target) || relatedTarget === null) return;
    target.focus = (options) => {
      if (window.event instanceof UIEvent) HTMLElement.prototype.focus.call(target, options);
    };
  });
  document.addEventListener("focusin", ({ target }) => {
    if (isSearch(target)) Reflect.deleteProperty(target, "focus");
  });
}
