import type { EventNormalizer } from '../gateway/eventNormalizer.ts';
import { gatewayFetch } from '../gateway/gatewayFetch.ts';
import type { GatewayMemory } from '../gateway/gatewayMemory.ts';
import { connectionsFor } from './connections.ts';
import { nodeFetch } from './nodeFetch.ts';

export interface ModelServer {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly memory: GatewayMemory;
  readonly normalizer?: () => EventNormalizer;
}

/** `fetch` for a provider: over the process's shared connections, through its proxies, with what its server takes. */
export function modelFetch({ env, memory, normalizer }: ModelServer): typeof globalThis.fetch {
  return gatewayFetch({ send: nodeFetch(connectionsFor(env)), memory, ...(normalizer ? { normalizer } : {}) });
}
