import type { Command } from 'commander';
import { UserError } from '../../../system/userError.ts';

const EVENTS = ['stop', 'session-start', 'pre-tool-use', 'post-tool-use'];

const EXAMPLES = `
Events:
  stop            may it stop? runs the checks of stopgate.config.json
  session-start   remembers how the files were; tells a resumed session how much time is left
  pre-tool-use    may this call still run on the time that is left?
  post-tool-use   how much time is left (budget-countdown.sh says the same without Node)

Example, in a host's settings ("stopgate init" writes these for Claude Code):
  { "type": "command", "command": "stopgate hook stop --timeout 3600", "timeout": 3600 }

To try one by hand:
  $ echo '{"session_id":"s","cwd":"'$PWD'","hook_event_name":"Stop"}' | stopgate hook stop

It answers on standard output as every host understands, and always exits with 0: a failure inside is logged in
~/.stopgate/logs/hooks.jsonl and said as nothing.`;

/** For its help, and for a person at a terminal: what hosts call never comes here (bin/stopgate.js). */
export function addHookCommand(program: Command): void {
  program
    .command('hook')
    .description('what agents call at their events; reads the event as JSON on standard input')
    .argument('<event>', EVENTS.join(', '))
    .option('--timeout <seconds>', "the host's own time-out for this hook (600)")
    .addHelpText('after', EXAMPLES)
    .action((event: string) => {
      throw new UserError(
        EVENTS.includes(event)
          ? `stopgate hook ${event} reads an event on standard input, and here is a terminal; see stopgate hook --help.`
          : `There is no hook event ${event}; there are ${EVENTS.join(', ')}.`,
      );
    });
}
