import { textPanel } from '../../../output/screen/panels/textPanel.ts';
import type { SessionControls } from '../sessionControls.ts';

/** The turn may go on meanwhile. */
export async function askBeside(session: SessionControls, question: string): Promise<void> {
  if (question === '') return session.print(['Write the question after it: /btw why did you choose that file?']);
  const { paint, view } = session;
  let answer = ['…'];
  const text = () => [...answer, '', paint('dim', 'Nothing of this is in the conversation.')];
  const close = view.show(textPanel({ title: `btw: ${question}`, text, paint, close: () => close() }));
  answer = ((await session.side?.ask(question)) ?? 'The session is still being opened.').split('\n');
  view.update();
}
