import { stripVTControlCharacters } from 'node:util';
import type { ConfiguredHook } from '../../../hooks/configuredHook.ts';
import type { Page } from '../../output/page.ts';
import { oneLine, visibleText } from '../../output/visibleText.ts';
import type { BrokenEntry } from './list/brokenEntries.ts';

interface HookState {
  readonly word: string;
  readonly color: Parameters<Page['paint']>[0];
  /** Of the lines under the first one. */
  readonly indent: number;
  readonly facts?: readonly string[];
  /** Sentences that a person should see. */
  readonly notes?: readonly string[];
}

/** A hook in a list: its state, kind and label, then its place and other facts. */
export function hookText(hook: ConfiguredHook, state: HookState, page: Page): string {
  const { word, color, indent, facts = [], notes = [] } = state;
  const start = `  ${page.paint(color, word)}  ${hook.kind.padEnd(KIND_WIDTH)}  `;
  return [
    `${start}${oneLine(hook.label, page.width - stripVTControlCharacters(start).length)}`,
    page.paint('dim', page.block(hookFacts(hook, page, facts), indent)),
    ...notes.map((note) => page.paint('yellow', page.block(visibleText(note), indent))),
  ].join('\n');
}

const KIND_WIDTH = 'mcp_tool'.length;

/** An entry that cannot run, aligned with hooks whose state has this width. */
export function brokenText(entry: BrokenEntry, width: number, page: Page): string {
  const head = `  ${page.paint('red', 'broken'.padEnd(width))}  ${page.place(entry)}`;
  return [head, ...entry.problems.map((problem) => page.block(visibleText(problem), width + 4))].join('\n');
}

export function brokenJson({ file, line, path, problems }: BrokenEntry) {
  return { file, line: line ?? null, path, problems };
}

/** The place of a hook in its file, its conditions and other facts. */
function hookFacts(hook: ConfiguredHook, page: Page, more: readonly string[]): string {
  const { matcher } = hook;
  return [
    ...(matcher === undefined ? [] : [describeMatcher(matcher)]),
    ...(hook.agent === undefined ? [] : [`agent "${visibleText(hook.agent)}"`]),
    ...describeSecrets(hook),
    `${page.place(hook)} (${hook.source})`,
    ...more,
  ].join(' · ');
}

/** The secrets from the environment that a hook gets. */
export function describeSecrets({ settings: { allowedEnvVars = [] } }: ConfiguredHook): readonly string[] {
  return allowedEnvVars.length === 0 ? [] : [`gets ${allowedEnvVars.map(visibleText).join(', ')}`];
}

export function describeMatcher(matcher: NonNullable<ConfiguredHook['matcher']>): string {
  if (typeof matcher === 'string') return `matcher "${visibleText(matcher)}"`;
  const { source, pattern, caseSensitive } = matcher;
  return `last ${source.replace('_', ' ')} message matches /${visibleText(pattern)}/${caseSensitive ? '' : 'i'}`;
}

/** A hook in `--json` output. */
export function hookJson(hook: ConfiguredHook) {
  const { event, kind, label, matcher, source, file, line, path, agent, settings } = hook;
  return {
    event,
    matcher: matcher ?? null,
    kind,
    label,
    source,
    file,
    line: line ?? null,
    path,
    agent: agent ?? null,
    settings,
  };
}
