import { type BlockWords, type EventRow, eventRow, WITHOUT_MODEL } from './eventRow.ts';

const feedback =
  (from: string) =>
  ({ reason }: BlockWords): string =>
    `${from} hook feedback:\n${reason}`;

/** When an agent would stop, and what keeps it from it. */
export const turnEvents: readonly EventRow[] = [
  eventRow('Stop', {
    onBlock: 'blocks',
    honoursOnFailure: false,
    prevents: true,
    givesContext: true,
    hasPermissionMode: true,
    hasEffort: true,
    blockText: feedback('Stop'),
  }),
  eventRow('SubagentStop', {
    matcherField: 'agent_type',
    onBlock: 'blocks',
    honoursOnFailure: false,
    prevents: true,
    givesContext: true,
    hasPermissionMode: true,
    hasEffort: true,
    // measured: a subagent is told in the same words as the main agent
    blockText: feedback('Stop'),
  }),
  eventRow('StopFailure', {
    matcherField: 'error',
    // Claude Code calls a 529 a server_error: a hook that waits for that is asked as well
    alsoNamed: new Map([['overloaded', ['server_error']]]),
    matcherSyntax: 'bars',
    kinds: WITHOUT_MODEL,
    systemMessage: 'ignored',
  }),
  eventRow('TeammateIdle', {
    onBlock: 'blocks',
    onJudgedNo: 'endsUnlessGoOn',
    honoursOnFailure: false,
    prevents: true,
    hasPermissionMode: true,
    blockText: feedback('TeammateIdle'),
  }),
  // The documentation shows `permission_mode` on the two task events; measured, it is not there.
  eventRow('TaskCreated', { onBlock: 'blocks', blockText: feedback('TaskCreated') }),
  eventRow('TaskCompleted', {
    onBlock: 'blocks',
    // For a teammate that ends its turn. The TaskUpdate tool only looks at the block.
    onJudgedNo: 'endsUnlessGoOn',
    honoursOnFailure: false,
    prevents: true,
    blockText: feedback('TaskCompleted'),
  }),
];
