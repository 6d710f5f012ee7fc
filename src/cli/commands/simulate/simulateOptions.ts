/** What the command line gave, as text. */
export interface SimulateOptions {
  readonly workers: string;
  readonly minWorkers: string;
  readonly kind: string;
  readonly idleTimeout?: string;
  readonly startUp: string;
  readonly arrivals: string;
  readonly taskLength: string;
  readonly for?: string;
  readonly tasks?: string;
  readonly fail: string;
  readonly crash: string;
  readonly rateLimit?: string;
  readonly tick: string;
  readonly detect: string;
  readonly costPerHour?: string;
  readonly compare?: string;
  readonly seed: string;
  readonly json?: boolean;
}
