import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/ColorInput.layer.css';
import '@mantine/core/styles/ColorPicker.layer.css';
import '@mantine/core/styles/ColorSwatch.layer.css';
import '@mantine/core/styles/SimpleGrid.layer.css';
import type { Palette } from '@atoll/contract/theme/entity';
import { Alert, Checkbox, ColorInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { contrast } from '../../../ui/theme/colour.ts';
import { useMode } from '../../../ui/theme/theme-context.tsx';
import type { Draft } from '../draft.ts';
import { adjustedColours, contrastWarnings, darkPrimary } from '../model.ts';
import { ModeChoice } from './mode-choice.tsx';

const colours: Record<keyof Palette, string> = {
  primary: 'Primary',
  background: 'Background',
  surface: 'Surface',
  text: 'Text',
  muted: 'Muted text',
  border: 'Border',
  success: 'Success',
  warning: 'Warning',
  danger: 'Danger',
};
const names = Object.keys(colours) as (keyof Palette)[];

export function ColoursPart({ draft }: { draft: Draft }) {
  const [mode, setMode] = useState(useMode().mode);
  const palette = draft.theme.palettes[mode];
  const [isFollowing, setFollowing] = useState(true);
  const set = (name: keyof Palette, value: string) => {
    const palettes = { ...draft.theme.palettes, [mode]: { ...palette, [name]: value } };
    if (name === 'primary' && mode === 'light' && isFollowing)
      palettes.dark = { ...palettes.dark, primary: darkPrimary(value, palettes.dark) };
    if (name === 'primary' && mode === 'dark') setFollowing(false);
    draft.set({ palettes });
  };
  return (
    <Stack>
      <ModeChoice theme={draft.theme} mode={mode} onChange={setMode} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16}>
        {names.map((name) => (
          <ColorInput
            key={name}
            label={colours[name]}
            size="sm"
            value={palette[name]}
            error={draft.errorAt(`palettes.${mode}.${name}`)}
            onChange={(value) => set(name, value)}
            popoverProps={{ transitionProps: { duration: 100 } }}
            eyeDropperButtonProps={{ 'aria-label': 'Pick a colour' }}
          />
        ))}
      </SimpleGrid>
      {mode === 'light' && (
        <Checkbox
          label="Use the primary colour in the dark mode, too"
          description="As light as it has to be to be read there."
          checked={isFollowing}
          onChange={({ currentTarget: { checked } }) => {
            setFollowing(checked);
            const { dark } = draft.theme.palettes;
            if (checked)
              draft.set({
                palettes: { ...draft.theme.palettes, dark: { ...dark, primary: darkPrimary(palette.primary, dark) } },
              });
          }}
        />
      )}
      <Contrast palette={palette} />
    </Stack>
  );
}

function Contrast({ palette }: { palette: Palette }) {
  const warnings = contrastWarnings(palette);
  const adjusted = adjustedColours(palette);
  return (
    <div aria-live="polite">
      {warnings.length > 0 && (
        <Alert color="warning" title="Hard to read" icon={<IconAlertTriangle size={18} />}>
          {warnings.map(({ colour, on, ratio }) => (
            <Text size="sm" key={colour + on}>
              {colours[colour]} on {on} has a contrast of {ratio.toFixed(1)}; at least 4.5 is required.
            </Text>
          ))}
        </Alert>
      )}
      {adjusted.length > 0 && (
        <Text size="sm" c="dimmed" mt={8}>
          {adjusted.map((name) => colours[name]).join(', ')}: text uses {isDark(palette) ? 'lighter' : 'darker'}for
          readability. Fills keep the chosen colour.
        </Text>
      )}
      {!warnings.length && !adjusted.length && (
        <Text size="sm" c="dimmed">
          All text has a contrast of at least 4.5.
        </Text>
      )}
    </div>
  );
}

const isDark = ({ surface }: Palette) => contrast(surface, '#ffffff') > contrast(surface, '#000000');
