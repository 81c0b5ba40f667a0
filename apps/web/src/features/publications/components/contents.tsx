import type { TocEntry } from '@atoll/contract/publications/entity';
import { useEffect, useState } from 'react';
import { contentsOf } from '../model.ts';
import classes from './reading.module.css';

/** Where one is in it, beside the text; above it, it can be unfolded. */
export function Contents({ toc, isFolded }: { toc: readonly TocEntry[]; isFolded?: boolean }) {
  const shown = useShownHeading(toc);
  const list = (
    <nav aria-label="Contents">
      <ol className={classes.contents}>
        {contentsOf(toc).map(({ anchor, text, depth }) => (
          <li key={anchor} data-depth={depth}>
            <a href={`#${anchor}`} aria-current={anchor === shown ? 'location' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
  if (!isFolded) return list;
  return (
    <details className={classes.folded}>
      <summary>Contents</summary>
      {list}
    </details>
  );
}

/** The last heading that has come into the upper part of the screen. */
function useShownHeading(toc: readonly TocEntry[]): string | undefined {
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    const headings = toc.flatMap(({ anchor }) => document.getElementById(anchor) ?? []);
    const update = () =>
      setShown(headings.findLast((heading) => heading.getBoundingClientRect().top < window.innerHeight / 3)?.id);
    update();
    // Heard on its way down, since the frame scrolls inside itself.
    document.addEventListener('scroll', update, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', update, { capture: true });
  }, [toc]);
  return shown;
}
