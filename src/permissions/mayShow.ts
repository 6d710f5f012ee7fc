import { makeRealPath } from './makeRealPath.ts';
import { type PathPlaces, pathMatches } from './matchPath.ts';
import { builtInNamed, compileRules } from './parseRule.ts';
import type { PermissionRules } from './types.ts';

/**
 * Whether a search may show a file: no deny or ask rule on reading is about it, neither by its name nor by where links
 * lead. A search of a folder runs and leaves the others out, as a person would want who wrote `Read(.env)`.
 */
export function makeMayShow(facts: PathPlaces & { readonly rules: PermissionRules }): (path: string) => boolean {
  const { deny, ask } = compileRules(facts.rules);
  const patterns = [...deny, ...ask].flatMap(({ toolName, content }) =>
    builtInNamed(toolName) === 'Read' && content !== undefined ? [content] : [],
  );
  if (patterns.length === 0) return () => true;
  const realPath = makeRealPath();
  return (path) =>
    ![path, realPath(path)].some((one) =>
      patterns.some((pattern) => pathMatches({ pattern, path: one, places: facts, strict: true })),
    );
}
