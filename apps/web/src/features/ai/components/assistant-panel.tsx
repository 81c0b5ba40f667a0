import { conversationOf } from '@atoll/agent';
import { Menu, Skeleton } from '@mantine/core';
import { IconEraser, IconEye, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, type UIEvent, useEffect, useMemo, useRef, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { DotsMenu } from '../../../ui/buttons/dots-menu.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { useNotebook, useSignal } from '../../notebook/notebook-context.tsx';
import { PanelHead } from '../../notebook/panel-head.tsx';
import { modelsQuery } from '../queries.ts';
import { type Assistant, useAssistant } from '../use-assistant.ts';
import classes from './assistant.module.css';
import { BuildForm } from './build-form.tsx';
import { Composer } from './composer.tsx';
import { TurnView } from './turn.tsx';

const SettingsDialog = lazyPart(() => import('./settings-dialog.tsx'), 'SettingsDialog');
const RequestDialog = lazyPart(() => import('./request-dialog.tsx'), 'RequestDialog');

const ideas = [
  'Explain what this notebook does',
  'Find out why the last cell fails, and mend it',
  'Load the csv file and show a summary',
  'Draw a chart of the most important columns',
];

/** A conversation with the assistant, beside the document it is about. */
export function AssistantPanel() {
  const assistant = useAssistant();
  const { shown, problem } = assistant;
  const models = useQuery(modelsQuery());
  const [dialog, setDialog] = useState<'settings' | 'request' | null>(null);
  return (
    <>
      <PanelHead id="assistant" title="Assistant">
        <DotsMenu label="Assistant menu" icon={{ size: 15, stroke: 1.6 }} width={220}>
          <Menu.Item
            leftSection={<IconSettings size={15} />}
            onClick={() => {
              setDialog('settings');
              // It may have changed in another window.
              void assistant.load();
            }}
          >
            Model and tools
          </Menu.Item>
          <Menu.Item leftSection={<IconEye size={15} />} onClick={() => setDialog('request')}>
            Show what is sent
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconEraser size={15} />}
            disabled={shown?.state !== 'idle'}
            onClick={() => void assistant.act((topic) => topic.send('clear_chat', {}))}
          >
            New conversation
          </Menu.Item>
        </DotsMenu>
      </PanelHead>
      {problem ? (
        <p className={classes.notice} role="alert">
          {problem}
        </p>
      ) : !shown ? (
        <div className={classes.log}>
          <Skeleton height={14} mb={10} width="70%" />
          <Skeleton height={14} mb={10} width="90%" />
        </div>
      ) : (
        <Conversation assistant={assistant} hasModel={!models.data?.missing} />
      )}
      {models.data?.missing && (
        <p className={classes.notice}>
          There is no model yet. Add a key of your own in{' '}
          <TextLink to="/profile" search={{ section: 'ai' }}>
            Settings → AI
          </TextLink>
          , or ask an admin of this installation to set one up.
        </p>
      )}
      {shown && !models.data?.missing && <Composer assistant={assistant} />}
      <Suspense>
        {dialog === 'settings' && <SettingsDialog assistant={assistant} onClose={() => setDialog(null)} />}
        {dialog === 'request' && <RequestDialog onClose={() => setDialog(null)} />}
      </Suspense>
    </>
  );
}

function Conversation({ assistant, hasModel }: { assistant: Assistant; hasModel: boolean }) {
  const { shown, act } = assistant;
  const { store } = useNotebook();
  const isEmpty = useSignal(store, 'order', () => store.getOrder().every((id) => store.sourceOf(id).trim() === ''));
  const events = shown?.events;
  const { turns } = useMemo(() => conversationOf(events ?? []), [events]);
  const log = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const streaming = shown?.streaming ?? null;
  const length = (events?.length ?? 0) + (streaming?.text.length ?? 0) + (streaming?.thinking.length ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is added is brought into view.
  useEffect(() => {
    if (isFollowing.current) log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [length]);
  /** Who reads further up is left there. */
  const follow = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>) => {
    isFollowing.current = scrollHeight - scrollTop - clientHeight < 80;
  };
  if (turns.length === 0)
    return (
      <div className={classes.log}>
        <p className={classes.hello}>
          Ask about this notebook, or have it changed. You approve each change before it is made, and can take all of it
          back.
        </p>
        {hasModel && isEmpty && <BuildForm assistant={assistant} />}
        {(hasModel ? ideas : []).map((idea) => (
          <button
            key={idea}
            type="button"
            className={classes.idea}
            onClick={() => void act((topic) => topic.send('send_message', { text: idea }))}
          >
            {idea}
          </button>
        ))}
      </div>
    );
  return (
    <div
      ref={log}
      className={classes.log}
      role="log"
      aria-label="Conversation"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard.
      tabIndex={0}
      onScroll={follow}
    >
      {turns.map((turn, index) => {
        const isLast = index === turns.length - 1;
        return (
          <TurnView
            key={turn.seq}
            turn={turn}
            isLast={isLast}
            streaming={isLast && !turn.end ? streaming : null}
            assistant={assistant}
          />
        );
      })}
    </div>
  );
}
