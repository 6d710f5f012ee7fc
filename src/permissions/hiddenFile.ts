import { opensFile } from './commandPaths.ts';
import { compileRules } from './compiledRules.ts';
import type { FactsOf } from './judge.ts';
import { builtInNamed } from './parseRule.ts';
import type { FoundCommands } from './shell/findCommands.ts';
import { isOpen, knownVariables, wordsWithValues } from './shell/knownVariables.ts';
import { PLAIN_OUTPUT } from './shell/openWords.ts';
import type { ShellWord } from './shell/shellTypes.ts';
import { commandName } from './shell/unwrapCommand.ts';

/** Programs whose words are files. */
const OPENS_WORDS = new Set(
  'cat tac head tail less more bat nl od xxd hexdump strings cp mv ln rm shred tee dd sort uniq cut paste diff cmp base64 openssl gzip tar zip scp rsync sed awk grep egrep fgrep touch truncate chmod install patch'.split(
    ' ',
  ),
);

/**
 * Why a command needs more than a rule for commands in general while rules forbid files: it opens one whose name another
 * command makes up when it runs, `cat $(base64 -d <<< …)`. Undefined without such rules.
 */
export function hiddenFile(found: FoundCommands, facts: FactsOf<'command'>): string | undefined {
  const rule = compileRules(facts.rules).deny.find(
    ({ toolName, content }) => content !== undefined && /^(?:Read|Edit|Write)$/.test(builtInNamed(toolName) ?? ''),
  );
  if (!rule) return undefined;
  const known = knownVariables(found.all);
  const isHidden = (word: ShellWord) =>
    !PLAIN_OUTPUT.test(word.raw) && wordsWithValues(word, known).some((one) => isOpen(one, known));
  for (const { part } of found.all) {
    const [head, ...words] = part.words;
    const opened = OPENS_WORDS.has(commandName(head?.text ?? '')) ? words : [];
    const hidden = [...opened, ...part.redirects.filter(opensFile).map(({ target }) => target)].find(isHidden);
    if (hidden) return `which file "${hidden.raw}" names is only known when it runs, and "${rule.text}" may forbid it`;
  }
  return undefined;
}
