import { useState } from 'react';
import classes from './json-tree.module.css';

const most = 200;

/** A value to unfold, level by level: what is folded is not drawn. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className={classes.tree}>
      <Node value={value} isOpen />
    </div>
  );
}

function Node({ name, value, isOpen = false }: { name?: string; value: unknown; isOpen?: boolean }) {
  const [opened, setOpened] = useState(isOpen);
  const [shown, setShown] = useState(most);
  const label = name === undefined ? null : <span className={classes.name}>{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div className={classes.leaf}>
        {label}
        <span data-type={value === null ? 'null' : typeof value}>{JSON.stringify(value) ?? 'undefined'}</span>
      </div>
    );
  }
  const entries = Object.entries(value);
  const words = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0) {
    return (
      <div className={classes.leaf}>
        {label}
        {Array.isArray(value) ? '[]' : '{}'}
      </div>
    );
  }
  return (
    <details open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        {label}
        <span className={classes.words}>{words}</span>
      </summary>
      {opened && (
        <div className={classes.inside}>
          {entries.slice(0, shown).map(([key, each]) => (
            <Node key={key} name={key} value={each} />
          ))}
          {entries.length > shown && (
            <button type="button" onClick={() => setShown(shown + most)}>
              {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </details>
  );
}
