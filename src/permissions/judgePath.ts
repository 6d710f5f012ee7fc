import { isAbsolute, relative, resolve } from 'node:path';
import { exactRules } from './exactRules.ts';
import type { FactsOf, Judge, Standing } from './judge.ts';
import { isInside, literalPath, pathMatches } from './matchPath.ts';
import type { Rule } from './parseRule.ts';
import { isGatePath, isProtectedPath } from './protectedPaths.ts';
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
    return rule && { rule, about: facts.request.path };
  },
  suggestion(facts) {
    const path = realPath(facts);
    const inside = relative(facts.projectDir, path);
    const written = inside.startsWith('..') || isAbsolute(inside) ? `/${path}` : `/${inside}`;
    const content = literalPath(written);
    // the matcher reads some backslashes in two ways
    if (path.includes('\\') || !pathMatches({ pattern: content, path, places: facts, strict: false })) return [];
    return exactRules([{ toolName: facts.request.type === 'edit' ? 'Edit' : 'Read', content }]);
  },
  describe: (facts) => `${facts.toolName} of ${facts.request.path}`,
};

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
  standing: (facts) => outside(facts) ?? { type: 'harmless' },
};

export const judgeEdit: Judge<'edit'> = {
  ...byPath,
  allowance(rules, facts) {
    const path = realPath(facts);
    // a rule without a path was written with the project in mind, not with ~/.ssh
    const inside = isInside(path, facts.directories);
    const rule = rules.find(
      (rule) =>
        toolMatches(rule, facts, false) && (rule.content === undefined ? inside : covers(rule, path, facts, false)),
    );
    return rule && `the rule "${rule.text}" allows it`;
  },
  // A rule for all edits was not written with the files in mind that decide what runs.
  guarded(rules, facts) {
    const path = realPath(facts);
    if (!isProtectedPath(path, facts.directories)) return undefined;
    return isNamed(rules, path, facts)
      ? undefined
      : 'this file decides what runs later, so only a rule that names it allows an edit';
  },
  gatePath(rules, facts) {
    const path = realPath(facts);
    return isGatePath(path, facts.directories, facts.gateFiles) && !isNamed(rules, path, facts) ? path : undefined;
  },
  standing: (facts) => outside(facts) ?? { type: 'edit', needed: 'no rule allows this edit' },
};

const isNamed = (rules: readonly Rule[], path: string, facts: PathFacts) =>
  rules.some((rule) => namesProtected(rule) && toolMatches(rule, facts, false) && covers(rule, path, facts, false));

/** `Edit(.claude/**)` was written with these files in mind, `Edit(**)` was not. */
function namesProtected({ content }: Rule): boolean {
  return content !== undefined && isProtectedPath(resolve('/', content.replace(/^[~/]+/, '')), []);
}

function outside(facts: PathFacts): Standing | undefined {
  const path = realPath(facts);
  if (isInside(path, facts.directories)) return undefined;
  const leadsTo = path === askedPath(facts) ? '' : ` (it leads to ${path})`;
  return { type: 'risky', needed: `it is outside the open folders${leadsTo}` };
}
