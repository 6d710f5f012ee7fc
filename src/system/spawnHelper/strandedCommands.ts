import { plainStarter } from '../plainStarter.ts';
import { leadersOfSession, signalGroup } from '../processGroup.ts';
import type { HelperCommand } from './helperCommand.ts';

/** The helper broke before it was ready, so none of these was started yet. */
export function startPlainly(commands: readonly HelperCommand[]): void {
  for (const command of commands) command.plain = plainStarter.start(command.spec, command.listener);
}

interface Wreck {
  /** The helper's own number: everything that it started is in a session of this number. */
  readonly session: number | undefined;
  readonly reason: string;
}

/**
 * Ends what a broken helper ran. Nobody would hear of its output or its end any longer, so it must neither go on unseen
 * nor count as done. One that the helper forked and did not live to tell of is found by its session.
 */
export function endStranded(commands: readonly HelperCommand[], { session, reason }: Wreck): void {
  for (const { pid } of commands) if (pid !== undefined) signalGroup(pid, 'SIGKILL');
  const isUntold = commands.some(({ pid }) => pid === undefined);
  if (isUntold && session !== undefined) for (const leader of leadersOfSession(session)) signalGroup(leader, 'SIGKILL');
  for (const { pid, listener } of commands) {
    if (pid === undefined) {
      listener.ended({ type: 'notStarted', error: new Error(`${reason}, perhaps while it started this`) });
      continue;
    }
    listener.output('stderr', Buffer.from(`\n[Stopgate ended this command: ${reason}.]\n`));
    listener.ended({ type: 'gone', code: null, signal: 'SIGKILL', mayHaveLeftOthers: true });
  }
}
