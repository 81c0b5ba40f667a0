import type { ThemeMode } from '@atoll/contract/fields';
import type { Theme } from '@atoll/contract/theme/entity';
import { SegmentedControl } from '@mantine/core';

export function ModeChoice(props: { theme: Theme; mode: ThemeMode; onChange(mode: ThemeMode): void }) {
  const { theme_names } = props.theme;
  return (
    <SegmentedControl
      aria-label="Mode"
      value={props.mode}
      onChange={props.onChange}
      data={[
        { value: 'light', label: `${theme_names.light} (light)` },
        { value: 'dark', label: `${theme_names.dark} (dark)` },
      ]}
    />
  );
}
