import type { Comment } from '@atoll/contract/comments/entity';
import { describe, expect, it } from 'vitest';
import { mentionAt, withComment, withMention, withoutComment } from './model.ts';

const comment = (id: string, fields: Partial<Comment> = {}): Comment => ({
  id,
  project_id: 'p',
  file_id: null,
  cell_id: null,
  item_id: null,
  spot: null,
  reply_to: null,
  author: null,
  content: id,
  reaction: null,
  likes_count: 0,
  dislikes_count: 0,
  is_deleted: false,
  is_resolved: false,
  created_at: '2026-11-15T10:00:00.000Z',
  edited_at: null,
  permissions: [],
  ...fields,
});

describe('threads', () => {
  const about = { projectId: 'p' };

  it('take in what comes, each once and in its place', () => {
    let threads = withComment([], comment('a'), about);
    threads = withComment(threads, comment('b'), about);
    threads = withComment(threads, comment('r2', { reply_to: 'a', created_at: '2026-11-15T10:02:00.000Z' }), about);
    threads = withComment(threads, comment('r1', { reply_to: 'a', created_at: '2026-11-15T10:01:00.000Z' }), about);
    threads = withComment(threads, comment('a', { content: 'changed' }), about);
    expect(threads.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(threads[1]).toMatchObject({ content: 'changed', replies: [{ id: 'r1' }, { id: 'r2' }] });
    expect(withoutComment(threads, 'r1')[1]?.replies).toHaveLength(1);
    expect(withoutComment(threads, 'a')).toHaveLength(1);
  });

  it('of a cell leave alone what is about another', () => {
    const cell = { projectId: 'p', fileId: 'f', cellId: 'c' };
    expect(withComment([], comment('a', { file_id: 'f', cell_id: 'd' }), cell)).toEqual([]);
    expect(withComment([], comment('a', { file_id: 'f', cell_id: 'c' }), cell)).toHaveLength(1);
  });
});

it('finds the name being typed, and finishes it', () => {
  expect(mentionAt('hello @ad', 9)).toBe('ad');
  expect(mentionAt('mail bob@example', 16)).toBeNull();
  expect(mentionAt('@a', 2)).toBeNull();
  expect(withMention('hello @ad and more', 9, 'ada')).toEqual({ text: 'hello @ada  and more', caret: 11 });
});
