import type { ThemeMode } from '@atoll/contract/fields';
import { UnstyledButton } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { otherMode } from '../../../platform/mode.ts';
import { LookSketch } from '../../../ui/look-sketch.tsx';
import { Panel } from '../../../ui/page.tsx';
import { useTheme } from '../../../ui/theme-context.tsx';
import { useChooseMode } from '../../account/preferences.ts';
import classes from './dashboard.module.css';

const modes: ThemeMode[] = ['light', 'dark'];

/** Both looks as they really are, drawn from the theme. */
export function LookCard() {
  const theme = useTheme();
  const { mode, choose } = useChooseMode();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
    choose(otherMode(mode));
    (event.currentTarget.querySelector('[aria-checked="false"]') as HTMLElement | null)?.focus();
  };
  return (
    <Panel title="Your look">
      <div role="radiogroup" aria-label="Your look" className={classes.looks} onKeyDown={onKeyDown}>
        {modes.map((each) => (
          <UnstyledButton
            key={each}
            role="radio"
            aria-checked={mode === each}
            tabIndex={mode === each ? 0 : -1}
            className={classes.look}
            onClick={() => choose(each)}
          >
            <div className={classes.frame}>
              <LookSketch palette={theme.palettes[each]} radius={theme.themes[each].radius} />
            </div>
            {theme.theme_names[each]}
          </UnstyledButton>
        ))}
      </div>
    </Panel>
  );
}
