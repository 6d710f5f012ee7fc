import { describe, expect, it } from 'vitest';
import { shellLimits } from './shellLimits.ts';

describe('shellLimits', () => {
  it.each([
    [undefined, {}, 120_000, 30_000],
    [5000, {}, 5000, 30_000],
    [10_000_000, {}, 600_000, 30_000],
    [undefined, { BASH_DEFAULT_TIMEOUT_MS: '7' }, 7, 30_000],
    [undefined, { BASH_DEFAULT_TIMEOUT_MS: '900000' }, 900_000, 30_000],
    [10_000_000, { BASH_MAX_TIMEOUT_MS: '700000' }, 700_000, 30_000],
    [undefined, { BASH_DEFAULT_TIMEOUT_MS: 'soon', BASH_MAX_OUTPUT_LENGTH: '-1' }, 120_000, 30_000],
    [undefined, { BASH_DEFAULT_TIMEOUT_MS: '', BASH_MAX_OUTPUT_LENGTH: '1e9' }, 120_000, 150_000],
  ])('%s requested with %j', (requested, env, timeoutMs, maxOutputCharacters) => {
    expect(shellLimits(requested, env)).toEqual({ timeoutMs, maxOutputCharacters });
  });
});
