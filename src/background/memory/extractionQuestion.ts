import type { Evidence } from './evidence.ts';
import type { Memory } from './memoryFile.ts';

const START_OF_EVIDENCE = 120;

/** What the fork is asked. Examples of what not to keep are there because that is most of what models propose. */
export function extractionQuestion(evidence: readonly Evidence[], known: readonly Memory[]): string {
  const first = evidence[0]?.text.replace(/\s+/g, ' ').trim().slice(0, START_OF_EVIDENCE) ?? '';
  const index = known.map(({ name, description }) => `- ${name}: ${description}`).join('\n') || '(none yet)';
  return `<system-reminder>
This is not from the user and nothing of it becomes part of the conversation. Do not call tools; they would not run.

Look at what the user wrote and what tools printed from the message on that begins “${first}”. Which facts in it will still be useful in another session of this project, weeks from now? Most of the time: none.

Keep only:
- user: who the user is and how they want to work, in general
- feedback: how they corrected you, and what to do instead
- project: decisions, constraints and reasons that the code itself does not show
- reference: where things are outside the repository (URLs, dashboards, commands that took effort to find out)

Do not keep: what was done in this session, the state of a task, anything that reading the code or git shows, your own plans or conclusions, guesses, secrets of any kind, and anything that was recalled from memory or is known already:
${index}

Answer with one JSON object and nothing else:
{"memories": [{"name": "short-name", "description": "one line for an index", "type": "user|feedback|project|reference", "content": "the fact, with its reason, in Markdown", "evidence": "words copied exactly from the user's message or the tool's output"}]}
A fact whose evidence is not found there word for word is thrown away. To correct a known fact, use its name. Nothing worth keeping: {"memories": []}
</system-reminder>`;
}
