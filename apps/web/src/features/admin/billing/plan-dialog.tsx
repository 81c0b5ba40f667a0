import type { RatePlan } from '@atoll/contract/subscriptions/entity';
import { Group, Modal, NativeSelect, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { useAdminAct } from '../mutations.ts';

type Fields = Parameters<typeof client.admin.createRatePlan>[0];

const shown = (value: number | null | undefined, divisor = 1) =>
  value === null || value === undefined ? '' : String(value / divisor);
const numberOf = (value: string, factor = 1) => (value.trim() === '' ? null : Number(value) * factor);
const isNumber = (value: string) => (/^\d*$/.test(value.trim()) ? null : 'Enter a whole number, or nothing');

export function PlanDialog({ plan, onClose }: { plan: RatePlan | null; onClose(): void }) {
  const save = useAdminAct(
    (fields: Fields) =>
      plan ? client.admin.updateRatePlan({ id: plan.id, ...fields }) : client.admin.createRatePlan(fields),
    plan ? 'Plan saved' : 'Plan created',
  );
  const form = useForm({
    initial: {
      title: plan?.title ?? '',
      price: shown(plan?.price),
      annual_price: shown(plan?.annual_price),
      max_number_of_projects: shown(plan?.max_number_of_projects),
      max_execution_time: shown(plan?.max_execution_time, 3_600),
      longest_run: shown(plan?.longest_run, 3_600),
      tier: plan?.tier ?? 'l1',
      details: plan?.details.join('\n') ?? '',
      highlighted: plan?.highlighted ?? false,
    },
    checks: {
      title: (value) => (value.trim() ? null : 'Give the plan a title'),
      price: isNumber,
      annual_price: isNumber,
      max_number_of_projects: isNumber,
      max_execution_time: isNumber,
      longest_run: isNumber,
    },
    submit: async (values) => {
      await save.mutateAsync({
        title: values.title,
        price: numberOf(values.price),
        annual_price: numberOf(values.annual_price),
        max_number_of_projects: numberOf(values.max_number_of_projects),
        max_execution_time: numberOf(values.max_execution_time, 3_600),
        longest_run: numberOf(values.longest_run, 3_600),
        tier: values.tier as Fields['tier'],
        highlighted: values.highlighted,
        details: values.details.split('\n').flatMap((line) => line.trim() || []),
        features: plan?.features,
        roles: plan?.roles ?? [],
      });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={plan ? `Plan ${plan.title}` : 'Create plan'} size="lg">
      <Form form={form}>
        <TextInput label="Title" required maxLength={60} data-autofocus {...form.text('title')} />
        <Group grow align="flex-start">
          <TextInput label="Units a month" inputMode="numeric" {...form.text('price')} />
          <TextInput label="Units a year" inputMode="numeric" {...form.text('annual_price')} />
        </Group>
        <Group grow align="flex-start">
          <TextInput label="Execution, hours a month" inputMode="numeric" {...form.text('max_execution_time')} />
          <TextInput label="Longest run, hours" inputMode="numeric" {...form.text('longest_run')} />
        </Group>
        <Group grow align="flex-start">
          <TextInput label="Projects" inputMode="numeric" {...form.text('max_number_of_projects')} />
          <NativeSelect
            label="Largest server"
            data={[
              { value: 'l1', label: 'L1' },
              { value: 'l2', label: 'L2' },
              { value: 'l3', label: 'L3' },
            ]}
            {...form.text('tier')}
          />
        </Group>
        <Text size="sm" c="dimmed">
          An empty price is by agreement. An empty limit is none.
        </Text>
        <Textarea label="Details, one on each line" autosize minRows={2} {...form.text('details')} />
        <Switch label="Highlighted" {...form.flag('highlighted')} />
        <FormActions form={form}>{plan ? 'Save' : 'Create plan'}</FormActions>
      </Form>
    </Modal>
  );
}
