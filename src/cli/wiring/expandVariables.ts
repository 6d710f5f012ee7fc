/** `${NAME}` and `${NAME:-default}`, as `.mcp.json` has them. A name that is not set and has no default stays as it is written. */
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

type Environment = Readonly<Record<string, string | undefined>>;

/** One text with its variables filled in. */
export const expandWords = (text: string, env: Environment): string =>
  text.replaceAll(
    VARIABLE,
    (written, name: string, fallback: string | undefined) => env[name] || (fallback ?? written),
  );

/**
 * What a server's own `env` says. Its values are the place where a person hands it a secret by name, without writing the
 * secret into the file.
 */
export function expandVariables(values: Readonly<Record<string, string>>, env: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expandWords(value, env)]));
}
