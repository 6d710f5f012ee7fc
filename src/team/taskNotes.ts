import { type TeamTaskNotes, teamTaskNotes } from '../schemas/task.ts';

/** What a team's task says besides its words; the store has no place of its own for it. */
export type TaskNotes = TeamTaskNotes;

export interface TaskText {
  readonly description: string;
  readonly notes: TaskNotes;
}

/** The last line of a body, as a comment that whoever renders Markdown does not see. */
const NOTES_LINE = /(?:^|\n\n)<!-- stopgate-team (\{.*\}) -->$/;

export function bodyOf({ description, notes }: TaskText): string {
  if (Object.values(notes).every((note) => note === undefined)) return description;
  // nothing inside may end the comment
  const line = `<!-- stopgate-team ${JSON.stringify(notes).replaceAll('>', '\\u003e')} -->`;
  return description === '' ? line : `${description}\n\n${line}`;
}

/** A last line that is none of ours is part of the description. */
export function textOf(body: string): TaskText {
  const found = NOTES_LINE.exec(body);
  const notes = found?.[1] === undefined ? undefined : parsed(found[1]);
  return found && notes ? { description: body.slice(0, found.index), notes } : { description: body, notes: {} };
}

function parsed(text: string): TaskNotes | undefined {
  try {
    return teamTaskNotes.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
