/** Listeners by key, so that a keystroke draws one cell and not a thousand. */
export class Signals {
  private readonly listeners = new Map<string, Set<() => void>>();

  subscribe = (key: string, listener: () => void): (() => void) => {
    const known = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, known.add(listener));
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.listeners.get(key) === known) this.listeners.delete(key);
    };
  };

  emit(key: string): void {
    for (const listener of [...(this.listeners.get(key) ?? [])]) listener();
  }
}
