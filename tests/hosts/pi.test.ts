import { describeHost } from '../support/hosts/describeHost.ts';

await describeHost('pi', {
  mostRefusals: 10,
  // its extension
  guarded: 2,
  limit: { status: 429, message: 'Rate limit reached for requests' },
  settings: { '~/.pi/agent/extensions/mine.js': 'export default function () {}\n' },
});
