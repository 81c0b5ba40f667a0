import { Button, Kbd, Modal, TextInput, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { type Command, clashes, commands, getRebound, keysOf, rebind } from '../commands.ts';
import { capsOf, pressed } from '../keys.ts';
import classes from './help-sheet.module.css';

const groups: Command['group'][] = ['Running', 'Moving around', 'Cells', 'Kernel', 'View'];
const inEditor: [string, string][] = [
  ['Tab', 'Complete'],
  ['Shift+Tab', 'Signature and documentation'],
  ['Mod+/', 'Comment'],
  ['Mod+Z', 'Undo what was typed'],
];

/** All keys; a press on one changes it. */
export function HelpSheet({ onClose }: { onClose(): void }) {
  const [search, setSearch] = useState('');
  const [asking, setAsking] = useState<string | null>(null);
  const [taken, setTaken] = useState<{ keys: string; by: string } | null>(null);
  const [, redraw] = useState(0);
  const isChanged = Object.keys(getRebound()).length > 0;
  const change = (id: string, keys: string[] | null) => {
    rebind(id, keys);
    setAsking(null);
    redraw((count) => count + 1);
  };
  const hear = (event: KeyboardEvent) => {
    if (!asking || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return setAsking(null);
    const keys = pressed(event.nativeEvent);
    const other = clashes(asking, keys);
    setTaken(other ? { keys, by: other.label } : null);
    if (!other) change(asking, [keys]);
  };
  const wanted = search.toLowerCase();
  return (
    <Modal opened onClose={onClose} title="Keys" size="52rem" onKeyDownCapture={hear} closeOnEscape={asking === null}>
      <div className={classes.top}>
        <TextInput
          size="xs"
          placeholder="What do you want to do?"
          aria-label="Find a key"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {isChanged && (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              for (const id of Object.keys(getRebound())) rebind(id, null);
              redraw((count) => count + 1);
            }}
          >
            Use the usual keys again
          </Button>
        )}
      </div>
      <p className={classes.note} role="status">
        {taken
          ? `${taken.keys} is for “${taken.by}” already. Press others.`
          : asking
            ? 'Press the keys you want. Escape leaves it as it is.'
            : 'Letters are commands while a cell is chosen, and text while you write in one. Press a key below to change it.'}
      </p>
      <div className={classes.columns}>
        {groups.map((group) => {
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
                        setAsking(each.id);
                        setTaken(null);
                      }}
                    >
                      {asking === each.id ? 'Press…' : <Keys bindings={keysOf(each)} />}
                    </UnstyledButton>
                  </div>
                ))}
              </section>
            )
          );
        })}
        {!wanted && (
          <section>
            <h3>While writing</h3>
            {inEditor.map(([keys, label]) => (
              <div key={keys} className={classes.row}>
                <span>{label}</span>
                <span className={classes.keys}>
                  <Keys bindings={[keys]} />
                </span>
              </div>
            ))}
          </section>
        )}
      </div>
    </Modal>
  );
}

function Keys({ bindings }: { bindings: string[] }) {
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
