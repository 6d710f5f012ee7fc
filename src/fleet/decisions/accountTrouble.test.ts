import { expect, it } from 'vitest';
import { type AccountTrouble, decideAccountPause, isAccountTrouble } from './accountTrouble.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 16, 11, 46);
const trouble = (error: string, more: Partial<AccountTrouble> = {}): AccountTrouble => ({
  error,
  text: '',
  now: NOW,
  refusals: 0,
  random: 0,
  ...more,
});

it.each<[AccountTrouble, number, string]>([
  [trouble('rate_limit', { text: 'resets 3:16pm (Europe/Berlin)' }), 151, 'rate_limited'],
  [trouble('rate_limit', { text: 'resets 3:16pm (Europe/Berlin)', refusals: 9 }), 151, 'rate_limited'],
  [trouble('rate_limit', { text: 'try again in 5 minutes' }), 5, 'rate_limited'],
  // nothing is named: longer each time that a task was given back for it
  [trouble('rate_limit'), 1, 'rate_limited'],
  [trouble('rate_limit', { refusals: 3 }), 8, 'rate_limited'],
  [trouble('rate_limit', { refusals: 19 }), 60, 'rate_limited'],
  [trouble('overloaded'), 1, 'unserved'],
  [trouble('server_error', { refusals: 2 }), 4, 'unserved'],
  [trouble('authentication_failed'), 10, 'unserved'],
  [trouble('authentication_failed', { refusals: 2 }), 40, 'unserved'],
  [trouble('billing_error', { refusals: 19 }), 120, 'unserved'],
  // "in 5 minutes" is advice for a person here
  [trouble('oauth_org_not_allowed', { text: 'log in, then try again in 5 minutes' }), 10, 'unserved'],
])('%o pauses for %i minutes', (given, minutes, release) => {
  expect(decideAccountPause(given)).toEqual({ untilAt: NOW + minutes * MINUTE, release });
});

it.each(['invalid_request', 'model_not_found', 'max_output_tokens', 'unknown', 'constructor', ''])(
  '%s is not the account’s',
  (error) => {
    expect(decideAccountPause(trouble(error))).toBeNull();
    expect(isAccountTrouble(error)).toBe(false);
  },
);

it('lets twenty tries of one task last for more than a night', () => {
  for (const error of ['authentication_failed', 'overloaded', 'rate_limit']) {
    let now = NOW;
    for (let refusals = 0; refusals < 20; refusals++) {
      now = decideAccountPause(trouble(error, { now, refusals }))?.untilAt ?? 0;
    }
    expect(now - NOW, error).toBeGreaterThan(12 * 60 * MINUTE);
  }
});
