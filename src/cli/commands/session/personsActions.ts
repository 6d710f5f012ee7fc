import { attachImages } from './attachImages.ts';
import { runShellLine } from './runBeside.ts';
import type { SessionControls } from './sessionControls.ts';
import type { ViewEvents } from './sessionView.ts';
import { searchHistory } from './slash/history.ts';
import { runSlashCommand, whyUnknown } from './slash/slashCommands.ts';
import { showTasks } from './slash/tasks.ts';
import type { TypedFor } from './typedPrompts.ts';

/** What the person does at the screen of a session. */
export function personsActions(session: SessionControls): ViewEvents {
  const interrupt = interruption(session);
  // keys work from the first frame on
  const whenOpen = (work: () => void) => () => (session.isOpen ? work() : session.view.notice('Still opening …'));
  return {
    typed: (text, use) => void typed(session, text, use),
    interrupt: whenOpen(interrupt),
    leave: () => session.leave({ type: 'exit' }),
    interruptOrLeave: leaving(session),
    cycleMode: () => session.choices.cycleMode(),
    draftChanged: () => session.keepDraft(),
    suspend: () => void suspend(session),
    searchHistory: () => searchHistory(session),
    showTasks: whenOpen(() => showTasks(session)),
    takeBack: () => session.prompts.takeBack(),
  };
}

async function typed(session: SessionControls, text: string, use: TypedFor): Promise<void> {
  session.view.suggest(undefined);
  session.history.add(text);
  try {
    if (await runSlashCommand(text, session)) return;
    if (text.startsWith('!')) return await runLine(session, text.slice(1).trim());
    const unknown = await whyUnknown(text, session);
    if (unknown !== null) {
      session.print(['', session.paint('yellow', unknown)]);
      if (session.view.draft === '') session.view.draft = text;
      return;
    }
  } catch (error) {
    session.print([session.paint('red', (error as Error).message)]);
    return;
  }
  session.prompts.add(attachImages(text, session.world.cwd), session.isWorking ? use : 'queue');
}

async function runLine(session: SessionControls, line: string): Promise<void> {
  const { paint } = session;
  session.print(['', paint('bold', `! ${line}`)]);
  if (line === '') return session.print(['Write a command after it: !git status']);
  const ended = new AbortController();
  session.lines.add(ended);
  session.view.notice(`! ${line} runs · esc ends it`);
  const { lines, failure } = await runShellLine(line, session.world, ended.signal);
  session.lines.delete(ended);
  session.view.settle();
  session.print([...lines, ...(failure === null ? [] : [paint('red', failure)])]);
}

/** A first ctrl+c interrupts what runs, or announces that a second one ends the session. */
function leaving(session: SessionControls): () => void {
  let announcedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = session.world.clock.now();
    const isSecond = now - announcedAt <= AGAIN_MS;
    announcedAt = now;
    if (isSecond) return session.leave({ type: 'exit' });
    if (session.turn !== undefined && !session.turn.signal.aborted) session.turn.abort();
    session.view.notice('ctrl+c again ends the session');
  };
}

/** How long a second esc counts as such. */
const AGAIN_MS = 5_000;

/** The turn first; then, when the person insists, what runs in the background. */
function interruption(session: SessionControls): () => void {
  let announcedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const { turn, view, world, lines } = session;
    if (lines.size > 0) {
      for (const line of lines) line.abort();
      return;
    }
    if (turn !== undefined && !turn.signal.aborted) {
      turn.abort();
      return;
    }
    const { background } = session.opened.params.toolUseContext.toolServices;
    const running = background.allRunning();
    if (running.length === 0) return;
    const now = world.clock.now();
    if (now - announcedAt > AGAIN_MS) {
      announcedAt = now;
      view.notice(`${running.length} in the background · esc again ends them`);
      return;
    }
    background.stopAll();
    view.notice(`Ended: ${running.map(({ description }) => description).join(', ')}`);
  };
}

async function suspend({ view }: SessionControls): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once('SIGCONT', resolve);
  // without the terminal nothing else keeps the process alive
  const alive = setInterval(() => {}, 60_000);
  await view.without(() => {
    process.kill(process.pid, 'SIGTSTP');
    return promise;
  });
  clearInterval(alive);
}
