import { bringIntoView } from './bring-into-view.ts';
import classes from './styles/tabs.module.css';

/** Of a link in a row of tabs. */
export const tabProps = (isOpen: boolean) => ({
  ref: isOpen ? bringIntoView : undefined,
  className: classes.tab,
  'data-active': isOpen || undefined,
  'aria-current': isOpen ? ('page' as const) : undefined,
});
