import { type Adaptation, describeAdaptation } from './adaptations.ts';

/** What this process has learned about one server; shared by all its models there. */
export class GatewayMemory {
  readonly #address: string;
  #adaptations: readonly Adaptation[] = [];
  readonly #reported = new Set<string>();
  readonly #notices: string[] = [];

  constructor(address: string) {
    this.#address = address;
  }

  /** How every request to this server is changed. */
  get adaptations(): readonly Adaptation[] {
    return this.#adaptations;
  }

  learn(learned: readonly Adaptation[]): void {
    const before = new Set(this.#adaptations.map((one) => JSON.stringify(one)));
    const added = learned.filter((one) => !before.has(JSON.stringify(one)));
    if (added.length === 0) return;
    this.#adaptations = [...this.#adaptations, ...added];
    this.#notices.push(`The server at ${this.#address} does not accept ${added.map(describeAdaptation).join(' or ')}.`);
  }

  /** Reports each kind once. */
  skipped(kinds: Iterable<string>): void {
    const fresh = [...new Set(kinds)].filter((kind) => !this.#reported.has(kind));
    for (const kind of fresh) this.#reported.add(kind);
    if (fresh.length > 0)
      this.#notices.push(
        `The server at ${this.#address} sent unknown events, which were skipped: ${fresh.join(', ')}.`,
      );
  }

  /** The notices that were not shown yet; kept until a caller can show them. */
  takeNotices(): readonly string[] {
    return this.#notices.splice(0);
  }
}

const known = new Map<string, GatewayMemory>();

/** The memory of the server at a base URL, one per process: a second model there would meet the same refusals. */
export function gatewayMemory(baseURL: string): GatewayMemory {
  const before = known.get(baseURL);
  if (before) return before;
  const made = new GatewayMemory(addressOf(baseURL));
  known.set(baseURL, made);
  return made;
}

/** Without possible secrets: user, password and query. */
function addressOf(baseURL: string): string {
  if (!URL.canParse(baseURL)) return baseURL;
  const { origin, pathname } = new URL(baseURL);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}
