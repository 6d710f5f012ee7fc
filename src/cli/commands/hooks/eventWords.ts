import type { BlockEffect, EventRow } from '../../../hooks/events/eventRow.ts';
import type { HookEventName } from '../../../hooks/types.ts';

/** What an event comes to, in words that follow "nobody objects:" or stand alone. */
export interface EventWords {
  readonly free: string;
  /** Where a block changes that. */
  readonly blocked?: string;
  /** Who reads the reason of a block; nobody unless told. */
  readonly told?: string;
  /** What `continue: false` comes to, where it is not the end of the turn. */
  readonly prevented?: string;
  /** Context alone is enough to go on. */
  readonly goesOnWithContext?: true;
}

export const EVENT_WORDS: { readonly [Name in HookEventName]: EventWords } = {
  Stop: { free: 'the turn may end', blocked: 'the turn would go on', told: 'the model', goesOnWithContext: true },
  SubagentStop: {
    free: 'the subagent may end',
    blocked: 'the subagent would go on',
    told: 'the subagent',
    prevented: 'the subagent would end',
    goesOnWithContext: true,
  },
  StopFailure: { free: 'the turn ends with its error' },
  TeammateIdle: {
    free: 'the teammate may idle',
    blocked: 'the teammate would go on',
    told: 'the teammate',
    prevented: 'the teammate would end',
  },
  TaskCreated: { free: 'the task is made', blocked: 'the task would not be made', told: 'the model' },
  TaskCompleted: {
    free: 'the task is done',
    blocked: 'the task would stay open',
    told: 'the model',
    prevented: 'a teammate would end',
  },
  PreToolUse: { free: 'permission rules decide', blocked: 'the tool would not run', told: 'the model' },
  PostToolUse: { free: 'the model gets the result', blocked: 'the tool has run already', told: 'the model' },
  PostToolUseFailure: { free: 'the model gets the error', blocked: 'the tool has failed already', told: 'the model' },
  PostToolBatch: { free: 'the model gets the results' },
  PermissionRequest: { free: 'permission rules decide' },
  PermissionDenied: { free: 'the call stays denied' },
  UserPromptSubmit: {
    free: 'the prompt is sent',
    blocked: 'the prompt would not be sent',
    told: 'you',
    prevented: 'the prompt would not be sent',
  },
  UserPromptExpansion: {
    free: 'the command is expanded',
    blocked: 'the command would not be expanded',
    told: 'you',
    prevented: 'the command would not be expanded',
  },
  SessionStart: { free: 'the session starts' },
  SessionEnd: { free: 'the session ends' },
  Setup: { free: 'the setup is done' },
  SubagentStart: { free: 'the subagent starts' },
  InstructionsLoaded: { free: 'the instructions are used' },
  Notification: { free: 'the notification is sent' },
  MessageDisplay: { free: 'the text is shown' },
  PreCompact: {
    free: 'the conversation is compacted',
    blocked: 'the conversation would not be compacted',
    told: 'you',
  },
  PostCompact: { free: 'the summary is used' },
  PreModelSwitch: { free: 'the model is switched', blocked: 'the model would not be switched', told: 'you' },
  PostModelSwitch: { free: 'the new model answers' },
  ConfigChange: { free: 'the new settings are used', blocked: 'the new settings would not be used' },
  CwdChanged: { free: 'the turn goes on in the new folder' },
  FileChanged: { free: 'the turn goes on' },
  DirectoryAdded: { free: 'the folder is added' },
  WorktreeCreate: { free: 'the worktree is made', blocked: 'the worktree would not be made', told: 'you' },
  WorktreeRemove: { free: 'the worktree is removed', blocked: 'the worktree would not be removed', told: 'you' },
  Elicitation: { free: 'you are asked', blocked: 'the question would be declined' },
  ElicitationResult: { free: 'the answer is passed on', blocked: 'the answer would be declined' },
};

const TOLD = 'what it printed on stderr is told to';

const EXIT_2: { readonly [Effect in BlockEffect]: (words: EventWords) => string } = {
  blocks: ({ blocked = '', told }) => `${blocked}; ${told === undefined ? 'nobody is told why' : `${TOLD} ${told}`}`,
  showsModel: ({ blocked = '' }) => `${blocked}; ${TOLD} the model`,
  ends: () => 'the turn would end, with what it printed on stderr as the reason',
  showsPerson: () => 'changes nothing; what it printed on stderr is shown to you',
  ignored: () => 'changes nothing, and nobody is told',
};

/** What a hook on this event does by ending with exit code 2. */
export function exit2InWords(row: EventRow): string {
  return EXIT_2[row.onBlock](EVENT_WORDS[row.name]);
}
