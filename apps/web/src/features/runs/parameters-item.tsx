import { Menu } from '@mantine/core';
import { useSession } from '../session/queries.ts';

/** In the menu of a notebook, where runs may have parameters. */
export function ParametersItem({ onClick }: { onClick(): void }) {
  const { features } = useSession();
  if (features?.execute_with_parameters?.enabled !== true) return null;
  return <Menu.Item onClick={onClick}>Run with parameters…</Menu.Item>;
}
