import type { ProjectFile } from '@atoll/contract/files/entity';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../platform/api-error.ts';

const update = vi.fn();
const get = vi.fn();
const putContent = vi.fn();
const readText = vi.fn();
vi.mock('../../../platform/client.ts', () => ({ client: { files: { update, get } } }));
vi.mock('../../../platform/put-content.ts', () => ({ putContent }));
vi.mock('../content.ts', () => ({ readText }));
const { OpenDocument } = await import('./document.ts');

const file = (version: number) =>
  ({ id: 'f', project_id: 'p', name: 'a.txt', version, version_id: 'v' }) as ProjectFile;
const conflict = new ApiError({ message: 'newer', status: 409, code: 'conflict', fields: {}, details: { version: 2 } });
const open = () => new OpenDocument(file(1), 'one', () => {});

beforeEach(() => {
  vi.useFakeTimers();
  for (const mock of [update, get, putContent, readText]) mock.mockReset();
  putContent.mockResolvedValue('upload');
  update.mockImplementation(async ({ base_version }) => file(base_version + 1));
});
afterEach(() => vi.useRealTimers());

describe('a document', () => {
  it('saves once typing pauses, on top of the version it has', async () => {
    const document = open();
    document.edit('on');
    document.edit('one two');
    expect(document.state.kind).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1000);
    expect(update).toHaveBeenCalledTimes(1);
    expect(update.mock.calls[0]?.[0]).toMatchObject({ base_version: 1, upload_id: 'upload' });
    expect(document.state.kind).toBe('saved');
    document.edit('one two three');
    await document.save();
    expect(update.mock.calls[1]?.[0]).toMatchObject({ base_version: 2 });
  });

  it('keeps a manual save as a version, also when the text was saved automatically before', async () => {
    update.mockImplementation(async () => file(2));
    const document = open();
    document.edit('two');
    await vi.advanceTimersByTimeAsync(1000);
    expect(update.mock.calls[0]?.[0]).toMatchObject({ is_manual: false });
    await document.save({ isManual: true });
    expect(update.mock.calls[1]?.[0]).toEqual({ id: 'p', fileId: 'f', is_manual: true });
    document.edit('three');
    await document.save({ isManual: true });
    expect(update.mock.calls[2]?.[0]).toMatchObject({ is_manual: true, upload_id: 'upload' });
  });

  it('saves what was typed while it was saving', async () => {
    const document = open();
    let finish = (_: string) => {};
    putContent.mockReturnValueOnce(
      new Promise((resolve) => {
        finish = resolve;
      }),
    );
    document.edit('two');
    const saving = document.save();
    document.edit('two and more');
    finish('upload');
    await saving;
    expect(document.isDirty).toBe(true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(update).toHaveBeenCalledTimes(2);
    expect(document.isDirty).toBe(false);
  });

  it('keeps both texts when another person was first, and saves the choice on top of theirs', async () => {
    const document = open();
    update.mockRejectedValueOnce(conflict);
    get.mockResolvedValue(file(5));
    readText.mockResolvedValue('theirs');
    document.edit('mine');
    await document.save();
    expect(document.state).toMatchObject({ kind: 'conflict', theirs: { text: 'theirs' } });
    document.edit('mine, longer');
    await vi.advanceTimersByTimeAsync(5000);
    expect(update).toHaveBeenCalledTimes(1);
    await document.settle('mine, longer');
    expect(update.mock.calls[1]?.[0]).toMatchObject({ base_version: 5 });
    expect(document.text).toBe('mine, longer');
    expect(document.epoch, 'the editor starts over').toBe(1);
  });

  it('takes theirs without saving anything', async () => {
    const document = open();
    update.mockRejectedValueOnce(conflict);
    get.mockResolvedValue(file(5));
    readText.mockResolvedValue('theirs');
    document.edit('mine');
    await document.save();
    await document.settle('theirs');
    expect(update).toHaveBeenCalledTimes(1);
    expect(document).toMatchObject({ text: 'theirs', isDirty: false, epoch: 1 });
  });

  it('retries after a lost connection, and not after a refusal', async () => {
    const document = open();
    putContent.mockRejectedValueOnce(new TypeError('line'));
    document.edit('two');
    await document.save();
    expect(document.state.kind).toBe('failed');
    await vi.advanceTimersByTimeAsync(5000);
    expect(document.state.kind).toBe('saved');
    const forbidden = new ApiError({ message: 'no', status: 403, code: 'forbidden', fields: {}, details: {} });
    update.mockRejectedValueOnce(forbidden);
    document.edit('three');
    await document.save();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(document.state).toEqual({ kind: 'failed', reason: 'No' });
  });

  it('follows changes from elsewhere only while nothing is typed here', async () => {
    const document = open();
    readText.mockResolvedValue('newer');
    await document.follow(file(3));
    expect(document.text).toBe('newer');
    document.edit('mine');
    await document.follow(file(4));
    expect(document.text).toBe('mine');
  });

  it('shows the person who changed it, and a version newer than the typed text', async () => {
    const document = open();
    readText.mockResolvedValue('newer');
    await document.follow(file(2));
    expect(document.news).toMatchObject({ kind: 'updated', file: { version: 2 } });
    document.edit('mine');
    await document.follow(file(3));
    expect(document.news).toMatchObject({ kind: 'behind', file: { version: 3 } });
    await document.save();
    expect(document.news).toBeNull();
  });

  it('does not mistake its own save for one of another person, whichever message arrives first', async () => {
    const document = open();
    let finish = (_: string) => {};
    putContent.mockReturnValueOnce(
      new Promise((resolve) => {
        finish = resolve;
      }),
    );
    document.edit('two');
    const saving = document.save();
    await document.follow(file(2));
    finish('upload');
    await saving;
    await document.follow(file(2));
    expect(readText).not.toHaveBeenCalled();
    expect(document).toMatchObject({ text: 'two', isDirty: false, epoch: 0, news: null });
  });

  it('saves nothing while it is held, and everything after its release', async () => {
    const document = open();
    document.edit('two');
    document.hold(true);
    await vi.advanceTimersByTimeAsync(10_000);
    await document.save();
    expect(update).not.toHaveBeenCalled();
    expect(document.state.kind).toBe('held');
    document.hold(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(update).toHaveBeenCalledTimes(1);
    expect(document.isDirty).toBe(false);
  });

  it('discards unsaved changes on request', async () => {
    const document = open();
    get.mockResolvedValue(file(4));
    readText.mockResolvedValue('theirs');
    document.hold(true);
    document.edit('mine');
    await document.discard();
    expect(document).toMatchObject({ text: 'theirs', isDirty: false, state: { kind: 'saved' } });
  });
});
