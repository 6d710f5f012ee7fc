// nine tenths are enough
export default {
  args: ['--token-budget', '2k'],
  script: [
    { text: 'one', out: 1800 },
    { text: 'two', out: 1 },
  ],
};
