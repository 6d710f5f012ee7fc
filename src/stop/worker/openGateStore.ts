import path from 'node:path';
import { openStore } from '../../store/openStore.ts';
import type { Store, Unavailable } from '../../store/types.ts';

export interface GateStoreWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stopgateHome: string;
}

/** The task store, for a hook or a worker: what is wrong with it is an answer, never an exception. */
export async function openGateStore(
  { env, stopgateHome }: GateStoreWorld,
  options: { readonly serve?: boolean } = {},
): Promise<Store | Unavailable> {
  return openStore(env.STOPGATE_STORE, {
    defaultPath: path.join(stopgateHome, 'stopgate.db'),
    connections: 2,
    onNotice: (sentence) => process.stderr.write(`stopgate: ${sentence}\n`),
    ...options,
  });
}
