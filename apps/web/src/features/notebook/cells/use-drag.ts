import type { PointerEvent } from 'react';
import { moveAfter } from '../actions.ts';
import { useNotebook } from '../notebook-context.tsx';
import classes from './cell-list.module.css';

const edge = 48;
const perFrame = 14;

/** Drags the chosen cells, or the one whose handle it is; a line says where they go. */
export function useDragHandle(id: string) {
  const { store, ui } = useNotebook();
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const { scroller } = ui;
    if (event.button !== 0 || !scroller) return;
    event.preventDefault();
    const handle = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    const selection = ui.getSelection();
    const ids = selection.includes(id) ? selection : [id];
    const moved = ids.flatMap((each) => scroller.querySelector(`[data-slot="${CSS.escape(each)}"]`) ?? []);
    for (const each of moved) each.classList.add(classes.dragging ?? '');
    const line = document.createElement('div');
    line.className = classes.drop ?? '';
    const paper = scroller.firstElementChild as HTMLElement;
    paper.style.position = 'relative';
    let target: string | null | undefined;
    let y = event.clientY;
    let frame = 0;

    const place = () => {
      const slots = [...scroller.querySelectorAll<HTMLElement>('[data-slot]')];
      const below = slots.find((slot) => {
        const { top, height } = slot.getBoundingClientRect();
        return y < top + height / 2;
      });
      const at = below ? slots.indexOf(below) : slots.length;
      const above = slots[at - 1];
      target = above?.dataset.slot ?? null;
      const from = paper.getBoundingClientRect().top;
      const top = above ? above.getBoundingClientRect().bottom - from - 8 : 0;
      line.style.top = `${top}px`;
      if (!line.isConnected) paper.append(line);
    };
    const scroll = () => {
      const { top, bottom } = scroller.getBoundingClientRect();
      if (y < top + edge) scroller.scrollTop -= perFrame;
      else if (y > bottom - edge) scroller.scrollTop += perFrame;
      place();
      frame = requestAnimationFrame(scroll);
    };
    const move = (next: globalThis.PointerEvent) => {
      y = next.clientY;
      if (!frame) frame = requestAnimationFrame(scroll);
    };
    const end = (isDone: boolean) => {
      cancelAnimationFrame(frame);
      line.remove();
      for (const each of moved) each.classList.remove(classes.dragging ?? '');
      handle.removeEventListener('pointermove', move);
      handle.removeEventListener('pointerup', drop);
      handle.removeEventListener('pointercancel', stop);
      removeEventListener('keydown', leave, true);
      if (!isDone || target === undefined) return;
      let after = target;
      const order = store.getOrder();
      // Among themselves they keep their order.
      while (after !== null && ids.includes(after)) after = order[order.indexOf(after) - 1] ?? null;
      if (ids.length === 1 && (order[order.indexOf(id) - 1] ?? null) === after) return;
      moveAfter({ store, ui }, ids, after);
    };
    const drop = () => end(true);
    const stop = () => end(false);
    const leave = (key: KeyboardEvent) => {
      if (key.key === 'Escape') end(false);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', drop);
    handle.addEventListener('pointercancel', stop);
    addEventListener('keydown', leave, true);
  };
  return { onPointerDown };
}
