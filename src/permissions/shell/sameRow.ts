/** Names that are written with blanks between them. */
export const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The part of a table in which several programs have the same row. */
export function sameRow<Row>(programs: string, row: Row): Readonly<Record<string, Row>> {
  return Object.fromEntries(programs.split(' ').map((program) => [program, row]));
}

/** A table by program; a key may name several programs. */
export function byProgram<Row>(rows: Readonly<Record<string, Row>>): ReadonlyMap<string, Row> {
  const table = new Map<string, Row>();
  for (const [programs, row] of Object.entries(rows)) {
    for (const program of programs.split(' ')) table.set(program, row);
  }
  return table;
}
