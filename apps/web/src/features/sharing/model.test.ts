import { projectPermissions, sharingPresets } from '@atoll/contract/projects/access';
import { describe, expect, it } from 'vitest';
import { givable, offeredPresets, roleOf, without } from './model.ts';

describe('roles', () => {
  it('are told by what was granted, in any order', () => {
    expect(roleOf([...sharingPresets.runner].reverse())).toBe('runner');
    expect(roleOf(['view'])).toBe('custom');
    expect(roleOf([...sharingPresets.editor, 'share'])).toBe('custom');
  });

  it('are offered to those who have all that is in them', () => {
    expect(offeredPresets(projectPermissions)).toEqual(['viewer', 'commenter', 'runner', 'editor']);
    expect(offeredPresets([...sharingPresets.viewer, 'share'])).toEqual(['viewer']);
    expect(givable(['edit'], ['view', 'edit'])).toBe(false);
  });
});

it('taking a permission away takes along what cannot be without it', () => {
  expect(without(['view', 'view_source', 'edit', 'execute'], 'view_source')).toEqual(['view', 'execute']);
  expect(without(['view', 'execute'], 'view')).toEqual([]);
});
