import type { Command } from 'commander';
import { UserError } from '../../../system/userError.ts';

const EVENTS = ['stop', 'session-start', 'guard', 'pre-tool-use', 'post-tool-use'];

const EXAMPLES = `
Events:
  stop            decides whether the agent may stop: runs the checks of stopgate.config.json
  session-start   records the state of the files; gives a resumed session the time left
  guard           denies a tool call that would change what decides when the agent may stop
  pre-tool-use    denies a tool call that would take longer than the time left
  post-tool-use   reports the time left (as budget-countdown.sh does, without Node)

Example, in a host's settings ("stopgate init" writes these):
  { "type": "command", "command": "stopgate hook stop --timeout 3600", "timeout": 3600 }

To run one by hand:
  $ echo '{"session_id":"s","cwd":"'$PWD'","hook_event_name":"Stop"}' | stopgate hook stop

The answer is printed to stdout in the host's format. The exit code is 0, except for an unknown event: an internal error is
logged in ~/.stopgate/logs/hooks.jsonl and never disturbs the host.`;

/** Help, and an error at a terminal: calls from hosts go to hookMain.ts (bin/stopgate.js). */
export function addHookCommand(program: Command): void {
  program
    .command('hook')
    .description('the command that agents call at their events; reads the event as JSON from stdin')
    .argument('<event>', EVENTS.join(', '))
    .option('--timeout <seconds>', "the host's own timeout for this hook (default: 600)")
    .option('--whole <seconds>', 'how long its checks may take in all, where hooks must be short')
    .option('--host <name>', 'the agent that calls (default: recognized by its event)')
    .addHelpText('after', EXAMPLES)
    .action((event: string) => {
      throw new UserError(
        EVENTS.includes(event)
          ? `stopgate hook ${event} reads an event from stdin, but stdin is a terminal; see stopgate hook --help.`
          : `Unknown hook event "${event}"; use one of ${EVENTS.join(', ')}.`,
      );
    });
}
