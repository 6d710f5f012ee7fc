/** An error that the user can fix: one sentence, with what to do next. Printed without a stack. */
export class UserError extends Error {
  readonly exitCode: number;

  constructor(sentence: string, exitCode = 2) {
    super(sentence);
    this.name = 'UserError';
    this.exitCode = exitCode;
  }
}
