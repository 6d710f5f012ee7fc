import type { GateOptions, StopRequest } from './types.ts';

/** What a value has to be, in words, and whether it is that. */
interface Rule {
  readonly must: string;
  readonly holds: (value: unknown) => boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const TEXT: Rule = { must: 'must be a string that is not empty', holds: isText };
const WHOLE: Rule = {
  must: 'must be a whole number above 0',
  holds: (value) => Number.isInteger(value) && Number(value) > 0,
};
const LIST: Rule = { must: 'must be a list', holds: (value) => Array.isArray(value) };
const OBJECT: Rule = { must: 'must be an object', holds: isObject };
const FUNCTION: Rule = { must: 'must be a function', holds: (value) => typeof value === 'function' };
const oneOf = (...names: readonly string[]): Rule => ({
  must: `must be one of ${names.map((name) => `"${name}"`).join(', ')}`,
  holds: (value) => names.includes(value as string),
});

/** In the order in which they are named. Types do not hold for programs in JavaScript, and what is ignored would let a stop through. */
const OPTIONS: { readonly [Name in keyof Required<GateOptions>]: Rule } = {
  cwd: TEXT,
  sessionId: TEXT,
  config: {
    must: 'must be an object or the path of a file',
    holds: (value) => isText(value) || isObject(value),
  },
  checks: { ...LIST, must: 'must be a list of checks' },
  trusted: { must: 'must be true or false', holds: (value) => typeof value === 'boolean' },
  maxAttempts: WHOLE,
  stallAfter: WHOLE,
  timeBudget: {
    must: 'must be a duration such as "20m", or seconds',
    holds: (value) => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)),
  },
  deadline: {
    must: 'must be a date, or milliseconds since 1970',
    holds: (value) => (value instanceof Date || typeof value === 'number') && Number.isFinite(Number(value)),
  },
  tokenBudget: WHOLE,
  maxTokens: WHOLE,
  onFailure: oneOf('goOn', 'stop', 'throw'),
  demand: oneOf('question', 'order', 'proof'),
  agent: TEXT,
  env: {
    must: 'must be an object of strings',
    holds: (value) =>
      isObject(value) && Object.values(value).every((one) => one === undefined || typeof one === 'string'),
  },
  stopgateHome: TEXT,
  onNote: FUNCTION,
  onCheck: FUNCTION,
};

const STOP: Partial<{ readonly [Name in keyof Required<StopRequest>]: Rule }> = {
  toolCalls: { must: 'must be a list of objects', holds: (value) => Array.isArray(value) && value.every(isObject) },
  usage: OBJECT,
  background: LIST,
  event: OBJECT,
  signal: {
    must: 'must be an AbortSignal',
    // one of another realm or a polyfill is one too
    holds: (value) =>
      isObject(value) && typeof value.aborted === 'boolean' && typeof value.addEventListener === 'function',
  },
};

/** Throws one sentence for options that are wrong. */
export function requireOptions(options: unknown): void {
  if (!isObject(options)) throw wrong('createGate', 'options', OBJECT, options);
  // the only one without a default
  if (!TEXT.holds(options.cwd)) throw wrong('createGate', 'cwd', TEXT, options.cwd);
  requireFields('createGate', options, OPTIONS);
}

/** Throws one sentence for a stop that is wrong. */
export function requireStop(stop: unknown): void {
  if (!isObject(stop)) throw wrong('mayStop', 'its argument', OBJECT, stop);
  requireFields('mayStop', stop, STOP);
}

function requireFields(caller: string, given: Record<string, unknown>, rules: Readonly<Record<string, Rule>>): void {
  for (const [name, rule] of Object.entries(rules)) {
    const value = given[name];
    if (value !== undefined && !rule.holds(value)) throw wrong(caller, name, rule, value);
  }
}

const wrong = (caller: string, name: string, { must }: Rule, value: unknown) =>
  new TypeError(`${caller}: ${name} ${must}, got ${shown(value)}.`);

/** Never throws: a value that JSON cannot express is shown by its type. */
export function shown(value: unknown): string {
  if (value instanceof Date) return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === 'bigint' ? `${value}n` : `a value of type ${typeof value}`;
  }
}
