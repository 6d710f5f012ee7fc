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

it('its contents link every name to its heading, also one that several sub-paths have', () => {
  const page: string = apiPage();
  const headings = [...page.matchAll(/^#{1,3} (.+)$/gm)].map(([, name = '']) => name.toLowerCase());
  const plain = headings.map((name) => name.replaceAll(/[^\w-]/g, ''));
  const anchors = plain.map((name, at) => {
    const before = plain.slice(0, at).filter((one) => one === name).length;
    return before === 0 ? name : `${name}-${before}`;
  });
  const links = [...page.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);
  expect(links).toEqual(anchors.slice(1));
  expect(links).toContain('untildone-1');
});
