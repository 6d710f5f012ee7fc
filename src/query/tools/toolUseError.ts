/** What the model reads of a call that its tool did not even start, as Claude Code marks it. */
export const toolUseError = (reason: string): string => `<tool_use_error>${reason}</tool_use_error>`;
