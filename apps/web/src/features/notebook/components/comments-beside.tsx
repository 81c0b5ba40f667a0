import { useEffect, useRef } from 'react';
import { CommentsPanel } from '../../comments/components/comments-panel.tsx';
import { useNotebook, useSignal } from './notebook-context.tsx';
import { PanelHead } from './panel-head.tsx';
import classes from './side-panels.module.css';

/** What is said about the chosen cell; it follows the cell wherever that is moved. */
export function CommentsBeside() {
  const { store, ui, projectId, fileId } = useNotebook();
  const active = useSignal(ui, 'active', ui.getActive);
  const order = useSignal(store, 'order', store.getOrder);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const write = () => {
      const field = place.current?.querySelector('textarea');
      if (field && active && ui.takeComposing(active)) field.focus();
    };
    write();
    return ui.subscribe('composing', write);
  }, [ui, active]);
  return (
    <>
      <PanelHead title={active ? `Comments on cell ${order.indexOf(active) + 1}` : 'Comments'} />
      <div className={classes.comments} ref={place}>
        {active ? (
          <CommentsPanel key={active} projectId={projectId} fileId={fileId} cellId={active} isBare />
        ) : (
          <p className={classes.empty}>Select a cell to see its comments.</p>
        )}
      </div>
    </>
  );
}
