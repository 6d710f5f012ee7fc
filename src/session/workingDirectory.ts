/** The directory an agent's commands run in; it follows `cd` and is the agent's own. */
export class AgentDirectory {
  readonly projectDir: string;
  #current: string;
  readonly #onMove: (from: string, to: string) => void;

  constructor(projectDir: string, onMove: (from: string, to: string) => void = () => {}, current = projectDir) {
    this.projectDir = projectDir;
    this.#onMove = onMove;
    this.#current = current;
  }

  current(): string {
    return this.#current;
  }

  moveTo(directory: string): void {
    if (directory === this.#current) return;
    const from = this.#current;
    this.#current = directory;
    this.#onMove(from, directory);
  }

  fork(): AgentDirectory {
    return new AgentDirectory(this.projectDir, this.#onMove, this.#current);
  }
}
