/** What a reserved word does to the words after it. `names` is followed by a name, `loops` by a variable. */
export type Keyword = 'introduces' | 'groups' | 'times' | 'unclear' | 'hides' | 'names' | 'loops' | 'tests';

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  '!': 'introduces',
  '{': 'groups',
  '}': 'introduces',
  if: 'introduces',
  // biome-ignore lint/suspicious/noThenProperty: the shell's word, and this table is never awaited
  then: 'introduces',
  elif: 'introduces',
  else: 'introduces',
  fi: 'introduces',
  while: 'introduces',
  until: 'introduces',
  do: 'introduces',
  done: 'introduces',
  esac: 'introduces',
  case: 'unclear',
  coproc: 'hides',
  function: 'names',
  for: 'loops',
  select: 'unclear',
  time: 'times',
  '[[': 'tests',
};

export function keywordOf(word: string): Keyword | undefined {
  return Object.hasOwn(KEYWORDS, word) ? KEYWORDS[word] : undefined;
}
