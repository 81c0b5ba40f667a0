import type { ProjectFile } from '@atoll/contract/files/entity';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { putContent } from '../../../platform/put-content.ts';
import { readText } from '../content.ts';

export interface Theirs {
  file: ProjectFile;
  text: string;
}

export type SaveState =
  | { kind: 'saved' }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'failed'; reason: string }
  | { kind: 'conflict'; theirs: Theirs }
  /** Another person is editing the file: nothing is saved over their text. */
  | { kind: 'held' };

/** A change of the file by another person. */
export interface News {
  /** `behind`: the version of the other person is newer, and the text typed here is not saved yet. */
  kind: 'updated' | 'behind';
  file: ProjectFile;
}

const pause = 1000;
const retryPause = 5000;

/**
 * One file that is being edited. It outlives the page that shows it, so that leaving a tab or the page never leaves text
 * unsaved, and it saves one version after another, each on top of the one before.
 */
export class OpenDocument {
  state: SaveState = { kind: 'saved' };
  file: ProjectFile;
  text: string;
  /** Grows when the text changes from outside the editor, which is then created again. */
  epoch = 0;
  news: News | null = null;
  private isHeld = false;
  /** The file of an event that arrived during a save, and that may come from this save. */
  private told: ProjectFile | null = null;
  private savedText: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<void> | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly onSaved: (file: ProjectFile) => void;

  constructor(file: ProjectFile, text: string, onSaved: (file: ProjectFile) => void) {
    this.file = file;
    this.text = text;
    this.savedText = text;
    this.onSaved = onSaved;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  getState = (): SaveState => this.state;
  getEpoch = (): number => this.epoch;
  getNews = (): News | null => this.news;

  get isDirty(): boolean {
    return this.text !== this.savedText;
  }

  edit(text: string): void {
    this.text = text;
    if (this.state.kind === 'conflict') return;
    clearTimeout(this.timer);
    if (this.isHeld) {
      this.become({ kind: this.isDirty ? 'held' : 'saved' });
      return;
    }
    if (!this.isDirty && !this.running) {
      this.become({ kind: 'saved' });
      return;
    }
    if (this.state.kind !== 'saving' && this.state.kind !== 'failed') this.become({ kind: 'waiting' });
    this.later(pause);
  }

  /** Saves the current text, after a save in progress. */
  async save({ isManual = false } = {}): Promise<void> {
    clearTimeout(this.timer);
    while (this.running) await this.running;
    if (this.isHeld || this.state.kind === 'conflict') return;
    if (!this.isDirty) {
      if (isManual) await this.keepVersion();
      return;
    }
    this.running = this.store(isManual).finally(() => {
      this.running = null;
    });
    await this.running;
    if (this.state.kind === 'saved' && this.isDirty) this.edit(this.text);
    const { told } = this;
    this.told = null;
    if (told) await this.follow(told);
  }

  /** Keeps typed text here while another person has the lock, and saves it after the release. */
  hold(isHeld: boolean): void {
    if (isHeld === this.isHeld) return;
    this.isHeld = isHeld;
    if (this.state.kind === 'conflict') return;
    clearTimeout(this.timer);
    if (!this.isDirty) return;
    if (isHeld) this.become({ kind: 'held' });
    else void this.save();
  }

  /** Discards unsaved changes. */
  async discard(): Promise<void> {
    const file = await client.files.get({ id: this.file.project_id, fileId: this.file.id });
    const text = await readText(file);
    this.keep(file);
    this.savedText = text;
    this.news = null;
    this.replace(text);
    this.become({ kind: 'saved' });
  }

  /** Replaces the text as if it had been typed. */
  write(text: string): void {
    this.replace(text);
    this.edit(text);
  }

  /** Names the current version; unsaved changes are saved first. */
  async name(version_name: string): Promise<void> {
    await this.save();
    const { project_id: id, id: fileId } = this.file;
    this.keep(await client.files.update({ id, fileId, version_name }));
  }

  /** Saves my text, or a merge of both, on top of theirs. */
  async settle(text: string): Promise<void> {
    if (this.state.kind !== 'conflict') return;
    const { theirs } = this.state;
    this.keep(theirs.file);
    this.savedText = theirs.text;
    // The comparison had an editor of its own, so the usual one is created again.
    this.text = text;
    this.epoch += 1;
    this.become({ kind: this.isHeld && this.isDirty ? 'held' : 'saved' });
    await this.save();
  }

  /** Takes a file that changed elsewhere; a text without edits here follows. */
  async follow(file: ProjectFile): Promise<void> {
    if (file.version <= this.file.version) {
      this.file = { ...file, version: this.file.version, version_id: this.file.version_id };
      return;
    }
    if (this.running) {
      this.told = file;
      return;
    }
    if (this.state.kind === 'conflict') return;
    if (this.isDirty) {
      this.news = { kind: 'behind', file };
      this.announce();
      return;
    }
    const text = await readText(file);
    if (this.isDirty || this.running || file.version <= this.file.version) return;
    this.file = file;
    this.savedText = text;
    if (text !== this.text) this.news = { kind: 'updated', file };
    this.replace(text);
  }

  /** Keeps a text that was saved automatically as a version of its own. */
  private async keepVersion(): Promise<void> {
    const { project_id: id, id: fileId } = this.file;
    // The text is saved whether or not this succeeds.
    await client.files.update({ id, fileId, is_manual: true }).then(
      (file) => this.keep(file),
      () => {},
    );
  }

  private async store(is_manual: boolean): Promise<void> {
    const { text } = this;
    const { project_id: id, id: fileId, name, version: base_version } = this.file;
    this.news = null;
    this.become({ kind: 'saving' });
    try {
      const upload_id = await putContent(new Blob([text], { type: 'text/plain' }), name);
      this.keep(await client.files.update({ id, fileId, upload_id, base_version, is_manual }));
      this.savedText = text;
      this.become({ kind: 'saved' });
    } catch (error) {
      await this.explain(error);
    }
  }

  private async explain(error: unknown): Promise<void> {
    if (error instanceof ApiError && error.status === 409) {
      try {
        const file = await client.files.get({ id: this.file.project_id, fileId: this.file.id });
        const text = await readText(file);
        if (text !== this.text) return this.become({ kind: 'conflict', theirs: { file, text } });
        this.keep(file);
        this.savedText = text;
        return this.become({ kind: 'saved' });
      } catch (again) {
        return this.fail(again);
      }
    }
    this.fail(error);
  }

  private fail(error: unknown): void {
    if (this.isHeld) {
      this.become({ kind: 'held' });
      return;
    }
    this.become({ kind: 'failed', reason: messageOf(error) ?? 'Something went wrong.' });
    // A refusal is final; a lost connection or a server error is retried.
    if (!(error instanceof ApiError) || error.status >= 500) this.later(retryPause);
  }

  private later(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), delay);
  }

  private keep(file: ProjectFile): void {
    this.file = file;
    this.onSaved(file);
  }

  private replace(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.epoch += 1;
    this.announce();
  }

  private become(state: SaveState): void {
    this.state = state;
    this.announce();
  }

  private announce(): void {
    for (const listener of this.listeners) listener();
  }
}
