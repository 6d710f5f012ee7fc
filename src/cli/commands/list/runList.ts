import type { JobStateName } from '../../../schemas/jobState.ts';
import { wallNow } from '../../../system/clock.ts';
import { formatAgo } from '../../../system/formatDuration.ts';
import { thisWorld } from '../../../system/world.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
import { type Cell, tableText } from '../../output/table.ts';
import { oneLine } from '../../output/visibleText.ts';
import { gatherList, type ListedSession } from './gatherList.ts';

export interface ListOptions {
  readonly json?: boolean;
  readonly limit: number;
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
  const writer = processWriter(() => process.exit(0));
  const sessions = await gatherList(world, options.limit);
  if (options.json) writer.out(`${JSON.stringify(sessions)}\n`);
  else if (sessions.length === 0) {
    writer.out(`No sessions in ${world.cwd} yet; stopgate -p "…" starts one.\n`);
  } else {
    const width = writer.outIsTerminal ? writer.columns : Number.POSITIVE_INFINITY;
    const paint = paintFor(writer.outIsTerminal, world.env);
    const layout = { paint, width, titles: ['SESSION', 'WHEN', 'STATE', 'LAST PROMPT', 'DETAILS'] };
    const now = wallNow(world.clock);
    const shown = sessions.map((session) => row(session, now, writer.outIsTerminal));
    writer.out(`${tableText(layout, shown)}\n`);
  }
  await drained();
  return 0;
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
