/**
 * @file The search calls its box's `focus` when its index has arrived, even if the reader has gone on by then. Once the reader has left the
 * box, its `focus` obeys only what a reader does (a key, a click), not a message that has come in.
 * @original
 */
import ExecutionEnvironment from "@docusaurus/ExecutionEnvironment";

const isSearch = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.matches(".navbar__search-input");

if (ExecutionEnvironment.canUseDOM)
  document.addEventListener("focusout", ({ target }) => {
    if (isSearch(target))
      target.focus = (options) => {
        if (window.event instanceof UIEvent) HTMLElement.prototype.focus.call(target, options);
      };
  });
