import { describe, expect, test } from 'vitest';
import { abilitiesOn, presetOf, projectAbilities, projectPermissions, sharingPresets, withImplied } from './access.ts';

const stranger = {
  visibility: 'private',
  hidesSource: false,
  isOwner: false,
  isAdmin: false,
  isDeleted: false,
  grants: [],
} as const;

describe('who may do what with a project', () => {
  test('the owner everything, also in the bin; a stranger nothing', () => {
    expect(abilitiesOn({ ...stranger, isOwner: true, isDeleted: true })).toEqual([...projectAbilities]);
    expect(abilitiesOn(stranger)).toEqual([]);
  });

  test('public is seen, open is read and copied, and the bin hides both', () => {
    expect(abilitiesOn({ ...stranger, visibility: 'public', hidesSource: true })).toEqual([
      'view',
      'view_publications',
      'comment',
    ]);
    expect(abilitiesOn({ ...stranger, visibility: 'public' })).toContain('view_source');
    const open = abilitiesOn({ ...stranger, visibility: 'open' });
    expect(open).toContain('clone');
    for (const ability of ['edit', 'share', 'publish', 'execute', 'delete', 'transfer'] as const)
      expect(open).not.toContain(ability);
    expect(abilitiesOn({ ...stranger, visibility: 'open', isDeleted: true })).toEqual([]);
  });

  test.each(projectPermissions)('a grant of %s lets its holder see the project, and never own it', (permission) => {
    const abilities = abilitiesOn({ ...stranger, grants: [permission] });
    expect(abilities).toContain('view');
    expect(abilities).toContain(permission);
    expect(abilities).not.toContain('delete');
    expect(abilities).not.toContain('transfer');
  });

  test('what is implied implies nothing further', () => {
    for (const permission of projectPermissions) {
      const once = withImplied([permission]);
      expect(withImplied(once)).toEqual(once);
    }
  });
});

test('each preset holds what it brings along, and is recognised', () => {
  for (const [name, preset] of Object.entries(sharingPresets)) {
    expect(withImplied(preset)).toHaveLength(preset.length);
    expect(presetOf(preset)).toBe(name);
  }
  expect(presetOf(['edit'])).toBe(null);
});
