import { expect, it } from 'vitest';
import { stopgateConfig } from '../../../schemas/stopgateConfig.ts';
import { configText } from './configFile.ts';
import { proposeChecks } from './proposeChecks.ts';

const commandsOf = (files: Readonly<Record<string, string>>) => {
  const checks = proposeChecks({ has: (file) => file in files, read: (file) => files[file] });
  if (checks.length > 0) stopgateConfig.parse(JSON.parse(configText(checks)));
  return checks.map(({ command }) => command);
};
const scripts = (...names: string[]) =>
  JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, 'x'])) });

it.each<[string, Readonly<Record<string, string>>, string[]]>([
  ['nothing', {}, []],
  [
    'npm',
    { 'package.json': scripts('lint', 'test', 'typecheck', 'build') },
    ['npm test', 'npm run lint', 'npm run typecheck'],
  ],
  ['pnpm', { 'package.json': scripts('test'), 'pnpm-lock.yaml': '' }, ['pnpm run test']],
  [
    'the test that npm init writes',
    { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
    [],
  ],
  ['a broken package.json', { 'package.json': '{' }, []],
  ['scripts of another shape', { 'package.json': '{"scripts":{"test":1}}' }, []],
  ['make', { Makefile: 'all:\n\ttrue\ntest: all\n\ttrue\n' }, ['make test']],
  ['a variable called test', { Makefile: 'test := 1\ntests: x\n' }, []],
  ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]' }, ['python -m pytest -q']],
  ['cargo and go', { 'Cargo.toml': '', 'go.mod': '' }, ['cargo test', 'go test ./...']],
])('proposes from %s', (_name, files, commands) => {
  expect(commandsOf(files)).toEqual(commands);
});
