import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest, so that none of them runs alone at the end. On a clean clone no times are known, and the size of a
 * file, by which Vitest goes then, says little: the conformance suite is 20 lines.
 */
const LONG_FILES = [
  // these mostly wait, so others run beside them
  'tests/fleet/faults/faults.test.ts',
  'tests/claudeCode/worker.test.ts',
  'tests/hosts/opencode.test.ts',
  'tests/cli/worker.test.ts',
  'tests/conformance/conformance.test.ts',
  'tests/hosts/hostileRepository.test.ts',
  'tests/hosts/qwen.test.ts',
  'tests/hosts/drive.test.ts',
  'tests/hosts/gemini.test.ts',
  'tests/sandbox/escapes.test.ts',
  'tests/claudeCode/lyingAgent.test.ts',
  'tests/cli/hostileFiles.test.ts',
  'tests/hosts/copilot.test.ts',
  'tests/hosts/codex.test.ts',
  'tests/cli/restore.test.ts',
  'tests/fleet/verification.test.ts',
  'tests/fleet/outage.test.ts',
  'tests/fleet/fleetCommand.test.ts',
  'tests/claudeCode/checks.test.ts',
  'tests/cli/records.test.ts',
  'tests/git/restore.property.test.ts',
  'tests/cli/lyingAgent.test.ts',
  'tests/hosts/claude.test.ts',
  'tests/adapters/pi.test.ts',
  'tests/adapters/openaiAgents.test.ts',
  'tests/claudeCode/spend.test.ts',
  'tests/terminal/fleetView.test.ts',
  'tests/terminal/crash.test.ts',
  'tests/cli/checks.test.ts',
  'tests/cli/launch.test.ts',
  'tests/store/sameAnswers.test.ts',
  'tests/store/faults.test.ts',
  'tests/cli/baseline.test.ts',
  'tests/cli/clockSet.test.ts',
  'tests/permissions/shellFuzz.test.ts',
  'tests/structure/members.test.ts',
  'tests/claudeCode/launch.test.ts',
  'tests/cli/launchChecks.test.ts',
  'tests/cli/trustContent.test.ts',
  'src/git/snapshotWorkTree.test.ts',
  'src/git/keptBytes.test.ts',
  'src/git/treeDigest.test.ts',
  'src/git/traps.test.ts',
  'src/system/pidLock.test.ts',
  'tests/cli/agentVerbs.test.ts',
  'tests/cli/hostileRepository.test.ts',
  'tests/incidents/tasks.test.ts',
  'src/tools/bash/gitTraps.test.ts',
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
