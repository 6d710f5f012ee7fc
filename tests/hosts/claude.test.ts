import { describeHost } from '../support/hosts/describeHost.ts';

await describeHost('claude', {
  mostRefusals: 8,
  guarded: 2,
  limit: { status: 429, type: 'rate_limit_error', message: 'Slow down, try again in 40 s' },
  settings: { '.claude/settings.local.json': '{\n\t"unknown": [1,2],\n\t"hooks": {}}' },
});
