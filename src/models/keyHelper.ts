/** The command of the setting `apiKeyHelper`, which prints a key. */
export interface KeyHelper {
  /** The key, from memory while it is fresh. Rejects with a KeyHelperError. */
  key(): Promise<string>;
  /** Drops a key that the server did not accept: the next one comes from the command. */
  forget(): void;
  /** Every key that it has printed, so that none is shown. */
  readonly secrets: readonly string[];
}

/** The helper printed no key; the message gives the reason. */
export class KeyHelperError extends Error {
  readonly type = 'key_helper_error';
}

type Fetch = typeof globalThis.fetch;

/** `fetch` with the helper's key in both headers that servers read. A refused key is renewed once: it may have expired. */
export function keyedFetch(send: Fetch, helper: KeyHelper): Fetch {
  const fetch = async (input: Parameters<Fetch>[0], init: NonNullable<Parameters<Fetch>[1]> = {}) => {
    const key = await helper.key();
    const answer = await send(input, { ...init, headers: withKey(init.headers, key) });
    if (answer.status !== 401) return answer;
    helper.forget();
    const fresh = await helper.key();
    if (fresh === key) return answer;
    await answer.body?.cancel();
    return send(input, { ...init, headers: withKey(init.headers, fresh) });
  };
  return fetch as Fetch;
}

function withKey(headers: unknown, key: string): Record<string, string> {
  const given = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  const others = given.filter(([name]) => !/^(?:x-api-key|authorization)$/i.test(name));
  return { ...Object.fromEntries(others), 'x-api-key': key, authorization: `Bearer ${key}` };
}
