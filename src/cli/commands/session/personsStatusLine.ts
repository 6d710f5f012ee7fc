import { statusLineSetting } from '../../../schemas/statusLine.ts';
import { childEnvironment } from '../../../stop/childEnvironment.ts';
import { ownEscape } from '../../../system/terminalText.ts';
import { version } from '../../../system/version.ts';
import type { World } from '../../../system/world.ts';
import type { OpenSession } from '../../wiring/openSession.ts';
import type { PersonsChoices } from './personsChoices.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 10_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors of a status line are kept, everything else is not
const COLOR = /\u001b\[([\d;]*)m/g;

/** Runs the person's status line command after each turn; one at a time, the latest state last. */
export function personsStatusLine(opened: OpenSession, world: World, choices: PersonsChoices, onText: () => void) {
  const { other, env: settingsEnv } = opened.gathered.settings.merged;
  const setting = statusLineSetting.safeParse(other.statusLine).data;
  // as hooks have it: without the provider's key
  const env = childEnvironment(world.env, settingsEnv);
  let text: string | null = null;
  let isRunning = false;
  let isDue = false;
  const run = async (command: string) => {
    const end = await world.processes.start({
      ...{ file: '/bin/sh', args: ['-c', command], cwd: world.cwd, env },
      ...{
        input: JSON.stringify(statusFacts(opened, world, choices)),
        timeoutMs: TIMEOUT_MS,
        maxOutputBytes: MAX_BYTES,
      },
    }).ended;
    if (end.type === 'exited' && end.code === 0) text = shownText(end.stdout);
    else
      text = `statusLine failed: ${end.type === 'notStarted' ? end.error : end.stderr.trim().split('\n')[0] || end.type}`;
    onText();
  };
  const refresh = async () => {
    if (setting === undefined) return;
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    while (isDue) {
      isDue = false;
      await run(setting.command);
    }
    isRunning = false;
  };
  return { refresh, text: () => text };
}

/** With its own colors, and nothing else that a terminal obeys. */
const shownText = (output: string): string =>
  (output.split('\n')[0] ?? '').replace(COLOR, (_all, codes: string) => ownEscape(codes === '' ? '0' : codes, 'm'));

function statusFacts({ sessionId, params, ledger }: OpenSession, world: World, { model }: PersonsChoices): object {
  const id = model?.id ?? '';
  return {
    hook_event_name: 'Status',
    session_id: sessionId,
    transcript_path: params.toolUseContext.session.transcriptPath,
    cwd: world.cwd,
    model: { id, display_name: id.slice(id.indexOf('/') + 1) },
    workspace: { current_dir: params.toolUseContext.toolServices.directory.current(), project_dir: world.cwd },
    version,
    cost: { total_cost_usd: ledger.totalUsd },
  };
}
