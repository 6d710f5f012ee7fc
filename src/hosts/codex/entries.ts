import { entriesOf } from '../entryCommands.ts';

export const codexEntries = entriesOf({
  host: 'codex',
  stop: { event: 'Stop', statusMessage: 'stopgate' },
  matchers: { changing: 'Bash|apply_patch|Edit|Write', all: '*' },
  // for a failed command too
  countdown: ['PostToolUse'],
});
