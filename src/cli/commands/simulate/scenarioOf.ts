import { decideIdleLimit } from '../../../fleet/decisions/workerKinds.ts';
import { expectedTasks } from '../../../fleet/simulate/arrivals.ts';
import type { Arrivals, Scenario } from '../../../fleet/simulate/scenario.ts';
import { UserError } from '../../../system/userError.ts';
import { wholeNumber } from '../task/readFlags.ts';
import type { Flags } from '../task/taskOptions.ts';
import { arrivalsOption, DAY_MS, durationMs, lengthOption, MOST_TASKS, share } from './readPatterns.ts';

type Fleet = Flags<'workers' | 'minWorkers' | 'kind' | 'startUp' | 'tick' | 'detect'>;
type Work = Flags<'arrivals' | 'taskLength' | 'fail' | 'crash' | 'seed'>;

/** The options of the command line, as text. */
export type SimulateOptions = Required<Fleet & Work> &
  Flags<'idleTimeout' | 'for' | 'tasks' | 'rateLimit' | 'costPerHour' | 'compare', 'json'>;

const MOST_WORKERS = 100_000;

export function scenarioOf(options: SimulateOptions): Scenario {
  const workers = wholeNumber('--workers', options.workers, { least: 1, most: MOST_WORKERS });
  const arrivals = arrivalsOption(options.arrivals);
  const [failRate, crashRate] = [share('--fail', options.fail), share('--crash', options.crash)];
  if (failRate + crashRate > 1) throw new UserError('--fail and --crash add up to more than 100%.');
  if (options.detect !== 'process' && options.detect !== 'heartbeat') {
    throw new UserError(`--detect must be process or heartbeat, got "${options.detect}".`);
  }
  return {
    seed: wholeNumber('--seed', options.seed, { least: 0, most: 4_294_967_295 }),
    workers,
    minWorkers: wholeNumber('--min-workers', options.minWorkers, { least: 0, most: workers }),
    idleLimitsMs: idleLimits(options),
    startUpMs: /^0[smh]?$/.test(options.startUp) ? 0 : durationMs('--start-up', options.startUp),
    arrivals,
    ...extent(options, arrivals),
    lengths: lengthOption(options.taskLength),
    failRate,
    crashRate,
    rateLimit: options.rateLimit === undefined ? null : rateLimitOption(options.rateLimit),
    tickMs: durationMs('--tick', options.tick),
    watches: options.detect === 'process' ? 'processes' : 'heartbeats',
  };
}

/** How many tasks arrive, and for how long; a pattern that ends by itself needs neither. */
function extent(options: SimulateOptions, arrivals: Arrivals): Pick<Scenario, 'maxTasks' | 'durationMs'> {
  const { tasks, for: length } = options;
  const endsItself = arrivals.type === 'times' || (arrivals.type === 'burst' && arrivals.everyMs === null);
  const isOpen = tasks !== undefined || endsItself;
  const duration = durationMs('--for', length) ?? (isOpen ? null : DAY_MS);
  const expected = duration === null ? 0 : expectedTasks(arrivals, duration);
  if (tasks === undefined && expected > MOST_TASKS) {
    const many = Math.round(expected / 1e6).toLocaleString('en-US');
    throw new UserError(`That would be about ${many} million tasks; the limit is 5 million (use --tasks or --for).`);
  }
  const maxTasks = wholeNumber('--tasks', tasks, { least: 1, most: MOST_TASKS }) ?? MOST_TASKS * 2;
  return { maxTasks, durationMs: duration };
}

/** `critical`, or a mix such as `critical:2,default:6`, assigned to the slots in turn. */
function idleLimits({ kind, idleTimeout }: SimulateOptions): readonly (number | null)[] {
  const idleTimeoutMs = idleTimeout === 'never' ? null : durationMs('--idle-timeout', idleTimeout);
  return kind.split(',').flatMap((part) => {
    const [name = '', count = '1'] = part.split(':');
    const decision = decideIdleLimit(name.trim(), idleTimeoutMs);
    if (decision.type === 'unknownKind')
      throw new UserError(`--kind ${name} is not a kind of worker; use ${decision.known.join(', ')}.`);
    const slots = wholeNumber('--kind', count, { least: 1, most: MOST_WORKERS });
    return Array.from({ length: slots }, () => decision.idleLimitMs);
  });
}

function rateLimitOption(text: string): NonNullable<Scenario['rateLimit']> {
  const [, every, length] = /^every:([^,]+),for:(.+)$/.exec(text.trim()) ?? [];
  if (every === undefined || length === undefined) {
    throw new UserError(`--rate-limit must be written like every:2h,for:20m, got "${text}".`);
  }
  const limit = { everyMs: durationMs('--rate-limit', every), forMs: durationMs('--rate-limit', length) };
  if (limit.forMs >= limit.everyMs)
    throw new UserError(`--rate-limit ${text} never ends; the pause must be shorter than the interval.`);
  return limit;
}
