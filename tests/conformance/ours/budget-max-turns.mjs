// what is left of a budget buys no request beyond --max-turns
export default {
  args: ['--token-budget', '100k', '--max-turns', '2'],
  script: ['one', 'two', 'three'].map((text) => ({ text, out: 600 })),
};
