import { Skeleton } from '@mantine/core';
import classes from './page.module.css';

/** The shape of a panel with a form in it, while it is on its way. */
export function SectionSkeleton() {
  return (
    <div className={classes.panel} aria-busy>
      <div className={classes.panelBody}>
        <Skeleton height={20} width={160} mb={8} />
        <Skeleton height={14} width={280} mb={24} />
        {[1, 2, 3, 4].map((row) => (
          <div key={row}>
            <Skeleton height={12} width={96} mb={8} />
            <Skeleton height={36} mb={16} />
          </div>
        ))}
      </div>
    </div>
  );
}
