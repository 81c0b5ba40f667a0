import { Button, type ButtonProps } from '@mantine/core';

interface MoreButtonProps extends ButtonProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown };
}

/** The next part of a list that comes in parts. */
export function MoreButton({ list, children = 'Show more', ...button }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()} {...button}>
      {children}
    </Button>
  );
}
