import { Button } from '@mantine/core';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import {
  createContext,
  memo,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { foldedCells } from '../actions.ts';
import { estimatedHeight } from '../estimate.ts';
import { useNotebook, useNotebookMode, useOrder, useSignal } from '../notebook-context.tsx';
import { followStep } from '../page/follow.ts';
import { Cell } from './cell.tsx';
import classes from './cell-list.module.css';
import { InsertBar } from './insert-bar.tsx';
import { InsertButtons } from './insert-buttons.tsx';
import { segmentsOf } from './windowing.ts';

/** Cells within this distance of the viewport are drawn in advance. */
const ahead = '1200px 0px';
/** Cells within this distance stay drawn. */
const behind = '6000px 0px';
/** Elements with state of a user, with media, or slow to draw: a cell with one of them stays drawn. */
const kept =
  '.cm-editor, iframe, video, audio, canvas, img, details, input, textarea, select, [data-mermaid], [data-tex]';
const keptInOutputs = '[data-outputs] :is(button, [role])';
const isKept = (slot: Element): boolean =>
  slot.querySelector(`${kept}, ${keptInOutputs}`) !== null ||
  slot.contains(document.activeElement) ||
  slot.classList.contains(classes.dragging ?? '');

interface Observers {
  near: IntersectionObserver;
  far: IntersectionObserver;
}
const ObserversContext = createContext<Observers | null>(null);

/** The list of cells. A cell far from the viewport is an empty box with its height, or an estimate of it. */
export function CellList({ children }: { children?: ReactNode }) {
  const { store, ui } = useNotebook();
  const order = useOrder();
  const mode = useNotebookMode();
  const scroller = useRef<HTMLElement>(null);
  const [observers, setObservers] = useState<Observers | null>(null);

  useFirst(order);
  useLayoutEffect(() => {
    ui.scroller = scroller.current;
    const root = scroller.current;
    const near = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting) continue;
          const { slot, chunk } = (target as HTMLElement).dataset;
          if (slot) ui.bringNear(slot);
          else if (chunk) ui.know(chunk.split(' '));
        }
      },
      { root, rootMargin: ahead },
    );
    const far = new IntersectionObserver(
      (entries) => {
        // The person may be about to copy the selected text.
        if (getSelection()?.type === 'Range') return;
        const heights = new Map<string, number>();
        for (const { isIntersecting, target, boundingClientRect } of entries) {
          const { slot } = (target as HTMLElement).dataset;
          if (isIntersecting || !slot || isKept(target) || boundingClientRect.height === 0) continue;
          heights.set(slot, boundingClientRect.height);
        }
        if (heights.size > 0) ui.leave(heights);
      },
      { root, rootMargin: behind },
    );
    setObservers({ near, far });
    return () => {
      near.disconnect();
      far.disconnect();
    };
  }, [ui]);

  useFollowing(scroller);
  const folds = useSignal(store, 'document', () => foldsOf(store));
  const hidden = useMemo(() => new Set(folds.split(' ').filter(Boolean)), [folds]);
  const turn = useSignal(ui, 'window', ui.getWindow);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the turn says that more of them are known.
  const segments = useMemo(() => {
    const visible = hidden.size ? order.filter((id) => !hidden.has(id)) : order;
    return segmentsOf(visible, ui.isKnown);
  }, [order, hidden, turn, ui]);
  return (
    <section
      ref={scroller}
      className={classes.scroll}
      aria-label="Cells"
      onPointerOver={({ target }) => {
        const id = (target as Element).closest<HTMLElement>('[data-cell]')?.dataset.cell;
        if (id) ui.point(id);
      }}
    >
      <div className={classes.paper}>
        {children}
        <Problems />
        {mode === 'edit' && order.length > 0 && <InsertBar afterId={null} />}
        <ObserversContext value={observers}>
          {segments.map((segment) =>
            'ids' in segment ? (
              <Chunk key={`chunk-${segment.key}`} ids={segment.ids} />
            ) : (
              <CellSlot
                key={segment.id}
                id={segment.id}
                number={(hidden.size ? order.indexOf(segment.id) : segment.index) + 1}
              />
            ),
          )}
        </ObserversContext>
        {order.length === 0 ? <NoCells /> : mode === 'edit' && <AtEnd />}
      </div>
    </section>
  );
}

