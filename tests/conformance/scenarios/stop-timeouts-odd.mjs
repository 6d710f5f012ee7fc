// timeouts that are fractions, negative, zero, text or null
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [0.5, -1, '1', null, 0, 1e9].map((timeout, i) => ({ hooks: [{ type: 'command', command: hook(`t${i}`), timeout }] })) } }),
  replies: { t0: [{ code: 2, err: 'half', sleep: 1.5 }, {}], t1: [{ code: 2, err: 'negative', sleep: 0.3 }, {}], t2: [{ code: 2, err: 'text', sleep: 0.3 }, {}], t3: [{ code: 2, err: 'null', sleep: 0.3 }, {}], t4: [{ code: 2, err: 'zero', sleep: 0.3 }, {}], t5: [{ code: 2, err: 'huge', sleep: 0.3 }, {}] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
