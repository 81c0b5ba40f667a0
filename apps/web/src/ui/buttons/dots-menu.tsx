import { ActionIcon, Menu, type MenuProps } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';

interface DotsMenuProps extends MenuProps {
  label: string;
  size?: number;
  icon?: { size: number; stroke?: number };
}

/** What else can be done with a thing. */
export function DotsMenu({ label, size = 24, icon = { size: 16 }, children, ...menu }: DotsMenuProps) {
  return (
    <Menu position="bottom-end" {...menu}>
      <Menu.Target>
        <ActionIcon size={size} aria-label={label}>
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
