import type { Environment } from '../../system/environment.ts';

/** Of one run of one task. */
export interface BackgroundLimits {
  /** Of all its requests, cached tokens included. */
  readonly maxTokens: number;
  readonly maxUsd: number;
  readonly timeoutMs: number;
  /** How long a headless process waits for running tasks before it exits. */
  readonly drainMs: number;
}

export const DEFAULT_LIMITS: BackgroundLimits = {
  maxTokens: 250_000,
  maxUsd: 0.25,
  timeoutMs: 60_000,
  drainMs: 20_000,
};

const VARIABLES: { readonly [Name in keyof BackgroundLimits]: string } = {
  maxTokens: 'STOPGATE_BACKGROUND_MAX_TOKENS',
  maxUsd: 'STOPGATE_BACKGROUND_MAX_USD',
  timeoutMs: 'STOPGATE_BACKGROUND_TIMEOUT_MS',
  drainMs: 'STOPGATE_BACKGROUND_DRAIN_MS',
};

/** The limits of this run; a variable that is not a number causes a warning and is ignored. */
export function backgroundLimits(env: Environment): {
  readonly limits: BackgroundLimits;
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [];
  const read = (name: keyof BackgroundLimits): number => {
    const raw = env[VARIABLES[name]];
    if (!raw) return DEFAULT_LIMITS[name];
    const value = Number(raw);
    if (Number.isFinite(value) && value >= 0) return value;
    warnings.push(`${VARIABLES[name]} is '${raw}', which is not a number from 0 up; using ${DEFAULT_LIMITS[name]}.`);
    return DEFAULT_LIMITS[name];
  };
  const limits = {
    maxTokens: read('maxTokens'),
    maxUsd: read('maxUsd'),
    timeoutMs: read('timeoutMs'),
    drainMs: read('drainMs'),
  };
  return { limits, warnings };
}
