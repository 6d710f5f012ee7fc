import type { Person } from '../../../query/person.ts';
import type { HookPrompt } from '../../../schemas/hookOutputs.ts';
import { listPanel } from '../../output/screen/panels/listPanel.ts';
import { oneLine } from '../../output/visibleText.ts';
import { allowForProject } from '../../wiring/projectRules.ts';
import { notifyTerminal, runNotificationHooks } from './notifyPerson.ts';
import { PermissionQuestions } from './permissionQuestions.ts';
import type { SessionControls } from './sessionControls.ts';

/** The person at the screen, as turns see them. */
export function personOf(session: SessionControls): Person {
  const { paint, view, choices, prompts, sessionsDir } = session;
  const questions = new PermissionQuestions({
    paint,
    show: (panel) => view.show(panel),
    isBeingTyped: () => view.isBeingTyped(),
    needsYou: (text) => {
      notifyTerminal(text, session.world.env);
      void runNotificationHooks(session.opened, text, 'permission_prompt');
    },
    awaitWords: () => view.notice('Say what to do instead.'),
    allow: async (updates, { isForGood = false }, { suggestion }) => {
      choices.allow(updates);
      const where = isForGood ? ` (${await allowForProject(sessionsDir, suggestion)})` : '';
      const what = `Allowed ${isForGood ? 'in this project' : 'in this session'}: ${oneLine(suggestion.join(','))}${where}`;
      session.print([paint('dim', what)]);
    },
  });
  return {
    takeSteering: () => prompts.takeSteering(),
    takePermissionUpdates: () => choices.takeForTurn(),
    seesRequest: (request) => session.side?.requested(request),
    askPermission: (question, signal) => questions.ask(question, signal),
    requestPrompt: (question, signal) => askForHook(session, question, signal),
  };
}

/** A hook's question with the answers that it offers; null when the person closes it or the turn ends. */
async function askForHook(
  { view, paint, world }: SessionControls,
  { message, options }: HookPrompt,
  signal: AbortSignal,
): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const onAbort = () => resolve(null);
  signal.addEventListener('abort', onAbort, { once: true });
  const items = options.map(({ key, label, description = '' }) => ({ answer: key, label, detail: description }));
  const actions = [
    { key: 'enter', label: 'answers', run: ({ answer }: { answer: string }) => resolve(answer) } as const,
  ];
  const close = view.show(listPanel({ title: message, items: () => items, paint, actions, close: onAbort }));
  notifyTerminal(`A hook asks: ${message}`, world.env);
  const answer = await promise;
  signal.removeEventListener('abort', onAbort);
  close();
  return answer;
}
