/**
 * @file Workers that reach nothing. A worker started from a blob takes over the policy of the document that starts it, whatever headers
 * the host sends; one started from an address would have none. So an empty frame with a policy of its own starts them: what runs in
 * there may compile code, and asks no host for anything. The frame is of the page's origin, so that what it starts can share memory
 * with the page and its other workers. What a policy does not speak of (storage, channels, more workers) `confine.ts` takes away.
 * @original
 */

const POLICY = "default-src 'none'; script-src 'unsafe-eval' 'wasm-unsafe-eval'; worker-src blob:";

type Realm = Window & typeof globalThis;

let frame: Promise<Realm> | null = null;

/** One frame for all playgrounds of a visit. */
function realm(): Promise<Realm> {
  frame ??= new Promise((resolve) => {
    const made = document.createElement("iframe");
    made.hidden = true;
    made.title = "where programs run";
    made.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
    made.onload = () => resolve(made.contentWindow as Realm);
    document.body.append(made);
  });
  return frame;
}

/** Address of each script's blob; workers are started from it many times. */
const addresses = new Map<string, string>();

/** @param script a classic script; its first act has to be `confine` */
export async function startConfined(script: string): Promise<Worker> {
  const { Blob, URL, Worker } = await realm();
  let address = addresses.get(script);
  if (address === undefined) {
    address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    addresses.set(script, address);
  }
  return new Worker(address);
}
