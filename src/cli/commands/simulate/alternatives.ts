import type { Scenario } from '../../../fleet/simulate/scenario.ts';
import { nearestName } from '../../../system/nearestName.ts';
import { UserError } from '../../../system/userError.ts';
import { scenarioOf } from './scenarioOf.ts';
import type { SimulateOptions } from './simulateOptions.ts';

interface Alternative {
  /** Empty without a comparison. */
  readonly value: string;
  readonly scenario: Scenario;
}

export interface Comparison {
  /** The compared option. */
  readonly name: string | null;
  readonly alternatives: readonly Alternative[];
}

const COMPARABLE = {
  workers: 'workers',
  'min-workers': 'minWorkers',
  kind: 'kind',
  'idle-timeout': 'idleTimeout',
  'start-up': 'startUp',
  arrivals: 'arrivals',
  'task-length': 'taskLength',
  fail: 'fail',
  crash: 'crash',
  'rate-limit': 'rateLimit',
  tick: 'tick',
  detect: 'detect',
  seed: 'seed',
} as const satisfies Readonly<Record<string, keyof SimulateOptions>>;

const MOST = 20;

export function alternativesOf(options: SimulateOptions): Comparison {
  if (options.compare === undefined)
    return { name: null, alternatives: [{ value: '', scenario: scenarioOf(options) }] };
  const [, name = '', list = ''] = /^(?:--)?([a-z-]+)=(.+)$/.exec(options.compare.trim()) ?? [];
  if (!isComparable(name))
    throw new UserError(`--compare ${options.compare} names no option that can be compared; ${hint(name)}`);
  const values = list.split(list.includes(';') ? ';' : ',').map((value) => value.trim());
  if (values.length > MOST) throw new UserError(`--compare takes at most ${MOST} values.`);
  const alternatives = values.map((value) => ({
    value,
    scenario: scenarioOf({ ...options, [COMPARABLE[name]]: value }),
  }));
  return { name, alternatives };
}

const isComparable = (name: string): name is keyof typeof COMPARABLE => Object.hasOwn(COMPARABLE, name);

function hint(name: string): string {
  const nearest = nearestName(name, Object.keys(COMPARABLE));
  return nearest ? `did you mean ${nearest}=…?` : 'write workers=2,4,8 or idle-timeout=5m,10m,30m.';
}
