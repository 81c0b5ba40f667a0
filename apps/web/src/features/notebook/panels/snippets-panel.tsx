import { UnstyledButton } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useNotebook } from '../notebook-context.tsx';
import { PanelHead } from '../panel-head.tsx';
import { snippetIcons } from '../toolbar/snippets-menu.tsx';
import classes from './side-panels.module.css';
import { useSnippets } from './use-snippets.ts';

/** The snippets where there is no room for their menu. */
export function SnippetsPanel() {
  const { ui } = useNotebook();
  const { groups, look } = useSnippets();
  const first = useRef(look);
  useEffect(() => void first.current(), []);
  return (
    <>
      <PanelHead id="snippets" title="Snippets" />
      <div className={classes.list}>
        {groups.map(({ label, kind, entries }) => {
          const Icon = snippetIcons[kind];
          return (
            <section key={kind} aria-label={label}>
              <h3 className={classes.label}>{label}</h3>
              {entries.map((each) => (
                <UnstyledButton
                  key={each.label}
                  className={classes.item}
                  onClick={() => {
                    ui.closePanel('right');
                    each.put();
                  }}
                >
                  <Icon size={15} stroke={1.6} aria-hidden className={classes.sign} />
                  {each.label}
                </UnstyledButton>
              ))}
            </section>
          );
        })}
      </div>
    </>
  );
}
