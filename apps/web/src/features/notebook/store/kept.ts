import type { CellType, Operation } from '@atoll/contract';
import type { NotebookDocument, Pending } from './document.ts';
import type { Hub } from './hub.ts';

/** A text that was written here and refused by the server, kept so that it is not lost. */
export interface KeptText {
  cellId: string;
  type: CellType;
  over: string;
  text: string;
  why: string;
}

/** State that is stored only in this browser. */
export interface Unsent {
  items: { operations: Operation[]; over: [string, string][]; typedIn: string | null }[];
  kept: KeptText[];
}

export const mayNotWrite = 'You can no longer edit this notebook.';

/** Returns the texts that people have written, from operations. */
export const textsIn = (operations: Operation[]): { cellId: string; type: CellType | null; text: string }[] =>
  operations.flatMap((each) => {
    if (each.op === 'insert_cell') return { cellId: each.cell.id, type: each.cell.type, text: each.cell.source };
    return each.op === 'update_cell_source' ? { cellId: each.cell_id, type: null, text: each.source } : [];
  });

export class KeptTexts {
  private kept: KeptText[] = [];
  private readonly hub: Hub;
  private readonly document: NotebookDocument;

  constructor(hub: Hub, document: NotebookDocument) {
    this.hub = hub;
    this.document = document;
  }

  get = (): KeptText[] => this.kept;

  add(kept: KeptText[]): void {
    this.kept = [...this.kept, ...kept];
    this.hub.emit('kept');
  }

  keep({ operations, over }: Pick<Pending, 'operations' | 'over'>, why: string): void {
    for (const { cellId, type, text } of textsIn(operations)) {
      const known = type ?? this.document.getCell(cellId)?.type ?? 'code';
      this.keepText({ cellId, type: known, over: over.get(cellId) ?? '', text, why });
    }
    this.hub.emit('kept');
  }

  private keepText(each: KeptText): void {
    if (each.text.trim() === '' || this.document.sourceThere(each.cellId) === each.text) return;
    // A later text that was typed over this one replaces it.
    const before = this.kept.find(({ cellId, text }) => cellId === each.cellId && text === each.over);
    const over = before?.over ?? each.over;
    this.kept = [...this.kept.filter((other) => other !== before), { ...each, over }];
  }

  forget = (kept: KeptText): void => {
    this.kept = this.kept.filter((each) => each !== kept);
    this.hub.emit('kept');
    this.hub.options.onUnsent?.();
  };
}
