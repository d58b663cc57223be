/** Waits until a state is no longer the one that the page shows. */

export interface Waiting {
  fetch: typeof fetch;
  /** Resolves after so many seconds. */
  pause: (seconds: number) => Promise<void>;
}

export const inBrowser: Waiting = {
  fetch: (...parameters) => fetch(...parameters),
  pause: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
};

/**
 * Resolves when `data-poll` of the element answers with another state than its `data-state`.
 *
 * The address answers `{"state": …}`, and with a `version` where the page changes more often than the state. A server
 * that cannot be reached or fails (5xx) is asked again, more and more slowly; one that refuses (4xx) rejects: asking
 * again would not help.
 */
export async function watchState(element: HTMLElement, waiting: Waiting = inBrowser): Promise<void> {
  const { poll, state } = element.dataset;
  if (!poll) throw new Error("An element to watch needs data-poll");
  for (let seconds = 1; ; seconds = Math.min(seconds * 1.5, 15)) {
    await waiting.pause(seconds);
    const answer = await askState(poll, waiting);
    if (answer !== undefined && answer !== state) return;
  }
}

/** The state, or undefined where the server could not answer this time. */
async function askState(url: string, waiting: Waiting): Promise<string | undefined> {
  const body = (await ask(url, waiting)) as { state: string; version?: string } | undefined;
  return body?.version ?? body?.state;
}

/** What `url` answers, or undefined where there was no connection or the server failed. Throws where it refuses. */
export async function ask(url: string, waiting: Waiting): Promise<unknown> {
  let response: Response;
  try {
    response = await waiting.fetch(url, { headers: { Accept: "application/json" } });
  } catch (error) {
    if (error instanceof TypeError) return undefined; // fetch's way to say that there was no connection
    throw error;
  }
  if (response.status >= 500) return undefined;
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}
