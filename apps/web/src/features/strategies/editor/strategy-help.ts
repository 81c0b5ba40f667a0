import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { EditorState, type Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { type ApiEntry, inPython, strategyApi } from './api.ts';
import classes from './strategy-help.module.css';

const afterDot = new Set<ApiEntry['of']>(['context', 'market', 'bars', 'series']);

function wordsOf({ call, text, name }: ApiEntry): HTMLElement {
  const box = document.createElement('div');
  box.className = classes.help ?? '';
  const code = document.createElement('code');
  code.textContent = name + call;
  const words = document.createElement('p');
  words.textContent = text;
  box.append(code, words);
  return box;
}

/** Completion and documentation of what strategies are written against. */
export function strategyHelp(isPython: boolean): Extension {
  const entries = isPython ? strategyApi.map(inPython) : strategyApi;
  const optionOf = (entry: ApiEntry): Completion => ({
    label: entry.name,
    type: entry.call ? 'function' : entry.of === 'option' ? 'property' : 'variable',
    detail: entry.call,
    info: () => wordsOf(entry),
  });
  const members = entries.filter(({ of }) => afterDot.has(of)).map(optionOf);
  const names = entries.filter(({ of }) => !afterDot.has(of) || of === 'context').map(optionOf);
  const complete = (context: CompletionContext): CompletionResult | null => {
    const member = context.matchBefore(/\.\w*$/);
    if (member) return { from: member.from + 1, options: members, validFor: /^\w*$/ };
    const word = context.matchBefore(/\w+$/);
    if (!word && !context.explicit) return null;
    return { from: word?.from ?? context.pos, options: names, validFor: /^\w*$/ };
  };
  const byName = new Map(entries.toReversed().map((entry) => [entry.name, entry]));
  return [
    EditorState.languageData.of(() => [{ autocomplete: complete }]),
    hoverTooltip((view, position) => {
      const word = view.state.wordAt(position);
      const entry = word && byName.get(view.state.sliceDoc(word.from, word.to));
      if (!word || !entry) return null;
      return { pos: word.from, end: word.to, above: true, create: () => ({ dom: wordsOf(entry) }) };
    }),
  ];
}
