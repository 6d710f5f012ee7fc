import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readRunLog } from '../../../background/governor/runLog.ts';
import { taskName } from '../../../background/taskName.ts';
import { ownPath } from '../../../system/ownPath.ts';
import { packageRoot } from '../../../system/packageRoot.ts';
import { environmentFor } from '../../../system/secretPolicy.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { paintFor } from '../../output/colors.ts';
import { DEFAULT_FLAGS } from '../../wiring/promptFlags.ts';
import { screenOutput } from '../prompt/output/screenOutput.ts';
import { runPrompt } from '../prompt/runPrompt.ts';
import type { Flags } from '../task/taskOptions.ts';

type DemoOptions = Flags<never, 'keep' | 'fast'>;

const PROMPT = 'Customers say their invoices do not add up: the first line is missing. Fix it. +2k';

/** A newcomer's first minute: only the model is simulated; its answers come from examples/demo/script.json. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'stopgate-demo-')));
  const project = path.join(folder, 'invoice');
  const surroundings = thisWorld();
  const world: World = {
    ...surroundings,
    cwd: project,
    homeDir: path.join(folder, 'home'),
    stopgateHome: path.join(folder, 'home'),
    env: quiet(surroundings.env),
  };
  const paint = paintFor(process.stdout.isTTY === true, world.env);
  try {
    await prepare(folder, project, world, options);
    process.stdout.write(`${paint('bold', `> ${PROMPT}`)}\n`);
    const flags = {
      ...DEFAULT_FLAGS,
      model: `scripted:${path.join(folder, 'script.json')}`,
      settings: path.join(packageRoot(), 'examples', 'demo', 'settings.json'),
    };
    const code = await runPrompt({ text: PROMPT, argument: PROMPT }, flags, world, {
      makeOutput: (writer) => screenOutput(writer, paint, () => world.clock.now()),
    });
    process.stdout.write(`\n${paint('bold', 'After the turn')}\n${await afterwards(world)}\n`);
    const kept = options.keep ? `The repository is in ${project}.` : 'Add --keep to look at the repository afterwards.';
    process.stdout.write(`\n${paint('dim', `${kept} With your own model: stopgate -p "…" (stopgate --help).`)}\n`);
    return code;
  } finally {
    if (!options.keep) await rm(folder, { recursive: true, force: true });
  }
}

/** What ran after the answer, as `stopgate status` shows it. */
async function afterwards({ stopgateHome }: World): Promise<string> {
  const lines = (await readRunLog(stopgateHome)).map(
    ({ task, outcome, reason }) => `  ${taskName(task)}: ${outcome}. ${reason}`,
  );
  return [...new Set(lines)].join('\n');
}

/** The same on every machine: no user settings, no git configuration. */
function quiet(env: Readonly<Record<string, string>>): Record<string, string> {
  const { STOPGATE_HOME: _home, CLAUDE_CONFIG_DIR: _config, ...rest } = environmentFor('command', env);
  return { ...rest, STOPGATE_ENABLE_MEMORY: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
}

async function prepare(folder: string, project: string, world: World, options: DemoOptions): Promise<void> {
  const examples = path.join(packageRoot(), 'examples', 'demo');
  await cp(path.join(examples, 'project'), project, { recursive: true });
  const script = await readFile(path.join(examples, 'script.json'), 'utf8');
  const played = options.fast ? script.replace(/"delayMs": \d+/g, '"delayMs": 0') : script;
  await writeFile(path.join(folder, 'script.json'), played);
  const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@localhost'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...author, 'commit', '--quiet', '-m', 'An invoice'],
  ]) {
    const env = { ...world.env, PATH: ownPath(world.env.PATH, world.cwd) };
    const end = await world.processes.start({ file: 'git', args, cwd: project, env, maxOutputBytes: 10_000 }).ended;
    if (end.type === 'exited' && end.code === 0) continue;
    throw new UserError(`The demo needs git, and \`git ${args.join(' ')}\` failed: ${JSON.stringify(end)}.`);
  }
}
