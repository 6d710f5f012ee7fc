import { ownValue } from '../../system/ownValue.ts';
import { sameRow } from './sameRow.ts';

/** What a reserved word does to the words after it. `names` is followed by a name, `loops` by a variable. */
export type Keyword = 'introduces' | 'groups' | 'times' | 'unclear' | 'hides' | 'names' | 'loops' | 'tests';

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  ...sameRow('! } if then elif else fi while until do done esac', 'introduces' as const),
  '{': 'groups',
  case: 'unclear',
  coproc: 'hides',
  function: 'names',
  for: 'loops',
  select: 'unclear',
  time: 'times',
  '[[': 'tests',
};

export const keywordOf = (word: string): Keyword | undefined => ownValue(KEYWORDS, word);
