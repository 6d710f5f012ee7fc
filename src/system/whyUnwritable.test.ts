import { expect, it } from 'vitest';
import { whyUnwritable } from './whyUnwritable.ts';

const error = (code: string, path: string) => Object.assign(new Error('no'), { code, path });

it.each([
  [error('EACCES', '/h/.stopgate'), '/h/.stopgate may not be written; change its permissions, or set STOPGATE_HOME.'],
  [
    error('EROFS', '/h/.stopgate/keys'),
    '/h/.stopgate/keys may not be written; change its permissions, or set STOPGATE_HOME.',
  ],
  [
    error('ENOSPC', '/h/.stopgate/x'),
    '/h/.stopgate/x cannot be written because the disk is full; free some space, or set STOPGATE_HOME.',
  ],
  [error('EACCES', '/h/other'), null],
  [error('ENOENT', '/h/.stopgate/x'), null],
  [new TypeError('a bug'), null],
  ['a text', null],
])('%o: %s', (thrown, sentence) => {
  expect(whyUnwritable(thrown, '/h/.stopgate')).toBe(sentence);
});
