import path from 'node:path';
import { ownValue } from '../../system/ownValue.ts';

const variants = (name: string, ...extensions: readonly string[]) => extensions.map((one) => `${name}.${one}`);
const SCRIPTS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'] as const;

/** Configuration that a runner finds by itself. It decides what is tested, so an agent that edits it can leave tests out. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  vitest: [...variants('vitest.config', ...SCRIPTS), ...variants('vite.config', ...SCRIPTS), 'vitest.workspace.ts'],
  jest: variants('jest.config', ...SCRIPTS, 'json'),
  mocha: variants('.mocharc', 'json', 'jsonc', 'yml', 'yaml', 'js', 'cjs', 'mjs'),
  ava: variants('ava.config', 'js', 'mjs', 'cjs'),
  playwright: variants('playwright.config', ...SCRIPTS),
  eslint: [
    ...variants('eslint.config', ...SCRIPTS),
    ...variants('.eslintrc', 'json', 'js', 'cjs', 'yml'),
    '.eslintignore',
  ],
  biome: ['biome.json', 'biome.jsonc'],
  prettier: ['.prettierrc', '.prettierignore', ...variants('prettier.config', ...SCRIPTS)],
  tsc: ['tsconfig.json'],
  pytest: ['pytest.ini', '.pytest.ini', 'conftest.py', 'pyproject.toml', 'tox.ini', 'setup.cfg'],
  tox: ['tox.ini', 'pyproject.toml', 'setup.cfg'],
  ruff: ['ruff.toml', '.ruff.toml', 'pyproject.toml'],
  mypy: ['mypy.ini', '.mypy.ini', 'pyproject.toml', 'setup.cfg'],
  cargo: ['Cargo.toml', '.cargo/config.toml'],
  rspec: ['.rspec'],
  rubocop: ['.rubocop.yml'],
  phpunit: ['phpunit.xml', 'phpunit.xml.dist'],
  'golangci-lint': variants('.golangci', 'yml', 'yaml', 'toml', 'json'),
};

/** Files that the programs of a command line obey without naming them, and the programs that a package installed for it. */
export function runnerFiles(words: readonly string[], folder: string): readonly string[] {
  const files = words
    .map((word) => path.basename(word))
    .flatMap((name) => {
      const found = ownValue(RUNNERS, name);
      return found === undefined ? [] : [...found, path.join('node_modules', '.bin', name)];
    });
  return files.map((file) => path.join(folder, file));
}
