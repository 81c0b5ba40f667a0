import { IconPlus } from '@tabler/icons-react';
import classes from './insert-bar.module.css';
import { InsertButtons } from './insert-buttons.tsx';

/** Buttons between two cells that insert a cell there. */
export const InsertBar = ({ afterId }: { afterId: string | null }) => (
  <div className={classes.insert} data-first={afterId === null || undefined}>
    <InsertButtons
      after={() => afterId}
      button={(label, onClick) => (
        <button type="button" tabIndex={-1} aria-label={`Insert ${label} here`} onClick={onClick}>
          <IconPlus size={11} aria-hidden />
          {label}
        </button>
      )}
    />
  </div>
);
