import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/*
 * Runs the steps of a workflow file and of a composite action on this machine: the scripts as they are, in bash, with the variables
 * and files that the service provides. Actions of others (`uses`) have a stand-in each; an unknown one fails.
 */

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

export interface RunnerPlace {
  /** The checked-out repository. */
  readonly dir: string;
  readonly temp: string;
  readonly env: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface StepRun {
  readonly name: string;
  readonly code: number;
  readonly output: string;
}

type Outputs = Record<string, Record<string, string>>;

interface Context {
  readonly inputs: Readonly<Record<string, string>>;
  readonly steps: Outputs;
  readonly actionPath: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function runWorkflow(file: string, place: RunnerPlace): Promise<readonly StepRun[]> {
  const { jobs } = parse(readFileSync(file, 'utf8')) as { jobs: Record<string, { steps: Step[] }> };
  const runs: StepRun[] = [];
  for (const { steps } of Object.values(jobs)) {
    await runSteps(steps, { inputs: place.inputs, steps: {}, actionPath: '', env: {} }, { place, runs });
  }
  return runs;
}

interface Running {
  readonly place: RunnerPlace;
  readonly runs: StepRun[];
}

async function runSteps(steps: readonly Step[], context: Context, running: Running): Promise<number> {
  let failed = 0;
  for (const step of steps) {
    if (failed !== 0 && !step.if?.startsWith('always()')) continue;
    if (step.if !== undefined && !isMet(step.if, context, running)) continue;
    const code = await runStep(step, context, running);
    failed ||= code;
  }
  return failed;
}

async function runStep(step: Step, context: Context, running: Running): Promise<number> {
  const value = (text: unknown) => filled(String(text), context, running);
  const given = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, value(text)]));
  const env = { ...context.env, ...given };
  if (step.uses !== undefined) return use(step, { ...context, env }, running);
  const { place, runs } = running;
  const output = path.join(place.temp, `output-${runs.length}`);
  writeFileSync(output, '');
  const { code, text } = await bash(value(step.run), place.dir, {
    ...place.env,
    ...env,
    RUNNER_TEMP: place.temp,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: path.join(place.temp, 'summary.md'),
    GITHUB_ACTION_PATH: context.actionPath,
  });
  runs.push({ name: step.name ?? 'run', code, output: text });
  if (step.id !== undefined) context.steps[step.id] = readOutputs(output);
  return code;
}

/** Of a composite action its steps run; of others the stand-in. */
async function use(step: Step, context: Context, running: Running): Promise<number> {
  const { uses = '' } = step;
  const value = (text: unknown) => filled(String(text), context, running);
  const given = Object.fromEntries(Object.entries(step.with ?? {}).map(([name, text]) => [name, value(text)]));
  if (!uses.startsWith('./')) return STAND_INS[uses.replace(/@.*/, '')]?.(given, running) ?? fail(uses);
  const folder = path.join(running.place.dir, uses);
  const action = parse(readFileSync(path.join(folder, 'action.yml'), 'utf8')) as {
    inputs: Record<string, { default?: string; required?: boolean }>;
    outputs: Record<string, { value: string }>;
    runs: { steps: Step[] };
  };
  const usual = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']));
  const inner = { inputs: { ...usual, ...given }, steps: {}, actionPath: folder, env: context.env };
  const code = await runSteps(action.runs.steps, inner, running);
  const outputs = Object.entries(action.outputs).map(([name, out]) => [name, filled(out.value, inner, running)]);
  if (step.id !== undefined) context.steps[step.id] = Object.fromEntries(outputs);
  return code;
}

const fail = (uses: string): never => {
  throw new Error(`${uses} has no stand-in`);
};

const STAND_INS: Readonly<Record<string, (given: Record<string, string>, running: Running) => number>> = {
  'actions/checkout': () => 0,
  'actions/setup-node': () => 0,
  'actions/upload-artifact': ({ name = '', path: from = '' }, { place }) => {
    mkdirSync(path.join(place.temp, 'artifacts'), { recursive: true });
    if (existsSync(from)) cpSync(from, path.join(place.temp, 'artifacts', name), { recursive: true });
    return 0;
  },
};

/** `always()`, alone or with one comparison with the empty text. */
function isMet(condition: string, context: Context, running: Running): boolean {
  const [, expression] = /&& (.+) != ''$/.exec(condition) ?? [];
  return expression === undefined || filled(`\${{ ${expression} }}`, context, running) !== '';
}

function filled(text: string, context: Context, { place }: Running): string {
  return text.replaceAll(/\$\{\{ *(.+?) *\}\}/g, (_all, expression: string) => {
    const [, step, output] = /^steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(expression) ?? [];
    if (step !== undefined && output !== undefined) return context.steps[step]?.[output] ?? '';
    const known: Readonly<Record<string, string>> = {
      'runner.temp': place.temp,
      'github.job': 'agent',
      'github.run_id': '17',
      'github.token': 'dummy',
      ...named('inputs', context.inputs),
      ...named('secrets', place.secrets),
    };
    const value = known[expression];
    if (value === undefined) throw new Error(`the expression ${expression} is not known`);
    return value;
  });
}

const named = (prefix: string, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));

function readOutputs(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

function bash(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const file = path.join(env.RUNNER_TEMP ?? cwd, `step-${Math.random().toString(36).slice(2)}.sh`);
  appendFileSync(file, script);
  // as the service starts it
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', file];
  return new Promise<{ code: number; text: string }>((resolve) => {
    execFile('bash', args, { cwd, env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), text: stdout + stderr });
    });
  });
}
