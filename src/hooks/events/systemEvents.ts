import { type EventRow, eventRow, lastWins, lines, textOrNothing, union, WITHOUT_MODEL } from './eventRow.ts';

/** A switch is matched by the model's plain name: no `[1m]`, no provider, no date. */
function canonicalModel(model: unknown): string | undefined {
  const name = textOrNothing(model)
    ?.replace(/\[[^\]]*\]$/, '')
    .replace(/^.*\//, '')
    .replace(/-\d{8}$/, '');
  return textOrNothing(name);
}

const modelSwitch = {
  matcherField: 'to_model',
  matchValue: (input: Readonly<Record<string, unknown>>) => canonicalModel(input.to_model),
  kinds: WITHOUT_MODEL,
  timeoutMs: 30_000,
} as const;

const elicitation = {
  fired: false,
  matcherField: 'mcp_server_name',
  kinds: WITHOUT_MODEL,
  onBlock: 'blocks',
  specific: { action: lastWins, content: lastWins },
  blockVoidsSpecific: true,
  hasPermissionMode: true,
} as const;

/** Compaction, the model, settings, files, worktrees, MCP. */
export const systemEvents: readonly EventRow[] = [
  eventRow('PreCompact', {
    matcherField: 'trigger',
    kinds: WITHOUT_MODEL,
    onBlock: 'blocks',
    systemMessage: 'ignored',
    // measured: its output is added to the instructions of the summary
    plainStdout: 'instructions',
    specific: { instructions: lines },
  }),
  eventRow('PostCompact', { matcherField: 'trigger', kinds: WITHOUT_MODEL, onBlock: 'showsPerson' }),
  eventRow('PreModelSwitch', {
    ...modelSwitch,
    onBlock: 'blocks',
    // a switch that costs money needs an answer
    blockingFailures: ['timeout'],
    permissions: ['allow', 'deny', 'ask'],
  }),
  eventRow('PostModelSwitch', {
    ...modelSwitch,
    onBlock: 'showsPerson',
    givesContext: true,
    plainStdout: 'context',
  }),
  eventRow('ConfigChange', {
    matcherField: 'source',
    kinds: WITHOUT_MODEL,
    onBlock: 'blocks',
    canBlock: (input) => input.source !== 'policy_settings',
  }),
  eventRow('CwdChanged', {
    kinds: WITHOUT_MODEL,
    onBlock: 'showsPerson',
    specific: { watchPaths: union },
    hasEnvFile: true,
  }),
  eventRow('FileChanged', {
    matcherField: 'file_path',
    // settings name files, not paths
    matchValue: (input) => textOrNothing(input.file_path)?.replace(/^.*[\\/]/, ''),
    matcherSyntax: 'bars',
    kinds: WITHOUT_MODEL,
    onBlock: 'showsPerson',
    specific: { watchPaths: union },
    hasEnvFile: true,
  }),
  eventRow('DirectoryAdded', {
    fired: false,
    matcherField: 'source',
    kinds: WITHOUT_MODEL,
    systemMessage: 'model',
  }),
  eventRow('WorktreeCreate', {
    kinds: WITHOUT_MODEL,
    onBlock: 'blocks',
    // no path, no worktree: a missing answer is a failure
    blockingFailures: ['answer', 'execution', 'timeout'],
    plainStdout: 'worktreePath',
    specific: { worktreePath: lastWins },
  }),
  eventRow('WorktreeRemove', { kinds: WITHOUT_MODEL, onBlock: 'blocks', blockingFailures: ['answer', 'execution'] }),
  eventRow('Elicitation', elicitation),
  eventRow('ElicitationResult', elicitation),
];
