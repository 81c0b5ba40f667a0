import { describe, expect, it, test } from 'vitest';
import { clashes, commands, getRebound, keysOf, match, rebind } from './commands.ts';
import { normal, pressed } from './keys.ts';

const press = (key: string, over: Partial<KeyboardEvent> = {}) => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...over,
});
const idOf = (...args: Parameters<typeof match>) => {
  const found = match(...args);
  return found === null || found === 'waits' ? found : found.id;
};

test.each([
  [press('a'), 'A'],
  [press('A', { shiftKey: true }), 'Shift+A'],
  [press('Enter', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+Enter'],
  [press('_', { ctrlKey: true, shiftKey: true, code: 'Minus' }), 'Mod+Shift+-'],
  [press('?', { shiftKey: true, code: 'Slash' }), '?'],
  [press('>', { ctrlKey: true, shiftKey: true, code: 'Period' }), 'Mod+Shift+.'],
  [press('3', { code: 'Digit3' }), '3'],
])('%o is %s', (event, name) => expect(pressed(event, false)).toBe(name));

describe('keys', () => {
  it('mean what they mean in Jupyter', () => {
    expect(idOf('Shift+Enter', null, 'command')).toBe('run-next');
    expect(idOf('Shift+Enter', null, 'edit')).toBe('run-next');
    expect(idOf('A', null, 'command')).toBe('insert-above');
    expect(idOf('A', null, 'edit')).toBeNull();
    expect(idOf('F', null, 'edit')).toBeNull();
    expect(idOf('Mod+F', null, 'edit')).toBe('find');
    expect(idOf('Escape', null, 'edit')).toBe('leave');
  });

  it('that come twice wait for the second press', () => {
    expect(idOf('D', null, 'command')).toBe('waits');
    expect(idOf('D', 'D', 'command')).toBe('delete');
    expect(idOf('I', 'D', 'command')).toBe('waits');
    expect(idOf('0', '0', 'command')).toBe('restart');
  });

  it('stop running cells in edit mode, where two letters are text', () => {
    expect(idOf('Mod+Shift+.', null, 'edit')).toBe('interrupt');
    expect(idOf('I', null, 'edit')).toBeNull();
    expect(idOf('I', 'I', 'edit')).toBeNull();
    expect(clashes('run-all', 'D')?.id).toBe('delete');
  });

  it('can be two presses where people want that', () => {
    rebind('run-all', ['D A']);
    rebind('delete', ['Q Q']);
    rebind('interrupt', ['Mod+K Mod+I']);
    expect(idOf('D', null, 'command')).toBe('waits');
    // Pressed once, it inserts a cell.
    expect(idOf('A', 'D', 'command')).toBe('run-all');
    expect(idOf('A', null, 'command')).toBe('insert-above');
    expect(idOf('D', 'D', 'command')).toBe('waits');
    expect(idOf('D', null, 'edit')).toBeNull();
    expect(idOf('Mod+K', null, 'edit')).toBe('waits');
    rebind('interrupt', ['F5 F5']);
    expect(idOf('F5', null, 'edit')).toBe('waits');
    rebind('interrupt', ['Mod+K Mod+I']);
    expect(idOf('Mod+I', 'Mod+K', 'edit')).toBe('interrupt');
    // These commands already have the first press alone, so the second would never come.
    expect(clashes('restart', 'A A')?.id).toBe('insert-above');
    expect(clashes('restart', 'D')?.id).toBe('run-all');
    expect(clashes('restart', 'D D')).toBeUndefined();
    for (const id of Object.keys(getRebound())) rebind(id, null);
    expect(idOf('D', 'D', 'command')).toBe('delete');
  });

  it('are each for one command', () => {
    for (const command of commands)
      for (const keys of keysOf(command))
        expect(clashes(command.id, keys)?.id, `${command.id} ${keys}`).toBeUndefined();
  });

  it('say Control and Mod where these are one', () => {
    expect(normal('Ctrl+Shift+-', false)).toBe('Mod+Shift+-');
    expect(normal('Ctrl+Shift+-', true)).toBe('Ctrl+Shift+-');
  });
});
