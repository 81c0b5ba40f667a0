import { NativeSelect, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { Panel } from '../../../ui/page.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { ChoicesPanel } from '../../notifications/choices-panel.tsx';
import { useSession } from '../../session/queries.ts';
import { useChooseMode, useSavePreferences } from '../preferences.ts';

const sizes = [10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24].map((size) => ({
  value: String(size),
  label: `${size} px`,
}));
const zones = () => ['', ...Intl.supportedValuesOf('timeZone')];

/** Every change is kept at once. */
export function PreferencesSection() {
  const { preferences, is_guest } = useSession();
  const { theme_names, theme_default_mode } = useTheme();
  const save = useSavePreferences();
  const { choose } = useChooseMode();
  if (!preferences) return null;
  return (
    <>
      <Panel title="Appearance" description="Saved to your account and used on all your devices.">
        <Stack gap={20}>
          <div>
            <Text size="sm" fw={500} mb={4} id="mode-label">
              Mode
            </Text>
            <SegmentedControl
              aria-labelledby="mode-label"
              value={preferences.theme_mode}
              onChange={(value) => choose(value === 'system' ? null : value)}
              data={[
                { value: 'system', label: `Default (${theme_names[theme_default_mode]})` },
                { value: 'light', label: theme_names.light },
                { value: 'dark', label: theme_names.dark },
              ]}
            />
          </div>
          <Switch
            label="Reduce motion"
            description="Turns animations off."
            checked={preferences.reduced_motion}
            onChange={(event) => save.mutate({ reduced_motion: event.currentTarget.checked })}
          />
        </Stack>
      </Panel>
      <Panel title="Editor and time">
        <Stack gap={20}>
          <NativeSelect
            label="Code font size"
            data={sizes}
            maw={200}
            value={String(preferences.editor_font_size)}
            onChange={(event) => save.mutate({ editor_font_size: Number(event.currentTarget.value) })}
          />
          <NativeSelect
            label="Time zone"
            maw={320}
            data={zones().map((zone) => ({ value: zone, label: zone || 'Same as my device' }))}
            value={preferences.time_zone ?? ''}
            onChange={(event) => save.mutate({ time_zone: event.currentTarget.value || null })}
          />
        </Stack>
      </Panel>
      {!is_guest && <ChoicesPanel preferences={preferences} />}
    </>
  );
}
