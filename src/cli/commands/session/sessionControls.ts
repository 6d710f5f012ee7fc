import type { World } from '../../../system/world.ts';
import type { Paint } from '../../output/colors.ts';
import type { OpenSession } from '../../wiring/openSession.ts';
import type { PromptFlags } from '../../wiring/promptFlags.ts';
import type { PersonsChoices } from './personsChoices.ts';
import type { PromptHistory } from './promptHistory.ts';
import type { SessionView } from './sessionView.ts';
import type { SideQuestions } from './sideQuestions.ts';
import type { TypedPrompts } from './typedPrompts.ts';

/** Why one conversation ends: the terminal goes on with another one, or closes. */
export type Leaving =
  | { readonly type: 'exit' }
  | { readonly type: 'clear' }
  | { readonly type: 'resume'; readonly id: string };

/** What keys, commands and questions may look at and do in a session. */
export interface SessionControls {
  readonly world: World;
  readonly flags: PromptFlags;
  readonly paint: Paint;
  readonly view: SessionView;
  readonly choices: PersonsChoices;
  readonly sessionsDir: string;
  readonly history: PromptHistory;
  readonly prompts: TypedPrompts;
  /** Commands that the person runs beside the conversation. */
  readonly lines: Set<AbortController>;
  /** Undefined until the session is open. */
  readonly side: SideQuestions | undefined;
  readonly id: string;
  readonly isOpen: boolean;
  /** Throws before it is open. */
  readonly opened: OpenSession;
  readonly isWorking: boolean;
  /** There is something to come back to. */
  readonly hasTalked: boolean;
  /** The running turn; undefined between turns. */
  readonly turn: AbortController | undefined;
  print(lines: readonly string[]): void;
  keepDraft(): void;
  leave(leaving: Leaving): void;
}
