import '@mantine/core/styles/SimpleGrid.layer.css';
import '@mantine/core/styles/Slider.layer.css';
import type { Look } from '@atoll/contract/theme/entity';
import { NativeSelect, SimpleGrid, Slider, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMode } from '../../../ui/theme/theme-context.tsx';
import type { Draft } from '../draft.ts';
import { ModeChoice } from './mode-choice.tsx';

const weights = [300, 400, 500, 550, 600, 650, 700, 800, 900];

export function LookPart({ draft }: { draft: Draft }) {
  const { theme } = draft;
  const [mode, setMode] = useState(useMode().mode);
  const look = theme.themes[mode];
  const set = (change: Partial<Look>) => draft.set({ themes: { ...theme.themes, [mode]: { ...look, ...change } } });
  const known = weights.includes(look.heading_weight) ? weights : [...weights, look.heading_weight].sort();
  return (
    <Stack>
      <NativeSelect
        label="Default mode"
        data={[
          { value: 'light', label: `${theme.theme_names.light} (light)` },
          { value: 'dark', label: `${theme.theme_names.dark} (dark)` },
        ]}
        value={theme.theme_default_mode}
        onChange={(event) => draft.set({ theme_default_mode: event.currentTarget.value as 'light' | 'dark' })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16}>
        {(['light', 'dark'] as const).map((each) => (
          <TextInput
            key={each}
            label={each === 'light' ? 'Light mode name' : 'Dark mode name'}
            maxLength={40}
            value={theme.theme_names[each]}
            error={draft.errorAt(`theme_names.${each}`)}
            onChange={(event) =>
              draft.set({ theme_names: { ...theme.theme_names, [each]: event.currentTarget.value } })
            }
          />
        ))}
      </SimpleGrid>
      <ModeChoice theme={theme} mode={mode} onChange={setMode} />
      <TextInput
        label="Text font"
        description="Font names in order of preference"
        value={look.font}
        error={draft.errorAt(`themes.${mode}.font`)}
        onChange={(event) => set({ font: event.currentTarget.value })}
      />
      <TextInput
        label="Code font"
        value={look.font_mono}
        error={draft.errorAt(`themes.${mode}.font_mono`)}
        onChange={(event) => set({ font_mono: event.currentTarget.value })}
      />
      <NativeSelect
        label="Heading weight"
        data={known.map(String)}
        value={String(look.heading_weight)}
        onChange={(event) => set({ heading_weight: Number(event.currentTarget.value) })}
      />
      <div>
        <Text size="sm" fw={500} mb={8}>
          Corner radius: {look.radius} px
        </Text>
        <Slider
          min={0}
          max={24}
          value={look.radius}
          onChange={(radius) => set({ radius })}
          label={null}
          thumbLabel="Corner radius"
        />
      </div>
    </Stack>
  );
}
