/** Published test doubles (`stopgate/testing`), also used by our own tests. */

import '../requireNode.ts';

export { type FakeClock, fakeClock } from './fakeClock.ts';
export { startModelServer } from './modelServer.ts';
export { type FakeHooks, fakeHooks, runTurn, type TurnOptions, type TurnRun } from './runTurn.ts';
export { type ScriptedReplies, type ScriptedReply, scriptedReplies } from './scriptedReplies.ts';
export { type StoreCase, type StoreTools, storeContract } from './storeContract.ts';
export { tempFolder } from './tempFolder.ts';
export { callTool, freeDirectory, testToolContext } from './toolContext.ts';
export { fakeTool } from './tools.ts';
