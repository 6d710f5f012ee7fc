import { updatePermissions } from '../permissions/updatePermissions.ts';
import type { PermissionUpdate } from '../schemas/permissionAnswer.ts';
import type { State } from './state.ts';

/** What a hook changed about permissions when it allowed a call holds from then on, for the call's own hooks too. */
export function withPermissionUpdates(state: State, updates: readonly PermissionUpdate[] | undefined): State {
  if (updates === undefined || updates.length === 0) return state;
  const { toolUseContext } = state;
  const permissions = updatePermissions(toolUseContext.permissions, updates);
  return { ...state, toolUseContext: { ...toolUseContext, permissions } };
}
