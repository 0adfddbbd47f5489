/**
 * @file A page costs what it shows: links in view do not fetch their pages ahead. Pointing at a link still does.
 * @original
 */
import ExecutionEnvironment from "@docusaurus/ExecutionEnvironment";

if (ExecutionEnvironment.canUseDOM) {
  const begin = (): void => {
    window.docusaurus = { ...window.docusaurus, prefetch: () => false };
  };
  // Docusaurus sets the object up when its entry runs, after the client modules.
  queueMicrotask(begin);
}
