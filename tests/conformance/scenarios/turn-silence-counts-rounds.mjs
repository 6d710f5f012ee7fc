// text starts the count anew; three calls at once are one round
const call = { name: 'Bash', input: { command: 'echo hi', description: 'x' } };
const one = { tools: [call] };
const three = { tools: [call, call, call] };
export default {
  settings: {},
  args: ['--allowedTools', 'Bash'],
  script: [{ text: 'first', ...one }, one, one, one, one, one, { text: 'mid', ...one }, one, one, three, three, three, three, { text: 'done' }],
};
