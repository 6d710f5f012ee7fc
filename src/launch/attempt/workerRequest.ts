/** What a person or a coordinator wants from a worker. */
export interface WorkerRequest {
  readonly agent: string;
  readonly kind: string;
  readonly slot: string | undefined;
  readonly incarnation: number | undefined;
  /** How many workers run in this process; undefined: it is one. */
  readonly slots: number | undefined;
  /** A coordinator orders its slots. */
  readonly isCoordinated: boolean;
  readonly queue: string | undefined;
  readonly types: readonly string[] | undefined;
  readonly store: string | undefined;
  readonly account: string;
  readonly idleLimitMs: number | null;
  readonly drainMs: number;
  readonly worktrees: boolean;
  readonly removeWorktrees: boolean;
  /** How often the work of an attempt is pushed to the remote of its repository. */
  readonly pushEveryMs: number;
  /** Tasks without commands of their own are verified by the definition of done. */
  readonly verify: boolean;
  /** Of its queue; undefined: as it is. */
  readonly reviewLimit: number | null | undefined;
  readonly words: readonly string[];
  readonly warnings: readonly string[];
}
