import { connectionsFor } from './connections.ts';
import { nodeFetch } from './nodeFetch.ts';

/** `fetch` for a provider of this environment: over the process's shared connections, through its proxies. */
export function modelFetch(env: Readonly<Record<string, string | undefined>>): typeof globalThis.fetch {
  return nodeFetch(connectionsFor(env));
}
