const ENGINES = new Set(['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose']);
/** Options without a value; after every other one stands its value, unless it has it behind an equals sign. */
const FLAGS =
  /^(?:-[itdTqP]+|--(?:rm|init|detach|interactive|tty|no-tty|no-deps|build|quiet|quiet-pull|privileged|read-only|service-ports|use-aliases|remove-orphans|no-healthcheck|sig-proxy|compatibility|all-resources|dry-run))$/i;
/** These run something else than the words say. */
const OTHER_PROGRAM = /^--(?:entrypoint|privileged)(?:=|$)/;

/** The command that `docker compose run app pytest` runs in its container; null when it runs none that can be read. */
export function containedWords(name: string, args: readonly string[]): readonly string[] | null {
  if (!ENGINES.has(name)) return null;
  const [first = '', ...rest] = withoutOptions(args);
  const isCompose = first === 'compose' || name.endsWith('-compose');
  const [action = '', ...words] = first === 'compose' ? withoutOptions(rest) : [first, ...rest];
  if (!/^(?:run|exec)$/.test(action) || (isCompose ? rest : args).some((word) => OTHER_PROGRAM.test(word))) return null;
  const [place, ...command] = withoutOptions(words);
  return place === undefined || command.length === 0 ? null : command;
}

/** From the first word on that is no option and no option's value. */
function withoutOptions(words: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at]?.startsWith('-')) at += FLAGS.test(words[at] ?? '') || words[at]?.includes('=') ? 1 : 2;
  return words.slice(at);
}
