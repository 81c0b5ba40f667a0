import type { RunParameters } from '@atoll/contract/runs/entity';
import { parametersIn } from '@atoll/notebook';
import { Modal, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useForm } from '../../ui/form.ts';
import { Form, FormActions } from '../../ui/form-parts.tsx';
import { treeQuery } from '../files/queries.ts';
import { chosenTier } from './chosen-tier.ts';
import { useStartRun } from './mutations.ts';

interface ParametersDialogProps {
  projectId: string;
  fileId: string;
  cells: Parameters<typeof parametersIn>[0];
  onClose(): void;
}

/** Runs the notebook in the background with other values than those of its tagged cell. */
export function ParametersDialog({ projectId, fileId, cells, onClose }: ParametersDialogProps) {
  const navigate = useNavigate();
  const { data: tree } = useQuery(treeQuery(projectId));
  const file = tree?.files.find(({ id }) => id === fileId);
  const known = Object.entries(parametersIn(cells));
  const start = useStartRun(
    projectId,
    ({ id: run }) => void navigate({ to: '.', search: (before: object) => ({ ...before, run }) }),
  );
  const form = useForm<Record<string, string | boolean>>({
    initial: Object.fromEntries(
      known.map(([name, value]) => [name, typeof value === 'boolean' ? value : String(value ?? '')]),
    ),
    checks: Object.fromEntries(
      known.flatMap(([name, value]) =>
        typeof value === 'number'
          ? [[name, (text: string | boolean) => (isNumber(String(text)) ? null : 'Enter a number')]]
          : [],
      ),
    ),
    submit: async (values) => {
      if (!file) return;
      const parameters: RunParameters = Object.fromEntries(
        known.map(([name, value]) => [
          name,
          typeof value === 'number' ? Number(values[name]) : (values[name] ?? value),
        ]),
      );
      await start.mutateAsync({ file, tier: chosenTier(), withSecrets: false, parameters });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Run with parameters">
      {known.length === 0 ? (
        <Text size="sm">
          This notebook has no parameters. Give the cell that sets them the tag “parameters”, one plain value on each
          line.
        </Text>
      ) : (
        <Form form={form}>
          {known.map(([name, value]) =>
            typeof value === 'boolean' ? (
              <Switch key={name} label={name} {...form.flag(name)} />
            ) : (
              <TextInput key={name} label={name} {...form.text(name)} />
            ),
          )}
          <FormActions form={form} onClose={onClose}>
            Run in background
          </FormActions>
        </Form>
      )}
    </Modal>
  );
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));
