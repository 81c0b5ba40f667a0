import { boardColours, shapes } from '@atoll/notebook';
import { ActionIcon, UnstyledButton } from '@mantine/core';
import {
  IconAdjustmentsHorizontal,
  IconArrowUpRight,
  IconCode,
  IconDatabase,
  IconFrame,
  IconHandStop,
  IconLetterT,
  IconMarkdown,
  IconMessage,
  IconNote,
  IconPencil,
  IconPhoto,
  IconPointer,
  IconSquare,
} from '@tabler/icons-react';
import { useRef } from 'react';
import { IconButton } from '../../../../ui/buttons/icon-button.tsx';
import { useNotebookMode, useSignal } from '../../../notebook/notebook-context.tsx';
import { takePictures } from '../../pictures.ts';
import { keyOfTool, type Tool } from '../../tools.ts';
import { useBoard } from '../board-context.tsx';
import classes from './panels.module.css';
import { shapeIcons, shapeWords } from './selection-bar.tsx';

const groups: { tool: Tool; label: string; icon: typeof IconPointer }[][] = [
  [
    { tool: 'select', label: 'Select', icon: IconPointer },
    { tool: 'hand', label: 'Pan', icon: IconHandStop },
  ],
  [
    { tool: 'code', label: 'Code', icon: IconCode },
    { tool: 'markdown', label: 'Text cell', icon: IconMarkdown },
    { tool: 'sql', label: 'SQL', icon: IconDatabase },
    { tool: 'input', label: 'Input', icon: IconAdjustmentsHorizontal },
  ],
  [
    { tool: 'sticky', label: 'Sticky note', icon: IconNote },
    { tool: 'text', label: 'Text', icon: IconLetterT },
    { tool: 'shape', label: 'Shape', icon: IconSquare },
    { tool: 'arrow', label: 'Arrow', icon: IconArrowUpRight },
    { tool: 'draw', label: 'Draw', icon: IconPencil },
    { tool: 'frame', label: 'Frame', icon: IconFrame },
    { tool: 'comment', label: 'Comment', icon: IconMessage },
  ],
];

/** The things that can be put on the board. */
export function Palette() {
  const board = useBoard();
  const mode = useNotebookMode();
  const tool = useSignal(board, 'tool', board.getTool);
  const picture = useRef<HTMLInputElement>(null);
  if (mode !== 'edit') return null;
  return (
    <div className={classes.palette} role="toolbar" aria-label="Tools" data-no-board>
      {groups.map((group) => (
        <div key={group[0]?.tool} className={classes.paletteGroup}>
          {group.map(({ tool: each, label, icon: Icon }) => (
            <IconButton
              key={each}
              label={label}
              tip={`${label} (${keyOfTool[each]})`}
              openDelay={300}
              size={36}
              isPressed={tool === each}
              onClick={() => {
                board.use(tool === each ? 'select' : each);
                board.focusBoard();
              }}
            >
              <Icon size={19} stroke={1.6} />
            </IconButton>
          ))}
          {group[0]?.tool === 'sticky' && (
            <IconButton label="Picture" openDelay={300} size={36} onClick={() => picture.current?.click()}>
              <IconPhoto size={19} stroke={1.6} />
            </IconButton>
          )}
        </div>
      ))}
      <input
        ref={picture}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        hidden
        aria-label="Picture file"
        onChange={({ currentTarget }) => {
          void takePictures(board, [...(currentTarget.files ?? [])], null);
          currentTarget.value = '';
        }}
      />
      {(tool === 'draw' || tool === 'shape') && <Options tool={tool} />}
    </div>
  );
}

/** The colour and shape of the next line or shape. */
function Options({ tool }: { tool: 'draw' | 'shape' }) {
  const board = useBoard();
  const ink = useSignal(board, 'tool', board.getInk);
  const shape = useSignal(board, 'tool', board.getShape);
  return (
    <div
      className={classes.options}
      role="toolbar"
      aria-label={tool === 'draw' ? 'Colour of the line' : 'Kind of shape'}
    >
      {tool === 'draw'
        ? boardColours.map((colour) => (
            <UnstyledButton
              key={colour}
              className={classes.swatch}
              data-colour={colour}
              aria-label={colour}
              aria-pressed={ink === colour}
              onClick={() => board.prepare({ ink: colour })}
            />
          ))
        : shapes.map((each) => {
            const Icon = shapeIcons[each];
            return (
              <ActionIcon
                key={each}
                size={30}
                variant={shape === each ? 'light' : 'subtle'}
                aria-label={shapeWords[each]}
                aria-pressed={shape === each}
                onClick={() => board.prepare({ shape: each })}
              >
                <Icon size={17} stroke={1.6} />
              </ActionIcon>
            );
          })}
    </div>
  );
}
