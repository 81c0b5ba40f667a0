import { Menu } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { noticeAfter, setNoticeAfter } from '../page/notice-long-run.ts';

const choices: [number, string][] = [
  [0, 'Never'],
  [5, 'Longer than 5 seconds'],
  [20, 'Longer than 20 seconds'],
  [60, 'Longer than a minute'],
  [600, 'Longer than 10 minutes'],
];

/** Chooses the length of runs after which a person in another window is notified. */
export function NoticeMenu() {
  const [seconds, setSeconds] = useState(noticeAfter);
  return (
    <Menu.Sub position="left-start" floatingStrategy="fixed">
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconBell size={16} stroke={1.6} />}>Notify me of runs</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        <Menu.RadioGroup
          value={String(seconds)}
          onChange={(next) => {
            setSeconds(Number(next));
            setNoticeAfter(Number(next));
          }}
        >
          {choices.map(([value, label]) => (
            <Menu.RadioItem key={value} value={String(value)}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}
