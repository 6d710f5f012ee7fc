// 500 tokens an answer, 2,000 asked for: nudged at 25, 50 and 75 %, let go at 100
export default {
  prompt: 'count +2k',
  script: ['one', 'two', 'three', 'four', 'five'].map((text) => ({ text, out: 500 })),
};
