import { anyTrue, type EventRow, eventRow, lastWins, union, WITHOUT_MODEL } from './eventRow.ts';

/** A prompt that a hook may refuse; the texts are what the run then prints as its result. */
const promptEvent = (name: 'UserPromptSubmit' | 'UserPromptExpansion', facts: Parameters<typeof eventRow>[1]) =>
  eventRow(name, {
    onBlock: 'blocks',
    onJudgedNo: 'endsUnlessContinued',
    blockText: ({ reason }) => `${name} operation blocked by hook:\n${reason}`,
    callbackTimeoutBlocks: true,
    prevents: true,
    preventText: (reason: string) => `Operation stopped by hook${reason && `: ${reason}`}`,
    givesContext: true,
    plainStdout: 'context',
    hasPermissionMode: true,
    ...facts,
  });

/** Prompts, the start and end of sessions, the start of subagents, and what a person sees. */
export const sessionEvents: readonly EventRow[] = [
  promptEvent('UserPromptSubmit', {
    timeoutMs: 30_000,
    specific: { sessionTitle: lastWins, suppressOriginalPrompt: anyTrue },
  }),
  promptEvent('UserPromptExpansion', {
    matcherField: 'command_name',
    specific: { suppressOriginalPrompt: anyTrue },
  }),
  eventRow('SessionStart', {
    matcherField: 'source',
    kinds: ['command', 'mcp_tool'],
    onBlock: 'showsPerson',
    givesContext: true,
    joinsContexts: true,
    plainStdout: 'context',
    specific: { initialUserMessage: lastWins, sessionTitle: lastWins, watchPaths: union, reloadSkills: anyTrue },
    hasEnvFile: true,
  }),
  eventRow('SessionEnd', {
    matcherField: 'reason',
    kinds: WITHOUT_MODEL,
    timeoutMs: 1_500,
    sharedBudgetMs: 1_500,
    onBlock: 'showsPerson',
    systemMessage: 'ignored',
  }),
  eventRow('Setup', {
    matcherField: 'trigger',
    kinds: ['command', 'mcp_tool'],
    onBlock: 'showsPerson',
    // measured: the SDK types `additionalContext`, Claude Code 2.1.325 does not give it to the model
    hasEnvFile: true,
  }),
  eventRow('SubagentStart', {
    matcherField: 'agent_type',
    kinds: WITHOUT_MODEL,
    onBlock: 'showsPerson',
    givesContext: true,
  }),
  eventRow('InstructionsLoaded', { matcherField: 'load_reason', kinds: WITHOUT_MODEL, systemMessage: 'ignored' }),
  eventRow('Notification', {
    matcherField: 'notification_type',
    kinds: WITHOUT_MODEL,
    systemMessage: 'ignored',
  }),
  eventRow('MessageDisplay', { kinds: WITHOUT_MODEL, timeoutMs: 10_000, specific: { displayContent: lastWins } }),
];
