import type { JobStateName } from '../../../schemas/jobState.ts';
import { wallNow } from '../../../system/clock.ts';
import { formatAgo } from '../../../system/formatDuration.ts';
import { thisWorld } from '../../../system/world.ts';
import { printResult } from '../../output/printResult.ts';
import { type Cell, tableText } from '../../output/table.ts';
import { oneLine } from '../../output/visibleText.ts';
import { wholeNumber } from '../task/readFlags.ts';
import { gatherList, type ListedSession } from './gatherList.ts';

export interface ListOptions {
  readonly json?: boolean;
  readonly limit: string;
}

const STYLES: Readonly<Record<JobStateName, NonNullable<Cell['style']>>> = {
  working: 'cyan',
  needs_input: 'yellow',
  blocked: 'yellow',
  done: 'green',
  failed: 'red',
};

const PROMPT_WIDTH = 32;

export async function runList(options: ListOptions): Promise<number> {
  const world = thisWorld();
  const sessions = await gatherList(world, wholeNumber('--limit', options.limit, { least: 1 }));
  return printResult(options.json ? sessions : null, world, ({ paint, width }, isTerminal) => {
    if (sessions.length === 0) return `No sessions in ${world.cwd} yet; stopgate -p "…" starts one.\n`;
    const layout = { paint, width, titles: ['SESSION', 'WHEN', 'STATE', 'LAST PROMPT', 'DETAILS'] };
    const now = wallNow(world.clock);
    return `${tableText(
      layout,
      sessions.map((session) => row(session, now, isTerminal)),
    )}\n`;
  });
}

function row(session: ListedSession, now: number, isTerminal: boolean): Cell[] {
  const prompt = session.lastPrompt ?? '';
  return [
    // `ask` accepts the beginning of an id
    { text: isTerminal ? session.id.slice(0, 13) : session.id },
    { text: formatAgo(Date.parse(session.at), now) },
    { text: session.state, style: STYLES[session.state] },
    { text: isTerminal ? oneLine(prompt, PROMPT_WIDTH) : prompt, style: 'dim' },
    { text: session.detail },
  ];
}
