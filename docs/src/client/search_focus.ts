/**
 * @file The search takes the focus when its index has arrived, even from a reader who has gone on by then. This gives it back, once.
 * @original
 */
import ExecutionEnvironment from "@docusaurus/ExecutionEnvironment";

const isSearch = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches(".navbar__search-input");

if (ExecutionEnvironment.canUseDOM) {
  let acting = false;
  let left = false;
  let given = false;
  const act = (): void => {
    acting = true;
    setTimeout(() => {
      acting = false;
    });
  };
  for (const name of ["keydown", "pointerdown", "click"]) document.addEventListener(name, act, true);
  document.addEventListener("focusout", (event) => {
    if (isSearch(event.target) && event.relatedTarget !== null) left = true;
  });
  document.addEventListener("focusin", (event) => {
    if (!isSearch(event.target) || acting || !left || given) return;
    given = true;
    (event.relatedTarget as HTMLElement | null)?.focus();
  });
}
