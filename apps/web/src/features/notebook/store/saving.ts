import type { Hub } from './hub.ts';

export interface Saving {
  /** All edits are stored on the server. */
  isDone: boolean;
  isConnected: boolean;
  version: number;
  versionName: string | null;
  problem: string | null;
}

const settleMs = 300;

/** The saving state that the page shows. */
export class SavingState {
  private saving: Saving = { isDone: true, isConnected: false, version: 0, versionName: null, problem: null };
  private settling: ReturnType<typeof setTimeout> | undefined;
  private told = '';
  private readonly hub: Hub;

  constructor(hub: Hub) {
    this.hub = hub;
  }

  get = (): Saving => this.saving;

  change(change: Partial<Saving>): void {
    this.saving = { ...this.saving, ...change };
    this.hub.options.onUnsent?.();
    clearTimeout(this.settling);
    const tell = () => {
      const now = JSON.stringify(this.saving);
      if (now === this.told) return;
      this.told = now;
      this.hub.emit('saving');
    };
    // While a person goes on typing, "saved" is shown only after a pause.
    if (this.saving.isDone && !change.version) this.settling = setTimeout(tell, settleMs);
    else tell();
  }
}
