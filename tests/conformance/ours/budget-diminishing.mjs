// three continuations that bring next to nothing, and the fourth stop is believed
export default {
  args: ['--token-budget', '100k'],
  script: ['one', 'two', 'three', 'four', 'five'].map((text) => ({ text, out: 100 })),
};
