import { baseName, collisionKey, joinPath, nameProblem, parentOf } from '@atoll/contract/files/paths';
import { useEffect, useRef, useState } from 'react';
import classes from './file-tree.module.css';
import { isTaken, type Tree } from './tree.ts';
import type { Naming } from './tree-state.ts';

interface NameFieldProps {
  tree: Tree;
  naming: Naming;
  depth: number;
  place: { top: number; height: number };
  /** Null when the person cancels. */
  onDone(name: string | null): void;
}

const labels = { file: 'Name of the new file', folder: 'Name of the new folder', rename: 'New name' };

/** A field to type a name in place; it shows errors while typing. */
export function NameField({ tree, naming, depth, place, onDone }: NameFieldProps) {
  const isRename = naming.kind === 'rename';
  const before = isRename ? baseName(naming.path) : '';
  const [name, setName] = useState(before);
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  const folder = isRename ? parentOf(naming.path) : naming.path;
  const problem = name ? problemOf(tree, folder, name, before) : null;

  useEffect(() => {
    field.current?.focus();
    // The extension is not selected, because it usually stays.
    const dot = before.lastIndexOf('.');
    field.current?.setSelectionRange(0, dot > 0 ? dot : before.length);
  }, [before]);

  const done = (result: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(result);
  };

  return (
    <div role="presentation" className={classes.naming} style={{ ...place, paddingLeft: 28 + depth * 14 }}>
      <input
        ref={field}
        aria-label={labels[naming.kind]}
        aria-invalid={problem !== null}
        aria-describedby="name-problem"
        className={classes.field}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => done(problem ? null : name)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') done(null);
          if (event.key === 'Enter' && !problem) done(name);
        }}
      />
      <span id="name-problem" role="status" className={classes.problem}>
        {problem}
      </span>
    </div>
  );
}

function problemOf(tree: Tree, folder: string, name: string, before: string): string | null {
  if (name === before) return null;
  const problem = nameProblem(name);
  if (problem) return problem;
  const isSame = collisionKey(name) === collisionKey(before);
  return !isSame && isTaken(tree, joinPath(folder, name)) ? 'Already exists' : null;
}
