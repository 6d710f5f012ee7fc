import { PERMISSION_MODES, type PermissionMode } from '../../../permissions/types.ts';
import { updatePermissions } from '../../../permissions/updatePermissions.ts';
import type { ToolUseContext } from '../../../query/toolUseContext.ts';
import type { PermissionUpdate } from '../../../schemas/permissionAnswer.ts';

/** Modes that a key may choose; switching all questions off takes a command. */
const CYCLED: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan'];

/** What the person chose since the session began: a model, a permission mode, rules. */
export class PersonsChoices {
  #context: ToolUseContext | undefined;
  #chosen: Partial<Pick<ToolUseContext, 'model' | 'permissions'>> = {};
  #forTurn: PermissionUpdate[] = [];

  /** The session is open. */
  begin(context: ToolUseContext): void {
    this.#context = context;
  }

  /** What holds for the next turn. */
  applied(context: ToolUseContext): ToolUseContext {
    this.#forTurn = [];
    return { ...context, ...this.#chosen };
  }

  /** For the turn that runs, since the last call. */
  takeForTurn(): readonly PermissionUpdate[] {
    return this.#forTurn.splice(0);
  }

  get model(): ToolUseContext['model'] | undefined {
    return this.#chosen.model ?? this.#context?.model;
  }

  set model(model: ToolUseContext['model']) {
    this.#chosen = { ...this.#chosen, model };
  }

  get permissions(): ToolUseContext['permissions'] | undefined {
    return this.#chosen.permissions ?? this.#context?.permissions;
  }

  get mode(): PermissionMode {
    return this.permissions?.mode ?? 'default';
  }

  /** Undefined for an unknown mode. */
  chooseMode(text: string): PermissionMode | undefined {
    const mode = PERMISSION_MODES.find((one) => one === text);
    const { permissions } = this;
    if (mode === undefined || permissions === undefined) return undefined;
    this.#chosen = { ...this.#chosen, permissions: { ...permissions, mode } };
    this.#forTurn.push({ type: 'setMode', mode });
    return mode;
  }

  cycleMode(): void {
    this.chooseMode(CYCLED[(CYCLED.indexOf(this.mode) + 1) % CYCLED.length] ?? 'default');
  }

  /** From now on, also for the running turn's other agents. */
  allow(updates: readonly PermissionUpdate[]): void {
    const { permissions } = this;
    if (permissions === undefined) return;
    this.#chosen = { ...this.#chosen, permissions: updatePermissions(permissions, updates) };
    this.#forTurn.push(...updates);
  }
}
