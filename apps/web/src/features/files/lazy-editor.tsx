import { Skeleton } from '@mantine/core';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import classes from './lazy-editor.module.css';

/** The editor is the largest part of the product, so it is loaded when there is a text to show. */
export const CodeEditor = lazyPart(() => import('./editor/code-editor.tsx'), 'CodeEditor');
export const Compare = lazyPart(() => import('../../ui/editor/compare.tsx'), 'Compare');

const widths = [34, 52, 47, 0, 61, 40, 28, 0, 55, 66, 43];

/** Placeholders of lines while the text is loading. */
export function TextSkeleton() {
  return (
    <div className={classes.lines} aria-busy>
      {widths.map((width, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are always the same.
        <Skeleton key={line} height={12} width={`${width}%`} visible={width > 0} />
      ))}
    </div>
  );
}
