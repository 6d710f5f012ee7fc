import { listPanel } from '../../../output/screen/panels/listPanel.ts';
import { oneLine } from '../../../output/visibleText.ts';
import type { SessionControls } from '../sessionControls.ts';

/** Earlier prompts of the project, the latest first; the chosen one becomes the draft. */
export function searchHistory(session: SessionControls): void {
  const { view, paint } = session;
  const prompts = session.history
    .all()
    .toReversed()
    .map((prompt) => ({ label: oneLine(prompt), prompt }));
  if (prompts.length === 0) {
    view.notice('No earlier prompts in this project');
    return;
  }
  const take = ({ prompt }: { readonly prompt: string }) => {
    close();
    view.draft = prompt;
  };
  const actions = [{ key: 'enter', label: 'takes it', run: take } as const];
  const close = view.show(
    listPanel({ title: 'Earlier prompts', items: () => prompts, paint, actions, close: () => close() }),
  );
}
