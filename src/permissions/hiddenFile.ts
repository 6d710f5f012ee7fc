import { opensFile, startingFolders } from './commandPaths.ts';
import type { FactsOf } from './judge.ts';
import { builtInNamed, compileRules } from './parseRule.ts';
import { pathLookup } from './pathLookup.ts';
import { written } from './shell/commandTexts.ts';
import type { FoundCommands } from './shell/findCommands.ts';
import { isOpen, knownVariables, wordsWithValues } from './shell/knownVariables.ts';
import { handsOn, isFed } from './shell/listedNames.ts';
import { NUMBERS, PLAIN_OUTPUT } from './shell/openWords.ts';
import { namesIn } from './shell/sameRow.ts';
import type { ShellPart, ShellWord } from './shell/shellTypes.ts';
import { commandName, UNKNOWN_WORD } from './shell/unwrapCommand.ts';

/** Programs whose words are files. */
const OPENS_WORDS = namesIn(
  'cat tac head tail less more bat nl od xxd hexdump strings cp mv ln rm shred tee dd sort uniq cut paste diff cmp base64 openssl gzip tar zip scp rsync sed awk grep egrep fgrep touch truncate chmod install patch',
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
  const isHidden = (part: ShellPart) => (word: ShellWord) =>
    word.raw === UNKNOWN_WORD.raw
      ? !isFed(part, found)
      : !isPlainOutput(word, found, facts) && wordsWithValues(word, known).some((one) => isOpen(one, known));
  for (const { part } of found.all) {
    const [head, ...words] = part.words;
    const opened = OPENS_WORDS.has(commandName(head?.text ?? '')) ? words : [];
    const hidden = [...opened, ...part.redirects.filter(opensFile).map(({ target }) => target)].find(isHidden(part));
    if (handsOn(part) && !isFed(part, found))
      return `which files ${written(part.words)} opens is only known when it runs, and "${rule.text}" may forbid one`;
    if (hidden) return `which file "${hidden.raw}" names is only known when it runs, and "${rule.text}" may forbid it`;
  }
  return undefined;
}

/** `<(…)`: a pipe, whatever the command in it reads; that is judged on its own. */
const PIPE = /^[<>]\((?:[^()]|\([^()]*\))*\)$/;
const TRACKED =
  /^"?\$\(git (?:ls-files|diff --name-only)(?!.* -(?:[a-z]*[oi]|-[oi]))(?: [\w.*/ '"-]*)?(?:\| *head(?: -n? ?\d+)? *)?\)"?$/;
const PROGRAM_PATH = /^"?\$\((?:which|command -v|type -p) [\w.-]+\)"?$|^"?\$\(npm root\)[\w./-]*"?$/;
/** In quotes, because a blank in the name of a folder makes two words of it. */
const ONE_FILE = /^"\$\(find [\w./][\w./-]* -name [\w.-]+(?: *\| *head(?: -n? ?\d+)?)? *\)"$/;

/** Whether a word's value is not the name of a file, or is one that the rules were checked against. */
function isPlainOutput({ raw }: ShellWord, found: FoundCommands, facts: FactsOf<'command'>): boolean {
  if (PLAIN_OUTPUT.test(raw) || NUMBERS.test(raw) || PIPE.test(raw) || PROGRAM_PATH.test(raw)) return true;
  if (ONE_FILE.test(raw)) return true;
  // a blank in a name makes two words of it
  const isWhole = (folder: string) =>
    pathLookup(facts)
      .tracked(folder)
      ?.every((path) => !/\s/.test(path)) === true;
  return TRACKED.test(raw) && startingFolders(found, facts).every(isWhole);
}
