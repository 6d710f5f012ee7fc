import { readTextFileSync } from '../../../../system/readTextFile.ts';
import type { BackgroundTask } from '../../../../tools/background/backgroundTasks.ts';
import { listPanel } from '../../../output/screen/panels/listPanel.ts';
import { textPanel } from '../../../output/screen/panels/textPanel.ts';
import { transcriptLines } from '../../../output/transcriptLines.ts';
import type { SessionControls } from '../sessionControls.ts';

const MAX_BYTES = 2_000_000;

/** What runs beside the conversation, or inside a call of it: each can be looked into and stopped. */
export function showTasks(session: SessionControls): void {
  const { view, paint } = session;
  const { background } = session.opened.params.toolUseContext.toolServices;
  const items = () =>
    background.listed().map((task) => ({
      ...task,
      label: task.description,
      detail: `${task.type}${task.isAwaited ? ', the turn waits for it' : ''} · ${task.id}`,
    }));
  if (items().length === 0) {
    view.notice('No subagent or background task is running');
    return;
  }
  const stop = ({ id, description }: BackgroundTask) => {
    if (background.stop(id)) session.print([`Stopped: ${description}.`]);
    if (background.listed().length === 0) close();
  };
  const actions = [
    { key: 'enter', label: 'looks into it', run: (task: BackgroundTask) => lookInto(session, task) },
    { key: 'ctrl+x', label: 'stops it', run: stop },
  ] as const;
  const close = view.show(listPanel({ title: 'Running', items, paint, actions, close: () => close() }));
}

function lookInto({ view, paint }: SessionControls, { description, type, outputFile }: BackgroundTask): void {
  const text = () => {
    const read = outputFile === undefined ? null : readTextFileSync(outputFile, MAX_BYTES);
    if (read === null) return ['No output is kept of it.'];
    if (read.type !== 'read') return ['No output yet.'];
    const lines = type === 'subagent' ? transcriptLines(read.text, paint) : read.text.split('\n');
    return read.cut ? [`Only the first ${MAX_BYTES} bytes are shown; all of it is in ${outputFile}.`, ...lines] : lines;
  };
  const close = view.show(
    textPanel({ title: description, text, paint, isFull: true, atEnd: true, close: () => close() }),
  );
}
