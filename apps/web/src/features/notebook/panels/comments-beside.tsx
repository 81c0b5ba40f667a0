import { useEffect, useRef } from 'react';
import { CommentsPanel } from '../../comments/comments-panel.tsx';
import { useNotebook, useSignal } from '../notebook-context.tsx';
import { PanelHead } from '../panel-head.tsx';
import { placeKey } from '../ui-state.ts';
import classes from './side-panels.module.css';

/** Comments of the active cell; the panel follows the cell where it is moved. */
export function CommentsBeside() {
  const { store, ui, projectId, fileId } = useNotebook();
  const active = useSignal(ui, 'active', ui.getActive);
  const subject = useSignal(ui, 'subject', ui.getSubject);
  const key = active ?? (subject && placeKey(subject));
  const order = useSignal(store, 'order', store.getOrder);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const write = () => {
      const field = place.current?.querySelector('textarea');
      if (field && key && ui.takeComposing(key)) field.focus();
    };
    write();
    return ui.subscribe('composing', write);
  }, [ui, key]);
  const titleOf = () => {
    if (active) return `Comments on cell ${order.indexOf(active) + 1}`;
    if (!subject) return 'Comments';
    return 'itemId' in subject ? 'Comments on an item' : 'Comments on a spot';
  };
  return (
    <>
      <PanelHead id="comments" title={titleOf()} />
      <div className={classes.comments} ref={place}>
        {active ? (
          <CommentsPanel key={active} projectId={projectId} fileId={fileId} cellId={active} isBare />
        ) : subject ? (
          <CommentsPanel key={key} projectId={projectId} fileId={fileId} {...subject} isBare />
        ) : (
          <p className={classes.empty}>Select a cell to see its comments.</p>
        )}
      </div>
    </>
  );
}
