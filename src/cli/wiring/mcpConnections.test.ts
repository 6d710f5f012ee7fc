import { expect, it } from 'vitest';
import { expandVariables } from './mcpConnections.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: as files have them
it.each([
  ['${GITHUB_TOKEN}', 'planted'],
  ['Bearer ${GITHUB_TOKEN}!', 'Bearer planted!'],
  ['${EMPTY:-other}', 'other'],
  ['${UNSET:-}', ''],
  ['${UNSET}', '${UNSET}'],
  ['$GITHUB_TOKEN', '$GITHUB_TOKEN'],
  ['${GITHUB_TOKEN}${UNSET:-x}', 'plantedx'],
])('%s becomes %s', (text, value) => {
  expect(expandVariables({ A: text }, { GITHUB_TOKEN: 'planted', EMPTY: '' })).toEqual({ A: value });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as files have them
