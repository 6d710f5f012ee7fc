// asyncRewake on Stop: exit 2 wakes, exit 0 and 1 do not
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: ['two', 'zero', 'one'].map((n) => ({ type: 'command', command: hook(n), asyncRewake: true })) }] } }),
  replies: { two: [{ code: 2, err: 'wake up', sleep: 0.5 }, {}], zero: [{ out: 'zero out', err: 'zero err', sleep: 0.3 }, {}], one: [{ code: 1, err: 'one err', sleep: 0.3 }, {}] },
  script: [{ text: 'a' }, { text: 'b' }],
};
