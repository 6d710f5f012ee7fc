import { ClaudeJson } from './claudeCode/claudeJson.ts';
import { ClaudeText } from './claudeCode/claudeText.ts';
import { WithoutPieces } from './claudeCode/withoutPieces.ts';

/** What a reader of a launch gets: the agent's output as it is, or Claude Code's stream in another form. */
export type OutputForm = 'asIs' | 'withoutPieces' | 'text' | 'json';

export interface FormedOutput {
  push(chunk: string): void;
  /** The agent is gone. */
  end(): void;
}

type Write = (text: string) => void;

export const OUTPUT_FORMS: { readonly [Form in OutputForm]: (write: Write) => FormedOutput } = {
  asIs: (write) => ({ push: write, end: () => {} }),
  withoutPieces: (write) => new WithoutPieces(write),
  text: (write) => new ClaudeText(write),
  json: (write) => new ClaudeJson(write),
};
