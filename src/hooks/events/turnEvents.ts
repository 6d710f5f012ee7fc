import { type BlockWords, type EventRow, eventRow, WITHOUT_MODEL } from './eventRow.ts';

const feedback =
  (from: string) =>
  ({ reason }: BlockWords): string =>
    `${from} hook feedback:\n${reason}`;

const stop = {
  onBlock: 'blocks',
  honorsOnFailure: false,
  prevents: true,
  givesContext: true,
  hasPermissionMode: true,
  hasEffort: true,
  hasEvidence: true,
  // measured: the same wording for the main agent and a subagent
  blockText: feedback('Stop'),
} as const;

/** When an agent wants to stop. */
export const turnEvents: readonly EventRow[] = [
  eventRow('Stop', stop),
  eventRow('SubagentStop', { ...stop, matcherField: 'agent_type' }),
  eventRow('StopFailure', {
    matcherField: 'error',
    // Claude Code calls a 529 a server_error, so hooks for that run too
    alsoNamed: new Map([['overloaded', ['server_error']]]),
    matcherSyntax: 'bars',
    kinds: WITHOUT_MODEL,
    systemMessage: 'ignored',
  }),
  eventRow('TeammateIdle', {
    onBlock: 'blocks',
    onJudgedNo: 'endsUnlessContinued',
    honorsOnFailure: false,
    prevents: true,
    hasPermissionMode: true,
    blockText: feedback('TeammateIdle'),
  }),
  // The documentation shows `permission_mode` on the two task events; measured, it is not there.
  eventRow('TaskCreated', { onBlock: 'blocks', blockText: feedback('TaskCreated') }),
  eventRow('TaskCompleted', {
    onBlock: 'blocks',
    hasEvidence: true,
    // for a teammate that ends its turn; the TaskUpdate tool only uses the block
    onJudgedNo: 'endsUnlessContinued',
    honorsOnFailure: false,
    prevents: true,
    blockText: feedback('TaskCompleted'),
  }),
];
