import type { Gate } from '../gate/types.ts';

/** An agent must not edit files before its definition of done is frozen. A failure to begin is a verdict of its first stop. */
export function whenFrozen(gate: Gate): Promise<readonly string[]> {
  return gate.begin().catch(() => []);
}
