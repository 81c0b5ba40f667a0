import { ActionIcon, Button, TextInput, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconLetterCase, IconRegex, IconTextWrap } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { toast } from '../../../ui/toast.ts';
import { useNotebook, useNotebookMode, useSignal } from '../notebook-context.tsx';
import { PanelHead } from '../panel-head.tsx';
import { findAll, type Match, replaceAll, replaceOne, searchPattern } from './search.ts';
import classes from './side-panels.module.css';

const listed = 300;

/** Finds and replaces in all cells, also in cells that are not drawn. */
export function FindPanel() {
  const { store, ui } = useNotebook();
  const mode = useNotebookMode();
  const [options, setOptions] = useState({ text: '', isCaseSensitive: false, isWord: false, isPattern: false });
  const [replacement, setReplacement] = useState('');
  const [at, setAt] = useState(0);
  const version = useVersion();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => () => ui.showFound(null), [ui]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says that a text is another one.
  const matches = useMemo(() => findAll(store, options), [store, options, version]);
  const isReadable = !options.text || searchPattern(options) !== null;
  const place = Math.min(at, Math.max(0, matches.length - 1));

  const go = (index: number) => {
    if (matches.length > 0) show(matches, (index + matches.length) % matches.length);
  };
  const show = (all: Match[], index: number) => {
    const match = all[index];
    setAt(index);
    if (!match) return;
    ui.bringNear(match.id);
    if (store.getCell(match.id)?.type === 'markdown') ui.openText(match.id);
    ui.showFound(match);
    // On a phone this panel covers the middle.
    ui.reveal(match.id, matchMedia('(max-width: 48em)').matches ? 'start' : 'center');
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      go(place + (event.shiftKey ? -1 : 1));
    }
    if (event.key === 'Escape') ui.closePanel('left');
  };
  const change = (fields: Partial<typeof options>) => {
    setOptions((before) => ({ ...before, ...fields }));
    setAt(-1);
  };
  const replace = () => {
    const match = matches[Math.max(place, 0)];
    if (!match) return;
    const { source, end } = replaceOne(store.sourceOf(match.id), match, options, replacement);
    if (!store.edit([{ op: 'update_cell_source', cell_id: match.id, source }])) return;
    // Skip the replacement itself, though it may contain the same word.
    const after = findAll(store, options);
    const order = store.getOrder();
    const at = order.indexOf(match.id);
    const next = after.findIndex(({ id, from }) => (id === match.id ? from >= end : order.indexOf(id) > at));
    show(after, Math.max(next, 0));
  };
  const replaceEverywhere = () => {
    const operations = replaceAll(store, options, replacement);
    if (operations.length === 0) return;
    const count = matches.length;
    store.edit(operations);
    toast(`Replaced in ${count} ${count === 1 ? 'place' : 'places'}. Press Z to undo.`);
  };
  const toggle = (key: 'isCaseSensitive' | 'isWord' | 'isPattern', label: string, Icon: typeof IconRegex) => (
    <IconButton label={label} size={26} isPressed={options[key]} onClick={() => change({ [key]: !options[key] })}>
      <Icon size={15} />
    </IconButton>
  );
  return (
    <>
      <PanelHead id="find" title="Find" />
      <div className={classes.find}>
        <TextInput
          ref={field}
          data-autofocus
          size="xs"
          placeholder="Find in all cells"
          aria-label="Find"
          value={options.text}
          error={isReadable ? undefined : 'Invalid regular expression'}
          onChange={(event) => change({ text: event.currentTarget.value })}
          onKeyDown={keys}
        />
        <div className={classes.row}>
          <span className={classes.count} role="status">
            {options.text ? (matches.length ? `${Math.max(place, 0) + 1} of ${matches.length}` : 'No results') : ''}
          </span>
          {toggle('isCaseSensitive', 'Match case', IconLetterCase)}
          {toggle('isWord', 'Whole words', IconTextWrap)}
          {toggle('isPattern', 'Regular expression', IconRegex)}
          <ActionIcon size={26} aria-label="Previous" disabled={!matches.length} onClick={() => go(place - 1)}>
            <IconArrowUp size={15} />
          </ActionIcon>
          <ActionIcon size={26} aria-label="Next" disabled={!matches.length} onClick={() => go(place + 1)}>
            <IconArrowDown size={15} />
          </ActionIcon>
        </div>
        {mode === 'edit' && (
          <div className={classes.row}>
            <TextInput
              size="xs"
              placeholder="Replace with"
              aria-label="Replace with"
              value={replacement}
              onChange={(event) => setReplacement(event.currentTarget.value)}
            />
            <Button size="compact-xs" variant="default" disabled={!matches.length} onClick={replace}>
              Replace
            </Button>
            <Button size="compact-xs" variant="default" disabled={!matches.length} onClick={replaceEverywhere}>
              Replace all
            </Button>
          </div>
        )}
      </div>
      <ol className={classes.list}>
        {matches.slice(0, listed).map((match, index) => (
          <li key={`${match.id}-${match.from}`}>
            <UnstyledButton
              className={`${classes.item} ${classes.match}`}
              data-current={index === place || undefined}
              onClick={() => go(index)}
            >
              <code>
                <Marked match={match} />
              </code>
              <small>
                Cell {store.indexOf(match.id) + 1}, line {match.lineNumber}
              </small>
            </UnstyledButton>
          </li>
        ))}
      </ol>
    </>
  );
}

function Marked({ match: { line, column, from, to } }: { match: Match }) {
  // Shows the match itself, also in a long line.
  const start = Math.max(0, column - 24);
  return (
    <>
      {start > 0 && '…'}
      {line.slice(start, column)}
      <mark>{line.slice(column, column + to - from)}</mark>
      {line.slice(column + to - from, column + to - from + 80)}
    </>
  );
}

/** Changes with every change of a text. */
function useVersion(): number {
  const { store } = useNotebook();
  return useSignal(store, 'document', () => {
    const order = store.getOrder();
    return order.reduce((sum, id) => sum + (store.getCell(id)?.revision ?? 0), order.length);
  });
}
