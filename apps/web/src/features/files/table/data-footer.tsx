import type { TablePage } from '@atoll/contract/files/data';
import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import classes from './data-pane.module.css';
import { blockSize, grouped } from './model.ts';

interface DataFooterProps {
  table: TablePage;
  count: number;
  block: number;
  onBlock(block: number): void;
  onSheet(sheet: string): void;
}

/** The sheets of a workbook, and the pages of a table too long to scroll. */
export function DataFooter({ table, count, block, onBlock, onSheet }: DataFooterProps) {
  const blocks = Math.ceil(count / blockSize);
  const hasSheets = table.sheets !== null && table.sheets.length > 1;
  if (!hasSheets && blocks < 2) return null;
  return (
    <div className={classes.footer}>
      {hasSheets && (
        <nav aria-label="Sheets" className={classes.sheets}>
          {table.sheets?.map((sheet) => (
            <UnstyledButton
              key={sheet}
              className={classes.sheet}
              aria-current={sheet === table.sheet ? 'true' : undefined}
              onClick={() => onSheet(sheet)}
            >
              {sheet}
            </UnstyledButton>
          ))}
        </nav>
      )}
      {blocks > 1 && (
        <nav aria-label="Pages of rows" className={classes.blocks}>
          <ActionIcon
            size={26}
            aria-label={`Previous ${grouped(blockSize)} rows`}
            disabled={block === 0}
            onClick={() => onBlock(block - 1)}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <span>
            Rows {grouped(block * blockSize + 1)} – {grouped(Math.min(count, (block + 1) * blockSize))} of{' '}
            {grouped(count)}
          </span>
          <ActionIcon
            size={26}
            aria-label={`Next ${grouped(blockSize)} rows`}
            disabled={block >= blocks - 1}
            onClick={() => onBlock(block + 1)}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </nav>
      )}
    </div>
  );
}
