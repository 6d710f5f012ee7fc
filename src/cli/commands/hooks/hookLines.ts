import { stripVTControlCharacters } from 'node:util';
import type { ConfiguredHook } from '../../../hooks/configuredHook.ts';
import type { Page } from '../../output/page.ts';
import { oneLine, visibleText } from '../../output/visibleText.ts';
import type { BrokenEntry } from './list/brokenEntries.ts';

/** The first line of a hook in a list: a word about it, its kind, what it runs. */
export function hookLine(hook: ConfiguredHook, word: string, page: Page): string {
  const start = `  ${word}  ${hook.kind.padEnd(KIND_WIDTH)}  `;
  return `${start}${oneLine(hook.label, page.width - stripVTControlCharacters(start).length)}`;
}

const KIND_WIDTH = 'mcp_tool'.length;

/** An entry that cannot run, laid out beside hooks whose word has this width. */
export function brokenText(entry: BrokenEntry, width: number, page: Page): string {
  const head = `  ${page.paint('red', 'broken'.padEnd(width))}  ${page.place(entry)}`;
  return [head, ...entry.problems.map((problem) => page.block(visibleText(problem), width + 4))].join('\n');
}

/** Where a hook was written and what else is to be said of it. */
export function hookFacts(hook: ConfiguredHook, page: Page, more: readonly string[] = []): string {
  const { matcher } = hook;
  const facts = [
    ...(matcher === undefined ? [] : [matcherInWords(matcher)]),
    ...(hook.agent === undefined ? [] : [`agent "${visibleText(hook.agent)}"`]),
    ...secretsInWords(hook),
    `${page.place(hook)} (${hook.source})`,
    ...more,
  ];
  return facts.join(' · ');
}

/** The secrets of the environment that a hook is given. */
export function secretsInWords({ settings: { allowedEnvVars = [] } }: ConfiguredHook): readonly string[] {
  return allowedEnvVars.length === 0 ? [] : [`gets ${allowedEnvVars.map(visibleText).join(', ')}`];
}

export function matcherInWords(matcher: NonNullable<ConfiguredHook['matcher']>): string {
  if (typeof matcher === 'string') return `matcher "${visibleText(matcher)}"`;
  const { source, pattern, caseSensitive } = matcher;
  return `last ${source.replace('_', ' ')} message matches /${visibleText(pattern)}/${caseSensitive ? '' : 'i'}`;
}
