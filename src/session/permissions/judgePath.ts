import { isAbsolute, relative, resolve } from 'node:path';
import { findDenied } from './findDenied.ts';
import type { FactsOf, Judge, Restriction, Standing } from './judge.ts';
import { isInside, pathMatches } from './matchPath.ts';
import type { Rule } from './parseRule.ts';
import { isProtectedPath } from './protectedPaths.ts';
import { toolMatches } from './toolMatches.ts';

type PathFacts = FactsOf<'read' | 'edit'>;

/** As asked and as it resolves: what is forbidden under either name is forbidden. */
function pathsOf(facts: PathFacts): readonly string[] {
  const { resolvedPath } = facts.request;
  return resolvedPath === undefined ? [askedPath(facts)] : [askedPath(facts), resolvedPath];
}

function askedPath({ request, cwd, projectDir }: PathFacts): string {
  return resolve(cwd ?? projectDir, request.path);
}

/** Where it would really happen. */
function realPath(facts: PathFacts): string {
  return facts.request.resolvedPath ?? askedPath(facts);
}

function covers({ content }: Rule, path: string, facts: PathFacts, strict: boolean): boolean {
  return content === undefined || pathMatches({ pattern: content, path, places: facts, strict });
}

const byPath: Omit<Judge<'read' | 'edit'>, 'standing' | 'allowance'> = {
  restriction(rules, facts) {
    const rule = rules.find(
      (rule) => toolMatches(rule, facts, true) && pathsOf(facts).some((path) => covers(rule, path, facts, true)),
    );
    return rule ? { rule, about: facts.request.path } : searchRestriction(rules, facts);
  },
  suggestion(facts) {
    const path = realPath(facts);
    const inside = relative(facts.projectDir, path);
    const written = inside.startsWith('..') || isAbsolute(inside) ? `/${path}` : `/${inside}`;
    return `${facts.request.type === 'edit' ? 'Edit' : 'Read'}(${written})`;
  },
  describe: (facts) => `${facts.toolName} of ${facts.request.path}`,
};

const SEARCHES = new Set(['Grep', 'Glob']);

/** A search reads all that is in its folder, so a rule on one file in there stands against it. */
function searchRestriction(rules: readonly Rule[], facts: PathFacts): Restriction | undefined {
  if (!SEARCHES.has(facts.toolName)) return undefined;
  for (const rule of rules.filter((rule) => rule.content !== undefined && toolMatches(rule, facts, true))) {
    for (const folder of pathsOf(facts)) {
      const file = findDenied({ pattern: rule.content ?? '', folder, places: facts });
      if (file !== undefined) return { rule, about: `searching ${folder}, because ${why(file, folder)}` };
    }
  }
  return undefined;
}

function why(file: string, folder: string): string {
  if (file === folder) return 'it is too large to tell that nothing forbidden is in it (name a smaller folder)';
  return `${relative(folder, file)} is in it (name a folder or file without it)`;
}

export const judgeRead: Judge<'read'> = {
  ...byPath,
  allowance(rules, facts) {
    const rule = rules.find((rule) => {
      // Who may edit a file may read it.
      const concerns = toolMatches(rule, facts, false) || (rule.toolName === 'Edit' && rule.content !== undefined);
      return concerns && covers(rule, realPath(facts), facts, false);
    });
    return rule && `the rule "${rule.text}" allows it`;
  },
  standing(facts): Standing {
    if (isInside(realPath(facts), facts.directories)) return { type: 'harmless' };
    return { type: 'risky', needed: `it is outside the open folders${leadsTo(facts)}` };
  },
};

export const judgeEdit: Judge<'edit'> = {
  ...byPath,
  allowance(rules, facts) {
    const path = realPath(facts);
    const guarded = isProtectedPath(path, facts.directories);
    const rule = rules.find(
      (rule) =>
        toolMatches(rule, facts, false) &&
        // A rule for all edits was not written with the files in mind that decide what runs.
        !(guarded && rule.content === undefined) &&
        covers(rule, path, facts, false),
    );
    return rule && `the rule "${rule.text}" allows it`;
  },
  standing(facts): Standing {
    const path = realPath(facts);
    if (!isInside(path, facts.directories)) {
      return { type: 'risky', needed: `it is outside the open folders${leadsTo(facts)}` };
    }
    if (isProtectedPath(path, facts.directories)) {
      return {
        type: 'risky',
        needed: 'this file decides what runs later, so only a rule that names it allows an edit',
      };
    }
    return { type: 'edit', needed: 'no rule allows this edit' };
  },
};

function leadsTo(facts: PathFacts): string {
  const { resolvedPath } = facts.request;
  if (resolvedPath === undefined || resolvedPath === askedPath(facts)) return '';
  return ` (it leads to ${resolvedPath})`;
}
