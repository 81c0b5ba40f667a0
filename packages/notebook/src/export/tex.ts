/** Commands that MathJax supports as Jupyter uses it, and KaTeX does not. */
export const moreMacros: Record<string, string> = {
  '\\mathbbm': '\\mathbb',
  '\\mathds': '\\mathbb',
  '\\textsc': '\\text{#1}',
  '\\mbox': '\\text{#1}',
  '\\ensuremath': '#1',
  '\\hfill': '\\quad',
};

/** The labels of formulas, each with the number beside its formula: `(1)`. */
export type Labels = Map<string, string>;

/** The last definition of a command counts, as in MathJax; KaTeX needs a different command for each case. */
export const plainTex = (tex: string): string =>
  tex
    .replace(/\\require\s*\{[^{}]*\}/g, '')
    .replace(/\\vspace\*?\s*\{[^{}]*\}/g, '')
    .replace(
      /\\(?:re)?newcommand\s*\*?\s*(?:\{\s*(\\(?:[A-Za-z]+|.))\s*\}|(\\[A-Za-z]+))/g,
      (_, braced: string, bare: string) => defined(braced ?? bare),
    )
    .replace(
      /\\DeclareMathOperator\s*(\*?)\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*\{([^{}]*)\}/g,
      (_, star: string, name: string, text: string) => `${defined(name)}{\\operatorname${star}{${text}}}`,
    )
    .replace(/\\(?:begin|end)\s*\{subequations\}/g, '')
    .trim();

const defined = (name: string): string => `\\providecommand{${name}}{}\\renewcommand{${name}}`;

const label = /\\label\s*\{([^{}]*)\}/g;
const reference = /\\(eqref|ref)\s*\{([^{}]*)\}/g;

/** Finds an `\eqref{a}` that stands alone, which becomes a link to its formula. */
export const referenceIn = (tex: string): { isEquation: boolean; label: string } | null => {
  const [, kind, name] = /^\\(eqref|ref)\s*\{([^{}]*)\}$/.exec(tex.trim()) ?? [];
  return name === undefined ? null : { isEquation: kind === 'eqref', label: name };
};

export const withReferences = (tex: string, labels: Pick<Labels, 'get'>): string =>
  tex.replace(reference, (_, kind: string, name: string) => {
    const number = plainNumber(labels.get(name) ?? '???');
    return `\\text{${kind === 'eqref' ? `(${number})` : number}}`;
  });

const plainNumber = (number: string): string => number.replace(/[{}$\\]/g, '');

export const withoutLabels = (tex: string): string => tex.replace(label, '');

/** Environments that number their rows, each with the KaTeX environment that draws the same without numbers. */
const numbered: Record<string, 'aligned' | 'gathered' | ''> = {
  equation: '',
  align: 'aligned',
  flalign: 'aligned',
  alignat: 'aligned',
  eqnarray: 'aligned',
  gather: 'gathered',
  multline: 'gathered',
};

const environment =
  /^\\begin\{(equation|align|flalign|alignat|eqnarray|gather|multline)(\*?)\}(?:\{\d+\})?([\s\S]*)\\end\{\1\2\}$/;

/**
 * Numbers formulas as Jupyter does: rows of AMS environments, and all with a label. Each number is drawn as text beside its
 * row.
 */
export class Numbering {
  readonly labels: Labels = new Map();
  #next = 1;

  /** Returns the formula with its numbers, and the labels that lead to it. */
  number(tex: string): { tex: string; labels: string[] } {
    const labels = [...tex.matchAll(label)].map(([, name = '']) => name);
    const [, name, star, body = ''] = environment.exec(tex) ?? [];
    if (name === undefined) {
      const number = this.#numberOf(tex, false);
      return { tex: tagged(withoutLabels(tex), number), labels };
    }
    const kind = numbered[name];
    const isOne = kind === '' || name === 'multline';
    const rows = isOne ? [body] : rowsIn(name === 'eqnarray' ? withoutSecondMark(body) : body);
    const numbers = rows.map((row) => this.#numberOf(row, star === ''));
    const clean = rows.map((row) => withoutTags(withoutLabels(row)));
    const wrap = (text: string) => (kind ? `\\begin{${kind}}${text}\\end{${kind}}` : text);
    const drawn = numbers.filter((number) => number !== null);
    if (drawn.length < 2 && (rows.length === 1 || drawn.length === 0))
      return { tex: tagged(wrap(clean.join('\\\\')), drawn[0] ?? null), labels };
    const columns = Math.max(...clean.map(marksIn));
    const besides = clean.map((row, index) => {
      const number = numbers[index];
      if (number === null || number === undefined) return row;
      const space = kind === 'aligned' ? '&'.repeat(columns - marksIn(row) + (columns % 2 ? 2 : 1)) : '';
      return `${row}${space}\\qquad\\text{(${number})}`;
    });
    return { tex: wrap(besides.join('\\\\')), labels };
  }

  #numberOf(row: string, isNumbered: boolean): string | null {
    const tag = /\\tag\*?\s*\{([^{}]*)\}/.exec(row)?.[1];
    const names = [...row.matchAll(label)].map(([, name = '']) => name);
    const wants =
      names.length > 0 || (isNumbered && row.trim() !== '' && !/\\(?:notag|nonumber)(?![A-Za-z])/.test(row));
    const number = tag === undefined ? (wants ? String(this.#next++) : null) : plainNumber(tag);
    if (number !== null) for (const name of names) if (!this.labels.has(name)) this.labels.set(name, number);
    return number;
  }
}

const withoutTags = (row: string): string => row.replace(/\\tag\*?\s*\{[^{}]*\}|\\(?:notag|nonumber)(?![A-Za-z])/g, '');

const tagged = (tex: string, number: string | null): string =>
  number === null || /\\tag\*?\s*\{/.test(tex) ? tex : `${tex}\\tag{${number}}`;

/** Finds the marks of a table of formulas outside of groups: ends of rows and marks between columns. */
function* outerMarks(tex: string): Generator<{ mark: '\\\\' | '&'; at: number }> {
  let depth = 0;
  for (const { 0: found, index } of tex.matchAll(/\\\\|\\(?:begin|end)\s*\{[A-Za-z]+\*?\}|\\.|[{}&]/g)) {
    if (found === '{' || found.startsWith('\\begin')) depth++;
    else if (found === '}' || found.startsWith('\\end')) depth--;
    else if (depth === 0 && (found === '\\\\' || found === '&')) yield { mark: found, at: index };
  }
}

function rowsIn(body: string): string[] {
  const rows: string[] = [];
  let from = 0;
  for (const { mark, at } of outerMarks(body)) {
    if (mark !== '\\\\') continue;
    rows.push(body.slice(from, at));
    from = at + 2;
  }
  return [...rows, body.slice(from)].filter((row, index, all) => index < all.length - 1 || row.trim() !== '');
}

const marksIn = (row: string): number => [...outerMarks(row)].length;

/** `a &=& b` has only one alignment point. */
const withoutSecondMark = (body: string): string =>
  rowsIn(body)
    .map((row) => {
      const [, second] = [...outerMarks(row)];
      return second ? row.slice(0, second.at) + row.slice(second.at + 1) : row;
    })
    .join('\\\\');
