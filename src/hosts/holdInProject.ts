import path from 'node:path';
import { UserError } from '../system/userError.ts';
import { hideFromGit, trackedNote } from './hideFromGit.ts';
import type { WiredAgent, WiredFile, WiringWish } from './host.ts';
import { holdFiles } from './wireHost.ts';

interface HeldInProject extends Pick<WiredFile, 'format' | 'entries'> {
  readonly host: string;
  /** The settings file, below the project. */
  readonly name: string;
}

/** Our hooks in a settings file of the project while an agent runs, hidden from git. */
export async function holdInProject(
  { host, name, format, entries }: HeldInProject,
  { folder, world, git }: WiringWish,
  first: readonly (string | null)[],
): Promise<WiredAgent> {
  const file = { file: path.join(folder, name), within: folder, format, entries };
  const hold = await holdFiles([file], { kind: 'launch' }, world);
  if (hold.type === 'refused') throw new UserError(hold.reason);
  const excludesFile = path.join(world.stopgateHome, 'hosts', host, 'excludes');
  const { homeDir, env } = world;
  const hidden = await hideFromGit({ git, folder, homeDir, env, excludesFile, held: [name] });
  const notes = [
    ...first.filter((note) => note !== null),
    ...hold.files.flatMap((one) => one.notes),
    ...hidden.notes,
    ...(await trackedNote(git, folder, [name])),
  ];
  const { release } = hold;
  return { notes, env: hidden.env, release, [Symbol.asyncDispose]: async () => void (await release()) };
}
