import type { Panel } from '../ui-state.ts';
import { BinPanel } from './bin-panel.tsx';
import { CommentsBeside } from './comments-beside.tsx';
import { FindPanel } from './find-panel.tsx';
import { OutlinePanel } from './outline-panel.tsx';
import { QueuePanel } from './queue-panel.tsx';
import { SnippetsPanel } from './snippets-panel.tsx';
import { VariablesPanel } from './variables-panel.tsx';

/** What can be open beside the cells. */
export function SidePanels({ panel }: { panel: Panel }) {
  if (panel === 'outline') return <OutlinePanel />;
  if (panel === 'variables') return <VariablesPanel />;
  if (panel === 'find') return <FindPanel />;
  if (panel === 'queue') return <QueuePanel />;
  if (panel === 'snippets') return <SnippetsPanel />;
  if (panel === 'comments') return <CommentsBeside />;
  return <BinPanel />;
}
