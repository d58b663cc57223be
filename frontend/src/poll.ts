/** Waits until a state differs from the one on the page. */

export interface Waiting {
  fetch: typeof fetch;
  /** Resolves after this many seconds. */
  pause: (seconds: number) => Promise<void>;
}

export const inBrowser: Waiting = {
  fetch: (...parameters) => fetch(...parameters),
  pause: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
};

/**
 * Resolves when the response of the element's `data-poll` address has another state than its `data-state`.
 *
 * The response is `{"state": …}`, with a `version` if the page changes more often than the state. If the server cannot be
 * reached or fails (5xx), polling goes on with growing pauses; a refusal (4xx) rejects the promise.
 */
export async function watchState(element: HTMLElement, waiting: Waiting = inBrowser): Promise<void> {
  const { poll, state } = element.dataset;
  if (!poll) throw new Error("An element to watch needs data-poll");
  for (let seconds = 0.3; ; seconds = Math.min(seconds * 1.5, 15)) {
    await waiting.pause(seconds);
    const answer = await askState(poll, waiting);
    if (answer !== undefined && answer !== state) return;
  }
}

/** The state, or undefined if the server could not answer this time. */
async function askState(url: string, waiting: Waiting): Promise<string | undefined> {
  const body = (await ask(url, waiting)) as { state: string; version?: string } | undefined;
  return body?.version ?? body?.state;
}

/** The response of `url`, or undefined without a connection or after a server error. Throws on a refusal. */
export async function ask(url: string, waiting: Waiting): Promise<unknown> {
  let response: Response;
  try {
    response = await waiting.fetch(url, { headers: { Accept: "application/json" } });
  } catch (error) {
    if (error instanceof TypeError) return undefined; // fetch throws TypeError without a connection
    throw error;
  }
  if (response.status >= 500) return undefined;
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}
