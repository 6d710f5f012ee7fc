import path from 'node:path';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { projectRules } from '../../schemas/projectRules.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';

/** Rules that a person allowed for good in a session of this project: outside the repository, so that no clone brings any. */
const projectRulesFile = (sessionsDir: string): string => path.join(sessionsDir, 'allowed.json');

const MAX_BYTES = 1_000_000;

interface ProjectRules {
  readonly allow: readonly string[];
  /** Sentences; a file that cannot be used allows nothing. */
  readonly problems: readonly string[];
}

export function readProjectRules(sessionsDir: string): ProjectRules {
  const file = projectRulesFile(sessionsDir);
  const read = readTextFileSync(file, MAX_BYTES);
  if (read.type === 'missing') return { allow: [], problems: [] };
  const parsed = read.type === 'read' ? projectRules.safeParse(jsonValue(read.text)).data : undefined;
  if (parsed !== undefined) return { allow: parsed.allow, problems: [] };
  const problem = `${file} must be {"allow": ["RULE", …]}, so no rule of it applies; correct or delete it.`;
  return { allow: [], problems: [problem] };
}

/** Adds rules and returns the file that has them now. */
export async function allowForProject(sessionsDir: string, rules: readonly string[]): Promise<string> {
  const file = projectRulesFile(sessionsDir);
  const { allow } = readProjectRules(sessionsDir);
  await writePrivateFile(file, `${JSON.stringify({ allow: [...new Set([...allow, ...rules])] }, null, 2)}\n`);
  return file;
}
