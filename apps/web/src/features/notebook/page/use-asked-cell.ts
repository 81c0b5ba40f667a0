import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useNotebook } from '../notebook-context.tsx';

/** Goes to the cell in the address when the notebook opens, and whenever a link to one of its cells is followed. */
export function useAskedCell(): void {
  const { store, ui } = useNotebook();
  // Every visit counts, so that Back leads there, too.
  const visit = useLocation({ select: ({ hash, state }) => `${hash} ${state.__TSR_key ?? ''}` });
  useEffect(() => {
    const asked = /^cell=([\w-]{1,64}) /.exec(visit)?.[1];
    if (!asked) return;
    const go = () => {
      if (!store.getCell(asked)) return store.options.notify('The linked cell was deleted.');
      if (ui.getPast()) ui.showPast(false);
      ui.focus(asked);
      requestAnimationFrame(() => ui.reveal(asked, 'center'));
    };
    go();
    // The address does not change when a link to it is followed once more.
    const again = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('a')?.href === location.href) go();
    };
    addEventListener('click', again);
    return () => removeEventListener('click', again);
  }, [visit, store, ui]);
}
