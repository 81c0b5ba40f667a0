import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

export const showFound = StateEffect.define<{ from: number; to: number } | null>();
const mark = Decoration.mark({ class: 'cm-searchMatch cm-searchMatch-selected' });

/** The place that a search is at just now. */
export const foundMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const news = transaction.effects.find((effect) => effect.is(showFound));
    if (!news) return marks.map(transaction.changes);
    const place = news.value as { from: number; to: number } | null;
    const to = Math.min(place?.to ?? 0, transaction.newDoc.length);
    return place && to > place.from ? Decoration.set([mark.range(place.from, to)]) : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});
