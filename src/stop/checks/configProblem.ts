import type * as z from 'zod';
import { formatJsonPath, type JsonPath, locateJsonPath } from '../../schemas/json.ts';
import { valueAt } from '../../schemas/jsonValue.ts';
import { checkConfig, judgeConfig, stopgateConfig } from '../../schemas/stopgateConfig.ts';
import { nearestName } from '../../system/nearestName.ts';
import { ownValue } from '../../system/ownValue.ts';

/** What each field must be; the validator's own messages contain neither the fix nor an example. */
const MUST_BE: Readonly<Record<string, string>> = {
  checks: 'must be a list of at most 100 checks, such as [{ "name": "tests", "command": "npm test" }]',
  command: 'must be a shell command, such as "npm test", or a list of words, such as ["npm", "test"]',
  name: 'must be a string of 1 to 80 characters',
  timeout: 'must be a duration such as "90s", "10m" or "1h30m", or a number of seconds above 0',
  when: 'must be "changed" or "always"',
  lines: 'must be a whole number from 1 to 400',
  cwd: 'must be the path of a folder, relative to the folder of this file',
  inputs: 'must be a list of at most 100 paths',
  severity: 'must be "block" or "warn"',
  baseline: 'must be "session"; `stopgate baseline` accepts what fails now for all sessions',
  report: 'must name a format and a path, such as { "format": "junit", "path": "report.xml" }',
  format: 'must be "junit", "tap" or "json"',
  path: 'must be the path of a file, relative to where the check runs',
  stallAfter: 'must be a whole number from 1 to 100',
  maxBlocks: 'must be a whole number from 1 to 1000',
  protect: 'must be a list of at most 100 globs, such as ["test/**"]',
  editable: 'must be a list of at most 100 globs, such as ["src/**"]',
  judge: 'must be an object, such as { "criteria": "The tests cover the new behavior." }',
  criteria: 'must be a text of at most 20,000 characters',
  model: 'must be the name of a model, such as "anthropic/claude-sonnet-5-5"',
  onError: 'must be "accept" or "block"',
  maxRejections: 'must be a whole number from 1 to 100',
  $schema: 'must be a string',
};
const WHOLE_FILE = 'the file must be an object, such as { "checks": [{ "name": "tests", "command": "npm test" }] }';
const ONE_CHECK = 'must be an object, such as { "name": "tests", "command": "npm test" }';

/** The first problem, as `LINE: PLACE: what to write instead`. */
export function configProblem(text: string, value: unknown, { issues }: z.ZodError): string {
  const [issue] = issues;
  if (issue === undefined) return '1: is not valid';
  const at = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code === 'unrecognized_keys') return unknownField(text, at, issue.keys[0] ?? '');
  const line = locateJsonPath(text, at)?.line ?? locateJsonPath(text, at.slice(0, -1))?.line ?? 1;
  if (at.length === 0) return `${line}: ${WHOLE_FILE}`;
  return `${line}: ${formatJsonPath(at)}: ${mustBe(at)}${describeGot(valueAt(value, at))}`;
}

function mustBe(at: JsonPath): string {
  if (at.length === 2 && at[0] === 'checks') return ONE_CHECK;
  const field = at.findLast((step) => typeof step === 'string');
  return ownValue(MUST_BE, field) ?? 'is not valid';
}

const LONGEST_VALUE = 60;

function describeGot(value: unknown): string {
  if (value === undefined) return ', but is missing';
  const got = JSON.stringify(value);
  return `, got ${got.length > LONGEST_VALUE ? `${got.slice(0, LONGEST_VALUE)}…` : got}`;
}

function unknownField(text: string, at: JsonPath, key: string): string {
  const inside = at[0] === 'judge' ? judgeConfig : checkConfig;
  const known = Object.keys(at.length === 0 ? stopgateConfig.unwrap().shape : inside.unwrap().shape);
  const nearest = nearestName(key, known);
  const hint = nearest === undefined ? `known fields: ${known.join(', ')}` : `did you mean "${nearest}"?`;
  const path = [...at, key];
  return `${locateJsonPath(text, path)?.line ?? 1}: ${formatJsonPath(path)}: is not a known field (${hint})`;
}
