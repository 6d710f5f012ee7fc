import { type FlagValues, splitList, type TaskFlag } from '../taskOptions.ts';

export interface QuickArguments {
  readonly words: readonly string[];
  readonly flags: FlagValues;
}

/** Words and known flags; null for anything else, which the full command then explains. */
export function parseQuick(args: readonly string[], known: readonly TaskFlag[]): QuickArguments | null {
  const words: string[] = [];
  const flags: Record<string, string | true | readonly string[]> = {};
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--') return { words: [...words, ...args.slice(at + 1)], flags };
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg);
      continue;
    }
    const [, name, inline] = /^--([a-z][a-z-]*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    const flag = known.find((one) => one.name === name);
    if (!flag || (!flag.value && inline !== undefined)) return null;
    const value = flag.value ? (inline ?? args[++at]) : true;
    if (value === undefined) return null;
    const key = camelCase(flag.name);
    flags[key] = flag.many ? splitList(String(value), flags[key] as readonly string[] | undefined) : value;
  }
  return { words, flags };
}

const camelCase = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
