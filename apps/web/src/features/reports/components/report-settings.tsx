import '@mantine/core/styles/Checkbox.layer.css';
import type { ExternalPublication } from '@atoll/contract/reports/entity';
import { Checkbox, Input, NativeSelect, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { Panel } from '../../../ui/page.tsx';
import { type PrintableCell, paperNames, widthChoices } from '../model.ts';
import { useUpdateReport } from '../mutations.ts';
import classes from './report.module.css';

type Fields = Omit<ExternalPublication, 'id' | 'updated_at'>;

interface SettingsProps {
  settings: ExternalPublication;
  publicationTitle: string;
  hasCover: boolean;
  cells: PrintableCell[];
  onSaving(isSaving: boolean): void;
}

/** Saved as they are changed; the preview follows. */
export function ReportSettings({ settings, publicationTitle, hasCover, cells, onSaving }: SettingsProps) {
  const [fields, setFields] = useState<Fields>(settings);
  const update = useUpdateReport(settings.id);
  const pending = useRef<Partial<Fields>>({});
  const save = useDebouncedCallback(async () => {
    const changed = pending.current;
    pending.current = {};
    // It has told the person what went wrong.
    await update.mutateAsync(changed).catch(() => {});
    if (Object.keys(pending.current).length === 0) onSaving(false);
  }, 500);
  const change = (changed: Partial<Fields>) => {
    setFields((before) => ({ ...before, ...changed }));
    pending.current = { ...pending.current, ...changed };
    onSaving(true);
    save();
  };
  return (
    <Panel title="Print settings" description={update.isPending ? 'Saving…' : 'Changes are saved as you make them.'}>
      <Stack>
        <Switch
          label="List as a report"
          description="Readers of the publication find it under Reports."
          checked={fields.enabled}
          onChange={({ currentTarget }) => change({ enabled: currentTarget.checked })}
        />
        <TextInput
          label="Title"
          placeholder={publicationTitle}
          maxLength={200}
          value={fields.title}
          onChange={({ currentTarget }) => change({ title: currentTarget.value })}
        />
        <NativeSelect
          label="Paper"
          data={paperNames}
          value={fields.print_format}
          onChange={({ currentTarget }) => change({ print_format: currentTarget.value as Fields['print_format'] })}
        />
        <Input.Wrapper label="Orientation" labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label="Orientation"
            data={[
              { value: 'portrait', label: 'Portrait' },
              { value: 'landscape', label: 'Landscape' },
            ]}
            value={fields.orientation}
            onChange={(value) => change({ orientation: value as Fields['orientation'] })}
          />
        </Input.Wrapper>
        <Input.Wrapper label="Theme" labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label="Theme"
            data={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            value={fields.print_theme}
            onChange={(value) => change({ print_theme: value as Fields['print_theme'] })}
          />
        </Input.Wrapper>
        <NativeSelect
          label="Width"
          data={widthChoices(fields.print_width)}
          value={fields.print_width ?? ''}
          onChange={({ currentTarget: { value } }) => change({ print_width: value ? Number(value) : null })}
        />
        {hasCover && (
          <Switch
            label="Cover picture"
            description="Printed above the title."
            checked={fields.print_cover}
            onChange={({ currentTarget }) => change({ print_cover: currentTarget.checked })}
          />
        )}
        <TextInput
          label="Header"
          maxLength={200}
          value={fields.header_text}
          onChange={({ currentTarget }) => change({ header_text: currentTarget.value })}
        />
        <Switch
          label="Date in the header"
          checked={fields.header_date}
          onChange={({ currentTarget }) => change({ header_date: currentTarget.checked })}
        />
        <TextInput
          label="Footer"
          maxLength={200}
          value={fields.footer_text}
          onChange={({ currentTarget }) => change({ footer_text: currentTarget.value })}
        />
        <CellChoice cells={cells} chosen={fields.cell_ids} onChange={(cell_ids) => change({ cell_ids })} />
      </Stack>
    </Panel>
  );
}

interface CellChoiceProps {
  cells: PrintableCell[];
  chosen: string[] | null;
  onChange(chosen: string[] | null): void;
}

function CellChoice({ cells, chosen, onChange }: CellChoiceProps) {
  const choose = (id: string, isChosen: boolean) => {
    const before = new Set(chosen ?? cells.map((cell) => cell.id));
    if (isChosen) before.add(id);
    else before.delete(id);
    onChange(cells.map((cell) => cell.id).filter((each) => before.has(each)));
  };
  return (
    <Stack gap="xs">
      <Switch
        label="All cells"
        description="Turn off to choose which cells are printed."
        checked={chosen === null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : cells.map(({ id }) => id))}
      />
      {chosen !== null && (
        <ul className={classes.cells} aria-label="Cells to print">
          {cells.map(({ id, line, isCode }) => (
            <li key={id}>
              <Checkbox
                size="xs"
                checked={chosen.includes(id)}
                label={<span data-code={isCode || undefined}>{line}</span>}
                onChange={({ currentTarget }) => choose(id, currentTarget.checked)}
              />
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
