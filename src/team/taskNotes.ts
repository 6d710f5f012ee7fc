import { jsonValue } from '../schemas/jsonValue.ts';
import { type TeamTaskNotes, teamTaskNotes } from '../schemas/teamTaskNotes.ts';

export interface TaskText {
  readonly description: string;
  readonly notes: TeamTaskNotes;
}

/** The last line of a body: a comment, which rendered Markdown does not show. */
const NOTES_LINE = /(?:^|\n\n)<!-- stopgate-team (\{.*\}) -->$/;

export function bodyOf({ description, notes }: TaskText): string {
  if (Object.values(notes).every((note) => note === undefined)) return description;
  // nothing inside may end the comment
  const line = `<!-- stopgate-team ${JSON.stringify(notes).replaceAll('>', '\\u003e')} -->`;
  return description === '' ? line : `${description}\n\n${line}`;
}

/** Any other last line is part of the description. */
export function textOf(body: string): TaskText {
  const found = NOTES_LINE.exec(body);
  const notes = found?.[1] === undefined ? undefined : teamTaskNotes.safeParse(jsonValue(found[1])).data;
  return found && notes ? { description: body.slice(0, found.index), notes } : { description: body, notes: {} };
}
