import type { CellType, DocumentCell } from '@atoll/contract';
import { runs } from '@atoll/notebook';
import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import {
  IconArrowBarToUp,
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconChevronDown,
  IconCopy,
  IconDownload,
  IconEraser,
  IconEye,
  IconEyeOff,
  IconLink,
  IconListNumbers,
  IconMessage,
  IconPalette,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DotsMenu } from '../../../ui/buttons/dots-menu.tsx';
import { toast, toastError } from '../../../ui/toast.ts';
import { EmbedItem } from '../../embeds/embed-item.tsx';
import { projectQuery } from '../../projects/queries.ts';
import { duplicate, move, remove, setType, toggleCollapsed } from '../actions.ts';
import { downloadOutput } from '../export.ts';
import { formatsOf } from '../export-formats.ts';
import { isCollapsed, themeOf } from '../model.ts';
import { useCellState, useNotebook, useNotebookMode, usePointed, useQueued, useShown } from '../notebook-context.tsx';
import classes from './cell.module.css';
import { useCellParts } from './use-cell-parts.ts';

const kinds: [CellType, string, string][] = [
  ['code', 'Code', 'Y'],
  ['markdown', 'Text', 'M'],
  ['sql', 'SQL', ''],
  ['input', 'Input', ''],
  ['raw', 'Raw', 'R'],
];

export const cellThemes: [string | null, string][] = [
  [null, 'Plain'],
  ['note', 'Note'],
  ['good', 'Good'],
  ['warning', 'Warning'],
  ['danger', 'Danger'],
];

const icon = { size: 15, stroke: 1.6 };