/** After a cell was run, keeps the next one in sight while its output grows, until the person scrolls. */
function useFollowing(scroller: RefObject<HTMLElement | null>): void {
  const { ui } = useNotebook();
  useEffect(() => {
    const root = scroller.current;
    const paper = root?.firstElementChild;
    if (!root || !paper) return;
    const boxOf = (id: string | null) =>
      id === null ? undefined : root.querySelector(`[data-slot="${CSS.escape(id)}"]`)?.getBoundingClientRect();
    const growing = new ResizeObserver(() => {
      if (ui.followed === null) return;
      const [ran, active] = [boxOf(ui.followed), boxOf(ui.getActive())];
      if (ran && active) root.scrollTop += followStep(root.getBoundingClientRect(), ran, active);
    });
    growing.observe(paper);
    const stop = () => {
      ui.followed = null;
    };
    const moves = ['wheel', 'touchmove', 'pointerdown'] as const;
    for (const move of moves) root.addEventListener(move, stop, { passive: true });
    return () => {
      growing.disconnect();
      for (const move of moves) root.removeEventListener(move, stop);
    };
  }, [ui, scroller]);
}

/** Most notebooks have no folded cells, and the rest of the work is skipped then. */
function foldsOf(store: ReturnType<typeof useNotebook>['store']): string {
  const hasFolds = store.getOrder().some((id) => store.getCell(id)?.metadata['jp-MarkdownHeadingCollapsed'] === true);
  return hasFolds ? [...foldedCells(store)].join(' ') : '';
}

/** Draws the cells of the first screen in the first frame. */
function useFirst(order: string[]): void {
  const { store, ui } = useNotebook();
  const isDone = useRef(false);
  if (isDone.current || order.length === 0) return;
  isDone.current = true;
  let left = innerHeight * 1.2;
  for (const id of order) {
    const cell = store.getCell(id);
    if (left <= 0 || !cell) break;
    ui.bringNear(id);
    left -= estimatedHeight(cell, store.getShown(id));
  }
}

/** A box for many cells that are far from the viewport. */
const Chunk = memo(function Chunk({ ids }: { ids: string[] }) {
  const { store, ui } = useNotebook();
  const near = useContext(ObserversContext)?.near;
  const box = useRef<HTMLDivElement>(null);
  const key = ids.join(' ');
  const height = useMemo(
    () =>
      key.split(' ').reduce((sum, id) => {
        const cell = store.getCell(id);
        const known = ui.heightOf(id);
        return sum + (known ?? (cell ? Math.round(estimatedHeight(cell, store.getShown(id))) : 0));
      }, 0),
    [key, store, ui],
  );
  useEffect(() => {
    const element = box.current;
    if (!near || !element) return;
    near.observe(element);
    return () => near.unobserve(element);
  }, [near]);
  return <div ref={box} data-chunk={key} style={{ height }} />;
});

const CellSlot = memo(function CellSlot({ id, number }: { id: string; number: number }) {
  const { store, ui } = useNotebook();
  const observers = useContext(ObserversContext);
  const isNear = useSignal(ui, `near:${id}`, () => ui.isNear(id));
  const slot = useRef<HTMLDivElement>(null);
  const [estimate] = useState(() => {
    const cell = store.getCell(id);
    return cell ? Math.round(estimatedHeight(cell, store.getShown(id))) : 60;
  });
  const height = ui.heightOf(id) ?? estimate;
  useEffect(() => {
    const element = slot.current;
    const observer = isNear ? observers?.far : observers?.near;
    if (!observer || !element) return;
    observer.observe(element);
    return () => observer.unobserve(element);
  }, [observers, isNear]);
  return (
    <div ref={slot} data-slot={id} style={isNear ? undefined : { height }}>
      {isNear && <Cell id={id} number={number} />}
    </div>
  );
});

function Problems() {
  const { store } = useNotebook();
  const problems = useSignal(store, 'problems', store.getProblems);
  if (problems.length === 0) return null;
  return (
    <div className={classes.problems} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <div>
        Part of this file could not be read. The file is unchanged until you edit the notebook; see the raw file under
        Raw.
        <ul>
          {problems.slice(0, 8).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function NoCells() {
  const mode = useNotebookMode();
  return (
    <div className={classes.empty}>
      <h2>{mode === 'edit' ? 'Add a cell' : 'This notebook is empty'}</h2>
      {mode === 'edit' && (
        <>
          <p>Add code, text, SQL over the project’s files, or an input.</p>
          <div className={classes.emptyActions}>
            <AllInsertButtons />
          </div>
        </>
      )}
    </div>
  );
}

const AtEnd = () => (
  <div className={classes.end}>
    <AllInsertButtons />
  </div>
);

function AllInsertButtons() {
  const { store } = useNotebook();
  return (
    <InsertButtons
      after={() => store.getOrder().at(-1) ?? null}
      button={(label, onClick) => (
        <Button size="compact-sm" variant="default" leftSection={<IconPlus size={13} />} onClick={onClick}>
          {label}
        </Button>
      )}
    />
  );
}
