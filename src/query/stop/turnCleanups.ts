import type { LogEvent } from '../../system/log.ts';

/** Puts back what a tool took or changed for one turn. */
export type Cleanup = () => Promise<void> | void;

/** What tools leave to be put back when the turn of the main thread ends. */
export interface TurnCleanups {
  /** The returned function takes the registration back: what was cleaned up by itself need not be again. */
  register(name: string, cleanUp: Cleanup): () => void;
  /** Runs all of them, the latest first. A failure is logged and stops neither the others nor the turn. */
  run(): Promise<void>;
}

export function turnCleanups(logEvent: LogEvent): TurnCleanups {
  let registered: { readonly name: string; readonly cleanUp: Cleanup }[] = [];
  return {
    register: (name, cleanUp) => {
      const entry = { name, cleanUp };
      registered.push(entry);
      return () => {
        registered = registered.filter((one) => one !== entry);
      };
    },
    run: async () => {
      const due = registered.toReversed();
      registered = [];
      for (const { name, cleanUp } of due) {
        try {
          await cleanUp();
        } catch (error) {
          logEvent('turn_cleanup_failed', { name, error: (error as Error).message });
        }
      }
    },
  };
}
