import { listSessions } from '../../../../session/transcript/sessionFiles.ts';
import { sessionTitle } from '../../../../session/transcript/sessionTitle.ts';
import { wallNow } from '../../../../system/clock.ts';
import { formatAgo } from '../../../../system/formatDuration.ts';
import { listPanel } from '../../../output/screen/panels/listPanel.ts';
import { oneLine } from '../../../output/visibleText.ts';
import { readSessionNames, sessionNamed } from '../../../wiring/sessionNames.ts';
import type { SessionControls } from '../sessionControls.ts';

const MOST_LISTED = 50;

/** By its name or id, or from a list of the folder's sessions. */
export async function resumeSession(session: SessionControls, wanted: string): Promise<void> {
  const { sessionsDir, view, paint, world } = session;
  const others = (await listSessions(sessionsDir)).filter(({ id }) => id !== session.id);
  if (wanted !== '') {
    const named = sessionNamed(sessionsDir, wanted);
    const found = others.filter(({ id }) => id === named || id.startsWith(wanted));
    const [only] = found;
    if (found.length === 1 && only !== undefined) return session.leave({ type: 'resume', id: only.id });
    return session.print([
      `${found.length === 0 ? 'No' : 'More than one'} session matches "${wanted}"; /resume lists them.`,
    ]);
  }
  if (others.length === 0) return session.print(['There is no other session in this folder.']);
  const names = readSessionNames(sessionsDir);
  const now = wallNow(world.clock);
  const listed = await Promise.all(
    others.slice(0, MOST_LISTED).map(async ({ id, file, modifiedAt }) => ({
      id,
      label: oneLine(names[id] ?? (await sessionTitle(file)) ?? id, 70),
      detail: `${formatAgo(modifiedAt, now)} · ${id.slice(0, 8)}`,
    })),
  );
  const run = ({ id }: { readonly id: string }) => {
    close();
    session.leave({ type: 'resume', id });
  };
  const actions = [{ key: 'enter', label: 'continues it', run } as const];
  const close = view.show(
    listPanel({ title: 'Which session?', items: () => listed, paint, actions, close: () => close() }),
  );
}
