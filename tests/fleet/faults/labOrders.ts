/** What a process of workers is started with. */
export interface LabOrders {
  readonly machine: string;
  readonly url: string;
  readonly stopgateHome: string;
  /** Where it writes what it sends and is answered. */
  readonly journal: string;
  readonly slots: number;
  readonly queue: string;
  readonly leaseMs: number;
  readonly agent: string;
  readonly spawnHelper: string;
  readonly env: Readonly<Record<string, string>>;
  /** A planted fault: its workers do not end their agents when they are cut off. */
  readonly ignoresFence?: boolean;
}
