import { entriesOf, script, withoutProfile } from '../entryCommands.ts';

/** The entries of these features, in the table's order. */
export const hookEntries = entriesOf({
  stop: { event: 'Stop', statusMessage: 'stopgate' },
  matchers: { changing: 'Bash|Edit|Write|MultiEdit|NotebookEdit', all: '*' },
  // once per batch of calls, also when all of them failed or were denied; it takes no matcher
  countdown: ['PostToolBatch'],
  more: {
    // the host does not wait for it, so it only saves its input
    checks: (paths) => [
      { event: 'StopFailure', command: script('stop-failure.sh', withoutProfile(paths)), timeout: 5 },
    ],
    // for a batch that a person interrupted
    countdown: (paths) => [
      { event: 'UserPromptSubmit', command: script('interrupted-countdown.sh', withoutProfile(paths)), timeout: 5 },
    ],
  },
});
