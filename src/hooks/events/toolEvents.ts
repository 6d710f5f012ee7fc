import { behaviorOf } from '../readAnswer.ts';
import { anyTrue, type BlockWords, type EventRow, eventRow, lastWins, type MergeSpecific } from './eventRow.ts';

const besideTheResult = ({ title, label, reason }: BlockWords): string =>
  `${title} hook blocking error from command: "${label}": ${reason}`;

/** A denial beats any allowance. */
const denyWins: MergeSpecific = (earlier, later) => (behaviorOf(earlier) === 'deny' ? earlier : later);

const aboutTool = {
  matcherField: 'tool_name',
  evaluatesIf: true,
  hasPermissionMode: true,
  hasEffort: true,
  contextNamesMatch: true,
} as const;

/** Around a tool call, and its permission. */
export const toolEvents: readonly EventRow[] = [
  eventRow('PreToolUse', {
    ...aboutTool,
    onBlock: 'blocks',
    onJudgedNo: 'endsUnlessContinued',
    callbackTimeoutBlocks: true,
    prevents: true,
    givesContext: true,
    joinsContexts: true,
    permissions: ['allow', 'deny', 'ask', 'defer'],
    updates: 'input',
    blockText: ({ title, reason }) => `${title} hook error: ${reason}`,
  }),
  eventRow('PostToolUse', {
    ...aboutTool,
    onBlock: 'showsModel',
    onJudgedNo: 'endsUnlessContinued',
    prevents: true,
    givesContext: true,
    updates: 'output',
    specific: { classifierContext: lastWins },
    blockText: besideTheResult,
  }),
  eventRow('PostToolUseFailure', {
    ...aboutTool,
    onBlock: 'showsModel',
    // measured: `continue: false` has no effect here
    givesContext: true,
    blockText: besideTheResult,
  }),
  eventRow('PostToolBatch', {
    onBlock: 'ends',
    prevents: true,
    givesContext: true,
    hasPermissionMode: true,
    hasEffort: true,
  }),
  eventRow('PermissionRequest', {
    ...aboutTool,
    kinds: ['command', 'http', 'mcp_tool', 'prompt'],
    onJudgedNo: 'ignored',
    // measured: `continue: false` has no effect; to end the turn a denial sets `interrupt`
    specific: { decision: denyWins },
  }),
  eventRow('PermissionDenied', {
    ...aboutTool,
    // only an automatic classifier denies in this sense, and there is none here yet
    fired: false,
    onJudgedNo: 'ignored',
    specific: { retry: anyTrue },
  }),
];
