import type { ReactNode } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import classes from './kept.module.css';

interface KeptFigureProps {
  caption: string;
  text: string;
  /** Further actions with the text. */
  children?: ReactNode;
}

/** A text that is stored only in this browser. */
export function KeptFigure({ caption, text, children }: KeptFigureProps) {
  return (
    <figure className={classes.text}>
      <div className={classes.head}>
        <figcaption>{caption}</figcaption>
        <CopyButton value={text} />
        {children}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, also by keyboard. */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
