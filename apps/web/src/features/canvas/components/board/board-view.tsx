import { useEffect, useLayoutEffect, useRef } from 'react';
import { useSignal } from '../../../notebook/notebook-context.tsx';
import { insertCell, paste as pasteThings } from '../../actions.ts';
import { Gestures } from '../../gestures.ts';
import { handleKey } from '../../keys.ts';
import { takePictures } from '../../pictures.ts';
import { useBoard } from '../board-context.tsx';
import { FindBox } from '../panels/find-box.tsx';
import { Minimap } from '../panels/minimap.tsx';
import { Palette } from '../panels/palette.tsx';
import { People } from '../panels/people.tsx';
import { SelectionBar } from '../panels/selection-bar.tsx';
import { Unplaced } from '../panels/unplaced.tsx';
import { PresentButton, Slides } from '../slides/slides.tsx';
import { Arrows } from '../things/arrows.tsx';
import { CommentPins } from '../things/comment-pins.tsx';
import { Dependencies } from '../things/dependencies.tsx';
import classes from './board.module.css';
import { EmptyBoard } from './empty-board.tsx';
import { Others } from './others.tsx';
import { Overlay } from './overlay.tsx';
import { ThingView } from './thing-view.tsx';

/** The endless board: one moving layer, and the parts that lie over it. */
export function BoardView() {
  const board = useBoard();
  const viewport = useRef<HTMLElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const tool = useSignal(board, 'tool', board.getTool);
  const slide = useSignal(board, 'slide', board.getSlide);
  useLayoutEffect(() => {
    const [element, below, over] = [viewport.current, layer.current, above.current];
    if (!element || !below || !over) return;
    board.attach(element, [below, over]);
    const resizing = new ResizeObserver(() => board.attach(element, [below, over]));
    resizing.observe(element);
    return () => resizing.disconnect();
  }, [board]);
  useEffect(() => {
    const element = viewport.current;
    if (!element) return;
    const gestures = new Gestures(board, element);
    const wheel = (event: WheelEvent) => onWheel(event, element);
    const onWheel = (event: WheelEvent, root: HTMLElement) => {
      const isZooming = event.ctrlKey || event.metaKey;
      if (!isZooming && scrollsInside(event, root)) return;
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 16 : 1;
      if (isZooming) {
        const step = Math.max(-60, Math.min(60, event.deltaY * unit));
        return board.zoomAt({ x: event.clientX, y: event.clientY }, board.getCamera().zoom * Math.exp(-step * 0.01));
      }
      const [dx, dy] = event.shiftKey && !event.deltaX ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      board.pan(-dx * unit, -dy * unit);
    };
    const paste = (event: ClipboardEvent) => {
      const isHere = element.contains(document.activeElement) && !isWriting(document.activeElement);
      if (!isHere || !board.canEdit()) return;
      event.preventDefault();
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) void takePictures(board, files, null);
      else pasteThings(board, board.getPointer());
    };
    const space = (event: KeyboardEvent) => {
      if (event.code !== 'Space' || isWriting(event.target as Element)) return;
      const isDown = event.type === 'keydown';
      if (isDown && document.activeElement !== element) return;
      if (isDown) event.preventDefault();
      gestures.isSpaceHeld = isDown;
      element.toggleAttribute('data-hand', isDown);
    };
    const leave = () => board.point(null);
    const stop = new AbortController();
    const { signal } = stop;
    element.addEventListener('wheel', wheel, { passive: false, signal });
    element.addEventListener('pointerdown', gestures.down, { signal });
    element.addEventListener('pointermove', gestures.move, { signal });
    element.addEventListener('pointerup', gestures.up, { signal });
    element.addEventListener('pointercancel', gestures.up, { signal });
    element.addEventListener('pointerleave', leave, { signal });
    addEventListener('paste', paste, { signal });
    addEventListener('keydown', space, { signal });
    addEventListener('keyup', space, { signal });
    return () => stop.abort();
  }, [board]);
  return (
    <div className={classes.stage} data-slide={slide ?? undefined}>
      <section
        ref={viewport}
        className={classes.viewport}
        aria-label="Board"
        data-tool={tool}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the board itself takes the keys.
        tabIndex={0}
        onKeyDownCapture={(event) => handleKey(board, event)}
        onDoubleClick={({ target, clientX, clientY }) => {
          const thing = (target as Element).closest<HTMLElement>('[data-thing]')?.dataset.thing;
          const kind = thing && board.getThing(thing)?.kind;
          if (!board.canEdit() || (target as Element).closest('[data-no-board]')) return;
          if (thing && kind && kind !== 'cell' && kind !== 'drawing' && kind !== 'unknown' && kind !== 'arrow')
            board.edits(thing);
          else if (!thing) {
            const { x, y } = board.at({ x: clientX, y: clientY });
            board.ui.focus(insertCell(board, 'markdown', { x: x - 20, y: y - 40, w: 420, h: 160 }), 'edit');
          }
        }}
        onDragOver={(event) => board.canEdit() && event.preventDefault()}
        onDrop={(event) => {
          const files = [...event.dataTransfer.files];
          if (!board.canEdit() || files.length === 0) return;
          event.preventDefault();
          void takePictures(board, files, board.at({ x: event.clientX, y: event.clientY }));
        }}
      >
        <div ref={layer} className={classes.layer}>
          <Things />
          <Arrows />
          <Dependencies />
        </div>
        <div ref={above} className={classes.layer} data-above>
          <Overlay />
          <CommentPins />
          <Others />
        </div>
        <EmptyBoard />
      </section>
      <SelectionBar />
      <Palette />
      <People />
      <FindBox />
      <Unplaced />
      <PresentButton />
      <Slides />
      <Minimap />
    </div>
  );
}

function Things() {
  const board = useBoard();
  const ids = useSignal(board, 'things', board.getIds);
  useSignal(board, 'mounted', board.countMounted);
  return ids
    .filter((id) => board.isMounted(id) && board.getThing(id)?.kind !== 'arrow')
    .map((id) => <ThingView key={id} id={id} />);
}

const isWriting = (element: Element | null): boolean =>
  element?.closest('input, textarea, select, [contenteditable="true"], .cm-editor, [role="dialog"], [role="menu"]') !=
  null;

/** Whether an element inside of a selected cell can scroll in this direction. */
function scrollsInside({ target, deltaX, deltaY }: WheelEvent, root: HTMLElement): boolean {
  for (let each = target as Element | null; each && each !== root; each = each.parentElement) {
    const thing = each.closest('[data-thing]');
    if (!thing?.hasAttribute('data-selected')) return false;
    const isScrolled =
      Math.abs(deltaY) >= Math.abs(deltaX)
        ? each.scrollHeight > each.clientHeight + 1 && canScroll(each, 'overflowY')
        : each.scrollWidth > each.clientWidth + 1 && canScroll(each, 'overflowX');
    if (isScrolled) return true;
  }
  return false;
}

const canScroll = (element: Element, axis: 'overflowX' | 'overflowY'): boolean =>
  ['auto', 'scroll'].includes(getComputedStyle(element)[axis]);
