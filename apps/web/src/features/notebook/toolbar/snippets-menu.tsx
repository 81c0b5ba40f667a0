import { Menu } from '@mantine/core';
import { IconCode, IconCodePlus, IconFile, IconTable } from '@tabler/icons-react';
import { Fragment } from 'react';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { useSnippets } from '../panels/use-snippets.ts';
import classes from './toolbar.module.css';

export const snippetIcons = { file: IconFile, table: IconTable, code: IconCode };

/** The snippets as a menu; without room for its button they are a panel. */
export function SnippetsMenu() {
  const { groups, look } = useSnippets();
  return (
    <Menu position="bottom-start" width={280} onOpen={() => void look()}>
      <Menu.Target>
        <IconButton label="Snippets" size={28} className={classes.snippets}>
          <IconCodePlus size={16} stroke={1.6} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {groups.map(({ label, kind, entries }) => {
          const Icon = snippetIcons[kind];
          return (
            <Fragment key={kind}>
              <Menu.Label>{label}</Menu.Label>
              {entries.map((each) => (
                <Menu.Item key={each.label} leftSection={<Icon size={15} stroke={1.6} />} onClick={each.put}>
                  {each.label}
                </Menu.Item>
              ))}
            </Fragment>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
