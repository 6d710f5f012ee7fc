import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest, so that none of them runs alone at the end. On a clean clone no times are known, and the size of a
 * file, by which Vitest goes then, says little: the conformance suite is 20 lines.
 */
const LONG_FILES = [
  // these mostly wait, so others run beside them
  'tests/fleet/faults/faults.test.ts',
  'tests/conformance/conformance.test.ts',
  'tests/cli/restore.test.ts',
  'tests/cli/hostileFiles.test.ts',
  'tests/cli/worker.test.ts',
  'tests/cli/launch.test.ts',
  'tests/fleet/verification.test.ts',
  'tests/fleet/judge.test.ts',
  'tests/cli/records.test.ts',
  'tests/git/restore.property.test.ts',
  'src/git/keptBytes.test.ts',
  'tests/cli/task.test.ts',
  'tests/fleet/fleetCommand.test.ts',
  'tests/fleet/remotes.test.ts',
  'src/git/snapshotWorkTree.test.ts',
  'tests/sandbox/escapes.test.ts',
  'tests/fleet/storeMove.test.ts',
  'tests/fleet/landing.test.ts',
  'tests/fleet/landingOutage.test.ts',
  'tests/fleet/verificationMachines.test.ts',
  'src/git/trickedDigest.test.ts',
  'tests/fleet/outage.test.ts',
  'src/launch/prune/pruneLeftovers.test.ts',
  'tests/hosts/codex.test.ts',
  'tests/hosts/copilot.test.ts',
  'tests/hosts/hostileRepository.test.ts',
  'tests/adapters/openaiAgents.test.ts',
  'tests/claudeCode/checks.test.ts',
  'tests/claudeCode/launch.test.ts',
  'tests/claudeCode/lyingAgent.test.ts',
  'tests/claudeCode/worker.test.ts',
  'src/git/treeDigest.test.ts',
  'tests/cli/checksTogether.test.ts',
  'tests/cli/secrets.test.ts',
  'tests/cli/lyingAgent.test.ts',
  'tests/fleet/continuedWork.test.ts',
  'tests/fleet/sharedStore.test.ts',
  'tests/cli/checks.test.ts',
  'tests/terminal/screens.test.ts',
  'tests/cli/hostileRepository.test.ts',
  'tests/adapters/pi.test.ts',
  'tests/cli/trustContent.test.ts',
  'tests/terminal/fleetView.test.ts',
  'tests/terminal/crash.test.ts',
  'tests/terminal/flood.test.ts',
  'tests/hosts/pi.test.ts',
  'tests/store/faults.test.ts',
  'tests/store/postgresContract.test.ts',
  'tests/store/sqliteContract.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG_FILES.indexOf(path.relative(root, moduleId));
      return at === -1 ? LONG_FILES.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
