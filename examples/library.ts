// Runs one turn from your own code. In the checkout: npm exec -- node examples/library.ts (with a key, or STOPGATE_MODEL=scripted:FILE).
import { mainContext, makeMessages, query, resolveModel, textOf } from 'stopgate';

const resolved = resolveModel(process.env.STOPGATE_MODEL ?? 'sonnet', process.env);
if (resolved.type === 'unknown') throw new Error(resolved.message);

const turn = query({
  messages: [makeMessages().user('Which files are here?')],
  systemPrompt: ['You answer in one sentence.'],
  toolUseContext: mainContext({ model: resolved.model, projectDir: process.cwd() }),
  config: { maxTurns: 10 },
});

let step = await turn.next();
for (; !step.done; step = await turn.next()) {
  if (step.value.type === 'tool_start') console.log(`${step.value.name} ${step.value.summary}`);
  if (step.value.type === 'assistant') console.log(textOf(step.value));
}
console.log(`ended: ${step.value.reason}`);
