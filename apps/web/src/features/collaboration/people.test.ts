import { describe, expect, it } from 'vitest';
import { fileOf, isOn, peopleOf } from './people.ts';

const user = (id: string) => ({ id, user_name: id, first_name: '', last_name: '', avatar: null });
const meta = (id: string, file_id: string | null, more: object = {}) => ({
  user: user(id),
  file_id,
  cursor: null,
  is_editing: false,
  phx_ref: `${id}-${file_id}`,
  ...more,
});

describe('the people in a project', () => {
  const present = [
    { key: 'zoe', metas: [meta('zoe', 'f1'), meta('zoe', 'f2', { is_editing: true })] },
    { key: 'me', metas: [meta('me', 'f1')] },
    { key: 'bob', metas: [meta('bob', null)] },
  ];

  it('are the others, in a fixed order, each with all their windows', () => {
    const people = peopleOf(present, 'me', new Map());
    expect(people.map((person) => person.user.id)).toEqual(['bob', 'zoe']);
    expect(people[1]?.places.map((place) => place.file_id)).toEqual(['f1', 'f2']);
  });

  it('keep their colours when others come and go', () => {
    const given = new Map<string, number>();
    const [before] = peopleOf([{ key: 'zoe', metas: [meta('zoe', null)] }], 'me', given);
    const after = peopleOf(present, 'me', given).find((person) => person.user.id === 'zoe');
    expect(after?.colour).toBe(before?.colour);
  });

  it('are on the file they edit, or else on the file they view', () => {
    const [bob, zoe] = peopleOf(present, 'me', new Map());
    if (!bob || !zoe) throw new Error('nobody there');
    expect([fileOf(bob), fileOf(zoe)]).toEqual([null, 'f2']);
    expect([isOn(zoe, 'f1'), isOn(bob, 'f1')]).toEqual([true, false]);
  });
});
