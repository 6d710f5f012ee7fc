import { anyTrue, type EventRow, eventRow, lastWins, union, WITHOUT_MODEL } from './eventRow.ts';

/** Prompts, the session's beginning and end, subagents' beginnings, and what a person is shown. */
export const sessionEvents: readonly EventRow[] = [
  eventRow('UserPromptSubmit', {
    timeoutMs: 30_000,
    onBlock: 'blocks',
    callbackTimeoutBlocks: true,
    prevents: true,
    givesContext: true,
    plainStdout: 'context',
    specific: { sessionTitle: lastWins, suppressOriginalPrompt: anyTrue },
    hasPermissionMode: true,
  }),
  eventRow('UserPromptExpansion', {
    fired: false,
    matcherField: 'command_name',
    onBlock: 'blocks',
    callbackTimeoutBlocks: true,
    prevents: true,
    givesContext: true,
    plainStdout: 'context',
    specific: { suppressOriginalPrompt: anyTrue },
    hasPermissionMode: true,
  }),
  eventRow('SessionStart', {
    matcherField: 'source',
    kinds: ['command', 'mcp_tool'],
    onBlock: 'tellsPerson',
    givesContext: true,
    plainStdout: 'context',
    specific: { initialUserMessage: lastWins, sessionTitle: lastWins, watchPaths: union, reloadSkills: anyTrue },
    hasEnvFile: true,
  }),
  eventRow('SessionEnd', {
    matcherField: 'reason',
    kinds: WITHOUT_MODEL,
    timeoutMs: 1_500,
    sharedBudgetMs: 1_500,
    onBlock: 'tellsPerson',
    systemMessage: 'ignored',
  }),
  eventRow('Setup', {
    fired: false,
    matcherField: 'trigger',
    kinds: ['command', 'mcp_tool'],
    onBlock: 'tellsPerson',
    // typed by the SDK, discarded by some versions: delivering it loses nothing
    givesContext: true,
    hasEnvFile: true,
  }),
  eventRow('SubagentStart', {
    matcherField: 'agent_type',
    kinds: WITHOUT_MODEL,
    onBlock: 'tellsPerson',
    givesContext: true,
  }),
  eventRow('InstructionsLoaded', { matcherField: 'load_reason', kinds: WITHOUT_MODEL, systemMessage: 'ignored' }),
  eventRow('Notification', { matcherField: 'notification_type', kinds: WITHOUT_MODEL, systemMessage: 'ignored' }),
  eventRow('MessageDisplay', { kinds: WITHOUT_MODEL, timeoutMs: 10_000, specific: { displayContent: lastWins } }),
];