/** The actions of one cell. Only the hovered or active cell has them, because drawing two menus at each key is slow. */
export function CellTools({ id, cell, number }: { id: string; cell: DocumentCell; number: number }) {
  const { store, ui, projectId } = useNotebook();
  const mode = useNotebookMode();
  const isPointed = usePointed(id);
  const { isActive } = useCellState(id);
  const [isOpen, setOpen] = useState(false);
  const acting = { store, ui };
  const ids = () => {
    const selection = ui.getSelection();
    return selection.includes(id) ? selection : [id];
  };
  if (mode !== 'edit' || !(isPointed || isActive || isOpen)) return null;
  const isSourceHidden = isCollapsed(cell, 'source');
  const areOutputsHidden = isCollapsed(cell, 'outputs');
  return (
    <div className={classes.tools} data-open={isOpen || undefined}>
      <Menu position="bottom-end" onChange={setOpen} onClose={ui.focusActive} width={160}>
        <Menu.Target>
          <UnstyledButton className={classes.kind} aria-label={`Type of cell ${number}`}>
            {kinds.find(([type]) => type === cell.type)?.[1]} <IconChevronDown size={11} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {kinds.map(([type, label, key]) => (
            <Menu.Item key={type} rightSection={key} onClick={() => setType(acting, type, ids())}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {cell.type === 'markdown' && <WriteOrRead id={id} number={number} />}
      {runs(cell.type) && <AddedParts id={id} number={number} />}
      <ActionIcon size={24} aria-label={`Move cell ${number} up`} onClick={() => move(acting, -1, ids())}>
        <IconArrowUp {...icon} />
      </ActionIcon>
      <ActionIcon size={24} aria-label={`Move cell ${number} down`} onClick={() => move(acting, 1, ids())}>
        <IconArrowDown {...icon} />
      </ActionIcon>
      <ActionIcon size={24} aria-label={`Comment on cell ${number}`} onClick={() => ui.commentOn(id)}>
        <IconMessage {...icon} />
      </ActionIcon>
      <DotsMenu label={`Menu of cell ${number}`} icon={icon} onChange={setOpen} onClose={ui.focusActive} width={220}>
        <RunNext id={id} />
        <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => duplicate(acting, id)}>
          Duplicate
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLink {...icon} />}
          onClick={() => {
            const url = new URL(location.href);
            url.hash = `cell=${id}`;
            void navigator.clipboard?.writeText(url.href).then(() => toast('Link copied.'));
          }}
        >
          Copy link to cell
        </Menu.Item>
        <EmbedItem projectId={projectId} onClick={() => ui.showEmbed({ cellId: id })} />
        <Menu.Divider />
        <Menu.Item
          leftSection={isSourceHidden ? <IconEye {...icon} /> : <IconEyeOff {...icon} />}
          onClick={() => toggleCollapsed(acting, 'source', ids())}
        >
          {isSourceHidden ? 'Show source' : 'Collapse source'}
        </Menu.Item>
        <Menu.Item
          leftSection={areOutputsHidden ? <IconEye {...icon} /> : <IconEyeOff {...icon} />}
          rightSection="O"
          onClick={() => toggleCollapsed(acting, 'outputs', ids())}
        >
          {areOutputsHidden ? 'Show output' : 'Collapse output'}
        </Menu.Item>
        <Menu.Item leftSection={<IconListNumbers {...icon} />} rightSection="L" onClick={() => ui.toggleNumbers(id)}>
          Line numbers
        </Menu.Item>
        <Menu.Item
          leftSection={<IconEraser {...icon} />}
          onClick={() => store.edit(ids().map((cell_id) => ({ op: 'clear_cell_output', cell_id })))}
        >
          Clear output
        </Menu.Item>
        <DownloadOutput id={id} />
        <Menu.Sub position="left-start">
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<IconPalette {...icon} />}>Colour</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            {cellThemes.map(([theme, label]) => (
              <Menu.Item
                key={label}
                fw={themeOf(cell) === theme ? 600 : undefined}
                onClick={() =>
                  store.edit(
                    ids().map((cell_id) => ({
                      op: 'update_cell_metadata',
                      cell_id,
                      metadata: { atoll: { theme } },
                    })),
                  )
                }
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <Menu.Divider />
        <Menu.Item
          color="danger"
          leftSection={<IconTrash {...icon} />}
          rightSection="D D"
          onClick={() => remove(acting, ids())}
        >
          Delete
        </Menu.Item>
      </DotsMenu>
    </div>
  );
}

function DownloadOutput({ id }: { id: string }) {
  const notebook = useNotebook();
  const { outputs } = useShown(id);
  const { data: project } = useQuery(projectQuery(notebook.projectId));
  const formats = project?.permissions.includes('export_data') ? formatsOf(outputs) : [];
  if (formats.length === 0) return null;
  return (
    <Menu.Sub position="left-start">
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconDownload {...icon} />}>Download output</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        {formats.map(({ format, label }) => (
          <Menu.Item
            key={format}
            onClick={() =>
              downloadOutput(notebook, id, format).catch((error: unknown) => toastError(error, 'Download failed'))
            }
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}

/** Switches between writing and reading, for people without a keyboard or a double click. */
function WriteOrRead({ id, number }: { id: string; number: number }) {
  const { ui } = useNotebook();
  const { isOpen } = useCellState(id);
  const read = () => {
    ui.closeText(id);
    ui.focus(id);
  };
  return isOpen ? (
    <ActionIcon size={24} aria-label={`Finish editing cell ${number}`} onClick={read}>
      <IconCheck {...icon} />
    </ActionIcon>
  ) : (
    <ActionIcon size={24} aria-label={`Edit cell ${number}`} onClick={() => ui.focus(id, 'edit', { cursor: 'end' })}>
      <IconPencil {...icon} />
    </ActionIcon>
  );
}

function RunNext({ id }: { id: string }) {
  const { store } = useNotebook();
  const { entry } = useQueued(id);
  if (entry?.state !== 'waiting') return null;
  return (
    <Menu.Item leftSection={<IconArrowBarToUp {...icon} />} onClick={() => void store.moveQueued(entry.id, null)}>
      Run next
    </Menu.Item>
  );
}

/** Opens what other features show in the cell. */
function AddedParts({ id, number }: { id: string; number: number }) {
  const { ui } = useNotebook();
  return useCellParts().map(({ id: partId, label, icon: PartIcon }) => (
    <ActionIcon
      key={partId}
      size={24}
      aria-label={`${label}, cell ${number}`}
      onClick={() => ui.showCellPart(id, ui.cellPartOf(id) === partId ? null : partId)}
    >
      <PartIcon {...icon} />
    </ActionIcon>
  ));
}
