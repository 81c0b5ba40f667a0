import { personName } from '@atoll/contract/users/names';
import './people.css';
import {
  type EditorState,
  type Extension,
  type Range,
  RangeSet,
  StateEffect,
  StateField,
  Transaction,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, WidgetType } from '@codemirror/view';
import type { Lobby } from './lobby.ts';
import type { Person } from './people.ts';
import classes from './share-cursors.module.css';

const show = StateEffect.define<DecorationSet>();

/** Until the next place arrives, typing here moves the cursors of others along. */
const shown = StateField.define<DecorationSet>({
  create: () => RangeSet.empty,
  update(marks, transaction) {
    const news = transaction.effects.find((effect) => effect.is(show));
    return news ? (news.value as DecorationSet) : marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows the cursors of others in this file, or in this cell of it, and sends them this person's cursor. */
export const shareCursors = (lobby: Lobby, fileId: string, cellId: string | null = null): Extension => [
  shown,
  ViewPlugin.define((view) => {
    let isGone = false;
    const draw = () => {
      if (!isGone) view.dispatch({ effects: show.of(marksOf(lobby.getPeople(), fileId, cellId, view.state)) });
    };
    // An editor cannot be changed while it is created.
    queueMicrotask(draw);
    const stop = lobby.subscribe(draw);
    return {
      update(update: ViewUpdate) {
        // A cursor arrives before the text that was typed at it. It is placed in the new text, because in the old one it
        // would have moved along.
        if (update.transactions.some((each) => each.docChanged && each.annotation(Transaction.remote)))
          queueMicrotask(draw);
        if (update.focusChanged || (update.selectionSet && update.view.hasFocus)) tell(lobby, update);
      },
      destroy() {
        isGone = true;
        stop();
      },
    };
  }),
];

function tell(lobby: Lobby, { state, view }: ViewUpdate): void {
  if (!view.hasFocus) return;
  const { head, anchor } = state.selection.main;
  const [at, from] = [state.doc.lineAt(head), state.doc.lineAt(anchor)];
  lobby.move({ line: at.number, column: head - at.from, anchor_line: from.number, anchor_column: anchor - from.from });
}

function marksOf(people: Person[], fileId: string, cellId: string | null, state: EditorState): DecorationSet {
  const marks = people.flatMap((person) =>
    person.places
      .filter((place) => place.file_id === fileId && place.cell_id === cellId && place.cursor)
      .flatMap(({ cursor }): Range<Decoration>[] => {
        if (!cursor) return [];
        const head = offsetOf(state, cursor.line, cursor.column);
        const anchor = offsetOf(state, cursor.anchor_line, cursor.anchor_column);
        const style = `--colour: var(--person-${person.colour})`;
        const flag = Decoration.widget({ widget: new Flag(person, head), side: head >= anchor ? 1 : -1 }).range(head);
        if (head === anchor) return [flag];
        const selection = Decoration.mark({ class: classes.selection, attributes: { style } });
        return [selection.range(Math.min(head, anchor), Math.max(head, anchor)), flag];
      }),
  );
  return Decoration.set(marks, true);
}

/** The text of the other person may be longer than the one shown here now. */
function offsetOf({ doc }: EditorState, line: number, column: number): number {
  const found = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(found.from + column, found.to);
}

class Flag extends WidgetType {
  private readonly person: Person;
  private readonly at: number;

  constructor(person: Person, at: number) {
    super();
    this.person = person;
    this.at = at;
  }

  /** A flag at another place is drawn again, and shows the name for a while. */
  override eq({ person, at }: Flag): boolean {
    return person.user.id === this.person.user.id && person.colour === this.person.colour && at === this.at;
  }

  override toDOM(): HTMLElement {
    const caret = document.createElement('span');
    caret.className = classes.caret ?? '';
    caret.style.setProperty('--colour', `var(--person-${this.person.colour})`);
    caret.setAttribute('aria-hidden', 'true');
    const name = document.createElement('span');
    name.className = classes.name ?? '';
    name.textContent = personName(this.person.user);
    caret.append(name);
    return caret;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
