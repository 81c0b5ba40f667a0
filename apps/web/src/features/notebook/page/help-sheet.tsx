import { Button, Kbd, Modal, TextInput, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { type Command, clashes, commands, getRebound, keysOf, rebind } from '../commands.ts';
import { capsOf, pairMs, pressed } from '../keys.ts';
import classes from './help-sheet.module.css';

const groups: Command['group'][] = ['Running', 'Navigation', 'Cells', 'Kernel', 'View'];
const inEditor: [string, string][] = [
  ['Tab', 'Complete'],
  ['Shift+Tab', 'Signature and documentation'],
  ['Mod+/', 'Comment'],
  ['Mod+Z', 'Undo typing'],
];

/** Keys of a view that has its own. */
export interface FixedKeys {
  group: string;
  rows: readonly { label: string; keys: readonly string[] }[];
}

interface HelpSheetProps {
  fixed?: readonly FixedKeys[] | undefined;
  onClose(): void;
}

/** Lists all keys; a press on one changes it, where it can be changed. */
export function HelpSheet({ fixed, onClose }: HelpSheetProps) {
  const [search, setSearch] = useState('');
  const [asking, setAsking] = useState<string | null>(null);
  /** The first of two presses, until the second one comes or its time is over. */
  const [first, setFirst] = useState<string | null>(null);
  const [taken, setTaken] = useState<{ keys: string; by: string } | null>(null);
  const [, redraw] = useState(0);
  const isChanged = Object.keys(getRebound()).length > 0;
  const ask = (id: string | null) => {
    setAsking(id);
    setFirst(null);
    setTaken(null);
  };
  const offer = (id: string, keys: string) => {
    const other = clashes(id, keys);
    setFirst(null);
    setTaken(other ? { keys, by: other.label } : null);
    if (other) return;
    rebind(id, [keys]);
    setAsking(null);
  };
  // Without a second press in time the binding is one press.
  useEffect(() => {
    if (asking === null || first === null) return;
    const timer = setTimeout(() => offer(asking, first), pairMs);
    return () => clearTimeout(timer);
  });
  /** Accepts the first press alone when the person goes on to something else. */
  const settle = () => {
    if (asking !== null && first !== null) offer(asking, first);
  };
  const hear = (event: KeyboardEvent) => {
    if (!asking || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (event.key === 'Escape') return ask(null);
    const keys = pressed(event.nativeEvent);
    if (first !== null) return offer(asking, `${first} ${keys}`);
    // The first press alone has another command already, so a second one would never come.
    if (clashes(asking, `${keys} …`)) return offer(asking, keys);
    setFirst(keys);
    setTaken(null);
  };
  const wanted = search.toLowerCase();
  return (
    <Modal
      opened
      onClose={() => {
        settle();
        onClose();
      }}
      title="Keyboard shortcuts"
      size="52rem"
      onKeyDownCapture={hear}
      closeOnEscape={asking === null}
    >
      <div className={classes.top}>
        <TextInput
          size="xs"
          placeholder="Search shortcuts"
          aria-label="Search shortcuts"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {isChanged && !fixed && (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              for (const id of Object.keys(getRebound())) rebind(id, null);
              redraw((count) => count + 1);
            }}
          >
            Reset to defaults
          </Button>
        )}
      </div>
      <p className={classes.note} role="status">
        {taken
          ? `${taken.keys} is already used for “${taken.by}”. Press other keys.`
          : asking
            ? 'Press the new shortcut, or two keys in sequence. Escape cancels.'
            : fixed
              ? 'Letter keys choose tools while you are not typing.'
              : 'Letter keys are commands in command mode. Click a shortcut to change it.'}
      </p>
      <div className={classes.columns}>
        {fixed?.map(({ group, rows }) => (
          <FixedRows
            key={group}
            title={group}
            rows={rows.filter(({ label }) => label.toLowerCase().includes(wanted))}
          />
        ))}
        {groups.map((group) => {
          if (fixed) return null;
          const rows = commands.filter((each) => each.group === group && each.label.toLowerCase().includes(wanted));
          return (
            rows.length > 0 && (
              <section key={group}>
                <h3>{group}</h3>
                {rows.map((each) => (
                  <div key={each.id} className={classes.row}>
                    <span>{each.label}</span>
                    <UnstyledButton
                      className={classes.keys}
                      data-asking={asking === each.id || undefined}
                      aria-label={`Keys for ${each.label}`}
                      onClick={() => {
                        settle();
                        ask(each.id);
                      }}
                    >
                      {asking === each.id ? (
                        first ? (
                          <Keys bindings={[first]} />
                        ) : (
                          'Press…'
                        )
                      ) : (
                        <Keys bindings={keysOf(each)} />
                      )}
                    </UnstyledButton>
                  </div>
                ))}
              </section>
            )
          );
        })}
        {!wanted && (
          <FixedRows title="In the editor" rows={inEditor.map(([keys, label]) => ({ label, keys: [keys] }))} />
        )}
      </div>
    </Modal>
  );
}

function FixedRows({ title, rows }: { title: string; rows: FixedKeys['rows'] }) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      {rows.map(({ label, keys }) => (
        <div key={label} className={classes.row}>
          <span>{label}</span>
          <span className={classes.keys}>
            <Keys bindings={keys} />
          </span>
        </div>
      ))}
    </section>
  );
}

function Keys({ bindings }: { bindings: readonly string[] }) {
  if (bindings.length === 0) return <span className={classes.none}>None</span>;
  return bindings.slice(0, 2).map((binding, index) => (
    <span key={binding}>
      {index > 0 && ' or '}
      {capsOf(binding).map((press, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice.
        <span key={place}>
          {press.map((cap) => (
            <Kbd key={cap} size="xs">
              {cap}
            </Kbd>
          ))}{' '}
        </span>
      ))}
    </span>
  ));
}
