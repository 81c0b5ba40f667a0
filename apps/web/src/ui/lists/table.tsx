import { Skeleton, VisuallyHidden } from '@mantine/core';

interface Named {
  name: string;
  /** Said to screen readers only. */
  isHidden?: boolean;
  /** Marked, so that styles can leave it out where there is no room. */
  isWide?: boolean;
  className?: string | undefined;
}
export type Column = string | Named;

/** The names of a table's columns. */
export function TableHead({ columns }: { columns: Column[] }) {
  const all = columns.map((column): Named => (typeof column === 'string' ? { name: column } : column));
  return (
    <thead>
      <tr>
        {all.map(({ name, isHidden, isWide, className }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is what stands at its place.
          <th key={index} scope="col" className={className} data-wide={isWide}>
            {isHidden ? <VisuallyHidden>{name}</VisuallyHidden> : name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** In place of rows that are on their way. */
export const WaitingRows = ({ columns, rows = 1, height }: { columns: number; rows?: number; height: number }) =>
  [...Array(rows).keys()].map((row) => (
    <tr key={row}>
      <td colSpan={columns}>
        <Skeleton height={height} />
      </td>
    </tr>
  ));
