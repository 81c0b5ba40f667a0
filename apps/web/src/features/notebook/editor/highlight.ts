import { Language, type LanguageSupport } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { classHighlighter, highlightTree } from '@lezer/highlight';
import { useEffect, useState } from 'react';
import { loadLanguage } from '../../../ui/editor/languages.ts';

export interface Piece {
  text: string;
  className: string;
}

/** Colours are not worth seconds. */
const longest = 60_000;
const loaded = new Map<string, Extension>();
const loading = new Map<string, Promise<Extension>>();

/** The language of a file of this name; at once when it is there already. */
export function useLanguage(name: string): Extension | null {
  const [language, setLanguage] = useState<Extension | null>(() => loaded.get(name) ?? null);
  useEffect(() => {
    let isGone = false;
    const known = loaded.get(name);
    if (known) return setLanguage(known);
    const promise = loading.get(name) ?? loadLanguage(name);
    loading.set(name, promise);
    void promise.then((found) => {
      loaded.set(name, found);
      if (!isGone) setLanguage(found);
    });
    return () => {
      isGone = true;
    };
  }, [name]);
  return language;
}

function parserOf(language: Extension | null): Language['parser'] | null {
  if (language instanceof Language) return language.parser;
  const support = language as LanguageSupport | null;
  return support?.language instanceof Language ? support.language.parser : null;
}

/** A text in pieces of one colour each, as the editor would show it. */
export function highlighted(text: string, language: Extension | null): Piece[] {
  const parser = text.length <= longest ? parserOf(language) : null;
  if (!parser) return text ? [{ text, className: '' }] : [];
  const pieces: Piece[] = [];
  let at = 0;
  highlightTree(parser.parse(text), classHighlighter, (from, to, className) => {
    if (from > at) pieces.push({ text: text.slice(at, from), className: '' });
    pieces.push({ text: text.slice(from, to), className });
    at = to;
  });
  if (at < text.length) pieces.push({ text: text.slice(at), className: '' });
  return pieces;
}
