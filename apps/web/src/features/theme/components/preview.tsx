import type { ThemeMode } from '@atoll/contract/fields';
import type { Theme } from '@atoll/contract/theme/entity';
import { Title } from '@mantine/core';
import { ThemeScope } from '../../../ui/theme/theme-context.tsx';
import classes from './preview.module.css';
import { PreviewContent } from './preview-content.tsx';

const modes: ThemeMode[] = ['light', 'dark'];

/** The real components under the drafted theme, in both modes at once. Only to look at. */
export function Preview({ theme }: { theme: Theme }) {
  return (
    <section className={classes.preview} aria-label="Preview">
      {modes.map((mode) => (
        <div key={mode}>
          <Title order={2} className={classes.label}>
            {theme.theme_names[mode] || mode}
          </Title>
          <div id={`preview-${mode}`} className={classes.pane} data-mantine-color-scheme={mode} inert>
            <ThemeScope theme={theme} mode={mode} id={`preview-${mode}`}>
              <PreviewContent />
            </ThemeScope>
          </div>
        </div>
      ))}
    </section>
  );
}
