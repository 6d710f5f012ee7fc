/** The password for a connection in the text of a `.pgpass` file, by PostgreSQL's own rules: the first line that matches. */
export function passwordIn(
  text: string,
  wanted: { readonly host: string; readonly port: number; readonly database: string; readonly user: string },
): string | undefined {
  const values = [wanted.host, String(wanted.port), wanted.database, wanted.user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    if (fields.length < 5) continue;
    const password = fields.slice(4).join(':');
    if (values.every((value, at) => fields[at] === '*' || fields[at] === value)) return password;
  }
  return undefined;
}

/** Separated by colons; a backslash keeps the next character. */
function fieldsOf(line: string): readonly string[] {
  return [...`${line}:`.matchAll(/((?:\\.|[^\\:])*):/g)].map(([, field = '']) => field.replaceAll(/\\(.)/g, '$1'));
}
