/** Names that are written with blanks between them. */
export const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The part of a table in which several programs have the same row. */
export function sameRow<Row>(programs: string, row: Row): Readonly<Record<string, Row>> {
  return Object.fromEntries(programs.split(' ').map((program) => [program, row]));
}
