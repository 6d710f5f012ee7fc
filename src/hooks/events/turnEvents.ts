import { type BlockWords, type EventRow, eventRow, WITHOUT_MODEL } from './eventRow.ts';

const feedback =
  (from: string) =>
  ({ reason }: BlockWords): string =>
    `${from} hook feedback:\n${reason}`;

/** When an agent wants to stop. */
export const turnEvents: readonly EventRow[] = [
  eventRow('Stop', {
    onBlock: 'blocks',
    honorsOnFailure: false,
    prevents: true,
    givesContext: true,
    hasPermissionMode: true,
    hasEffort: true,
    blockText: feedback('Stop'),
  }),
  eventRow('SubagentStop', {
    matcherField: 'agent_type',
    onBlock: 'blocks',
    honorsOnFailure: false,
    prevents: true,
    givesContext: true,
    hasPermissionMode: true,
    hasEffort: true,
    // measured: the same wording as for the main agent
    blockText: feedback('Stop'),
  }),
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
    // for a teammate that ends its turn; the TaskUpdate tool only uses the block
    onJudgedNo: 'endsUnlessContinued',
    honorsOnFailure: false,
    prevents: true,
    blockText: feedback('TaskCompleted'),
  }),
];
