import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionKeymap,
  completionStatus,
  insertCompletionText,
  startCompletion,
} from '@codemirror/autocomplete';
import { type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { type Command, EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from '@codemirror/view';
import { parseAnsi } from '../../outputs/ansi.ts';
import type { NotebookStore } from '../store.ts';
import classes from './code-help.module.css';
import { completionBoost, textPlaceAt, wordCounts } from './completion-rank.ts';

/** Kernels say it in many words. */
const kinds: Record<string, string> = {
  function: 'function',
  instance: 'variable',
  statement: 'variable',
  param: 'property',
  class: 'class',
  module: 'namespace',
  keyword: 'keyword',
  property: 'property',
  path: 'text',
  magic: 'keyword',
};

const coldMs = 700;
const coldTries = 8;

const isAble = (store: NotebookStore): boolean => store.mode !== 'view' && store.kernel.state === 'idle';

/** Completions, signatures and documentation, from the kernel that the notebook has. */
export function codeHelp(store: NotebookStore, typeOf: () => string): Extension {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    if (typeOf() !== 'code' || !isAble(store)) return null;
    const word = context.matchBefore(/[\w.\p{L}]+$/u);
    if (!context.explicit && (!word || /^[\d.]/.test(word.text))) return null;
    const place = textPlaceAt(context.state, context.pos);
    if (place === 'comment' || (place === 'string' && !context.explicit)) return null;
    try {
      const ask = () => store.must().send('get_completions', { code: context.state.sliceDoc(), cursor: context.pos });
      let { matches, from, to } = await ask();
      // A kernel loads its completion engine at the first request and answers nothing yet, so the request is repeated.
      for (let again = 0; context.explicit && matches.length === 0 && again < coldTries && !context.aborted; again++) {
        await new Promise((resolve) => setTimeout(resolve, coldMs));
        ({ matches, from, to } = await ask());
      }
      if (context.aborted || matches.length === 0 || context.view?.hasFocus === false) return null;
      const only = matches.length === 1 && context.explicit && context.view;
      if (only) {
        only.dispatch(insertCompletionText(only.state, matches[0]?.text ?? '', from, to));
        return null;
      }
      const used = wordCounts(store.getOrder().map((id) => store.sourceOf(id)));
      return {
        from,
        to,
        options: matches.map(({ text, type, signature }) => ({
          label: text,
          type: kinds[type ?? ''] ?? 'text',
          boost: completionBoost(text, type, used),
          ...(signature ? { detail: signature } : {}),
        })),
        validFor: /^[\w\p{L}]*$/u,
      };
    } catch {
      return null;
    }
  };
  const explain: Command = (view) => {
    if (typeOf() !== 'code' || !isAble(store)) return false;
    if (!/[\w)(.\]]/.test(view.state.sliceDoc(view.state.selection.main.head - 1, view.state.selection.main.head)))
      return false;
    const pos = view.state.selection.main.head;
    void documentationAt(store, view, pos, 2).then((dom) =>
      view.dispatch({
        effects: showDoc.of({ pos, above: true, create: () => ({ dom: dom ?? said('No documentation found.') }) }),
      }),
    );
    return true;
  };
  return [
    autocompletion({ override: [complete], activateOnTypingDelay: 120, icons: true }),
    docTooltip,
    EditorView.domEventHandlers({
      blur: (_, view) => {
        // Both popups lie over the page and would stay there.
        if (!document.hasFocus()) return;
        closeCompletion(view);
        hideDoc(view);
      },
    }),
    hoverTooltip(
      async (view, pos) => {
        const word = view.state.wordAt(pos);
        if (!word || typeOf() !== 'code' || !isAble(store)) return null;
        const dom = await documentationAt(store, view, word.to);
        return dom && { pos: word.from, end: word.to, above: true, create: () => ({ dom }) };
      },
      { hoverTime: 600 },
    ),
    Prec.high(
      keymap.of([
        {
          key: 'Tab',
          run: (view) => {
            if (completionStatus(view.state) === 'active' && acceptCompletion(view)) return true;
            const { main } = view.state.selection;
            const line = view.state.doc.lineAt(main.head);
            const before = view.state.sliceDoc(line.from, main.head);
            if (!main.empty || !/[\w.]$/.test(before) || typeOf() !== 'code') return false;
            return startCompletion(view);
          },
        },
        { key: 'Shift-Tab', run: explain },
        { key: 'Escape', run: (view) => closeCompletion(view) || hideDoc(view) },
        ...completionKeymap.filter(({ key }) => key !== 'Escape'),
      ]),
    ),
  ];
}

const showDoc = StateEffect.define<Tooltip | null>();
const docTooltip = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, transaction) {
    const news = transaction.effects.find((effect) => effect.is(showDoc));
    if (news) return news.value as Tooltip | null;
    return transaction.docChanged || transaction.selection ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

/** Whether something is open beside the text that takes Escape and Enter first. */
export function isHelpOpenIn(editor: Element): boolean {
  const view = EditorView.findFromDOM(editor as HTMLElement);
  return view !== null && (completionStatus(view.state) === 'active' || view.state.field(docTooltip, false) != null);
}

function hideDoc(view: EditorView): boolean {
  if (!view.state.field(docTooltip, false)) return false;
  view.dispatch({ effects: showDoc.of(null) });
  return true;
}

async function documentationAt(
  store: NotebookStore,
  view: EditorView,
  cursor: number,
  tries = 0,
): Promise<HTMLElement | null> {
  try {
    const code = view.state.sliceDoc();
    const ask = () => store.must().send('get_documentation', { code, cursor, detail: 0 });
    let { data } = await ask();
    for (let again = 0; data === null && again < tries && view.state.sliceDoc() === code; again++) {
      await new Promise((resolve) => setTimeout(resolve, coldMs));
      ({ data } = await ask());
    }
    const text = data?.['text/plain'];
    return typeof text === 'string' && text ? said(text) : null;
  } catch {
    return null;
  }
}

function said(text: string): HTMLElement {
  const box = document.createElement('div');
  box.className = classes.doc ?? '';
  const pre = document.createElement('pre');
  pre.textContent = parseAnsi(text)
    .map((span) => span.text)
    .join('')
    .slice(0, 20_000);
  box.append(pre);
  return box;
}
