import { Button, CloseButton, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { Panel } from '../../../ui/page.tsx';
import admin from '../components/admin.module.css';
import { dropWords, funnelDays, funnelSteps, type TrackingSearch } from '../model.ts';
import { funnelQuery } from '../queries.ts';
import classes from './funnel.module.css';

const mostSteps = 5;

interface Props {
  search: TrackingSearch;
  names: string[];
  onChange(update: Pick<TrackingSearch, 'steps' | 'days'>): void;
}

/** How many people went from one event to the next, and where they left. */
export function Funnel({ search, names, onChange }: Props) {
  const { days = 30 } = search;
  const steps = funnelSteps(search.steps);
  const { data, error } = useQuery(funnelQuery(steps, days));
  const choices = [...new Set([...names, ...steps])];
  const fields = [...steps, ...Array.from({ length: Math.max(1, 2 - steps.length) }, () => '')].slice(0, mostSteps);
  const choose = (index: number, name: string) =>
    onChange({ steps: steps.toSpliced(index, 1, ...(name ? [name] : [])).join(',') || undefined });
  const first = data?.steps[0]?.people ?? 0;
  return (
    <Panel title="Funnel">
      <div className={admin.tools}>
        {fields.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place; the same event may come twice.
          <div key={index} className={classes.step}>
            <NativeSelect
              label={`Step ${index + 1}`}
              disabled={index > steps.length}
              data={[{ value: '', label: 'Choose an event' }, ...choices]}
              value={name}
              onChange={(event) => choose(index, event.currentTarget.value)}
            />
            {name && (
              <CloseButton
                size={36}
                iconSize={16}
                aria-label={`Remove step ${index + 1}`}
                onClick={() => choose(index, '')}
              />
            )}
          </div>
        ))}
        <NativeSelect
          label="Time"
          data={funnelDays.map((each) => ({ value: String(each), label: `Last ${each} days` }))}
          value={String(days)}
          onChange={(event) =>
            onChange({ days: funnelDays.find((each) => String(each) === event.currentTarget.value) })
          }
        />
        {steps.length > 0 && (
          <Button variant="subtle" onClick={() => onChange({ steps: undefined, days: undefined })}>
            Clear
          </Button>
        )}
      </div>
      {steps.length < 2 ? (
        <Text size="sm" c="dimmed">
          Choose two to five events in order to see how many people did one after the other.
        </Text>
      ) : error ? (
        <Text size="sm" c="dimmed" role="alert">
          {messageOf(error)}
        </Text>
      ) : (
        <ol className={classes.funnel} aria-label="Steps of the funnel">
          {data?.steps.map(({ name, people }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same event may come twice.
            <li key={index}>
              <span className={classes.funnelName}>{name}</span>
              <span className={classes.funnelPeople}>
                {people.toLocaleString('en')} {people === 1 ? 'person' : 'people'}
              </span>
              <div className={classes.funnelBar} aria-hidden>
                <div style={{ width: `${first === 0 ? 0 : (people / first) * 100}%` }} />
              </div>
              <span className={admin.detail}>{dropWords(people, data.steps[index - 1]?.people)}</span>
            </li>
          ))}
        </ol>
      )}
      {data?.is_estimate && steps.length > 1 && (
        <Text size="sm" c="dimmed" mt={8}>
          Estimated from a part of the people, because there are very many events.
        </Text>
      )}
    </Panel>
  );
}
