import type { ToolPolicy } from '@atoll/contract';
import { Modal, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../queries.ts';
import type { Assistant } from '../use-assistant.ts';
import classes from './assistant.module.css';

/** Which model answers here, and what its tools may do. */
export function SettingsDialog({ assistant, onClose }: { assistant: Assistant; onClose(): void }) {
  const { shown, act, load } = assistant;
  const { data } = useQuery(modelsQuery());
  const models = data?.entries ?? [];
  const set = (input: { model?: string | null; policies?: Record<string, ToolPolicy> }) =>
    void act(async (topic) => {
      await topic.send('update_ai_configuration', input);
      await load();
    });
  const policies = shown?.configuration.policies ?? {};
  return (
    <Modal opened onClose={onClose} title="Model and tools">
      <Stack>
        <Select
          label="Model"
          description="For this conversation, for everyone in it"
          placeholder={models[0] ? `${models[0].name} (default)` : 'No model'}
          clearable
          searchable
          data={models.map(({ id, name, provider, is_paid }) => ({
            value: id,
            label: `${name} · ${provider}${is_paid ? ' · uses units' : ''}`,
          }))}
          value={shown?.configuration.model ?? null}
          onChange={(model) => set({ model })}
        />
        <Text size="sm" c="dimmed">
          What tools may do in this file when you ask. Others choose for themselves.
        </Text>
        <div className={classes.tools}>
          {shown?.tools.map(({ name, title, policy }) => (
            <div key={name}>
              <span id={`tool-${name}`}>{title}</span>
              <SegmentedControl
                size="xs"
                aria-labelledby={`tool-${name}`}
                data={[
                  { value: 'ask', label: 'Ask' },
                  { value: 'always', label: 'Always' },
                  { value: 'never', label: 'Never' },
                ]}
                value={policies[name] ?? policy}
                onChange={(value) => set({ policies: { [name]: value as ToolPolicy } })}
              />
            </div>
          ))}
        </div>
      </Stack>
    </Modal>
  );
}
