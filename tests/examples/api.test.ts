import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error a plain module that also runs by itself
import { apiPage } from '../../scripts/apiDocs.mjs';

const PAGE = path.join(import.meta.dirname, '../../docs/api.md');

it('docs/api.md is what the types say (node scripts/apiDocs.mjs writes it)', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(apiPage());
});

it('every sub-path and its main names are in it, with their comments', () => {
  const page = apiPage();
  for (const module of ['gate', 'ai-sdk', 'agent-sdk', 'langchain', 'mastra', 'openai-agents', 'pi', 'testing']) {
    expect(page).toContain(`\n## stopgate/${module}\n`);
  }
  expect(page).toMatch(/### createGate\n\n\w[^\n]+\n\n```ts\nfunction createGate\(/);
  expect(page).toMatch(/### openStore\n\n/);
});
