/**
 * What the scripted models of these examples do, so that they run without a key: the first answer claims to be done, the second
 * one does the work after the gate has sent the model back.
 */
export const TURNS = [
  { text: 'Done: greeting.txt has a greeting.' },
  { tool: { name: 'write', input: { text: 'hello' } } },
  { text: 'Now it has one.' },
] as const;
