/** A connection that comes back within this time keeps its locks. */
const graceMs = 5_000;

/** The channels of this server that hold a lock. */
export class KeptChannels {
  readonly #ids = new Set<string>();
  readonly #waiting = new Set<NodeJS.Timeout>();

  get ids(): string[] {
    return [...this.#ids];
  }

  add(channelId: string): void {
    this.#ids.add(channelId);
  }

  async letGo(channelId: string, isCut: boolean, release: () => Promise<unknown>): Promise<void> {
    if (!this.#ids.delete(channelId)) return;
    if (!isCut) {
      await release();
      return;
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      // A lock that cannot be released now expires by itself.
      release().catch(() => {});
    }, graceMs);
    this.#waiting.add(timer.unref());
  }

  stop(): void {
    for (const timer of this.#waiting) clearTimeout(timer);
  }
}
