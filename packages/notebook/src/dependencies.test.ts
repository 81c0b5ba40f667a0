import { describe, expect, test } from 'vitest';
import { dependenciesOf, dependentCells } from './dependencies.ts';

const cells = (...sources: string[]) => [
  { id: 'input', type: 'input' as const, source: 'port = "Oslo"', metadata: {} },
  ...sources.map((source, index) => ({ id: String(index), type: 'code' as const, source, metadata: {} })),
];
const dependent = (...sources: string[]) => dependentCells(cells(...sources), 'input', 'port');

describe('What depends on an input', () => {
  test.each([
    ['a table that gets a column', 'df["p"] = port', 'df.plot()'],
    ['a part of one', 'df.loc[df["a"] == 1, "b"] = port', 'df'],
    ['a list that something is put into', 'found.append(port)', 'print(found)'],
    ['what is set under a condition', 'if port:\n    tide = 1', 'tide'],
    ['several names', 'a, b = port, 1', 'b'],
    ['a chain of names', 'a = b = port', 'b'],
    ['a second statement', 'x = 1; tide = port', 'tide'],
    ['what is added to', 'total //= port', 'total'],
    ['a function', 'def tide():\n    return port', 'tide()'],
    ['an open file', 'with open(port) as file: pass', 'file.name'],
    ['what is named in passing', 'if (tide := port): pass', 'tide'],
  ])('is %s', (_what, first, second) => expect(dependent(first, second)).toEqual(['0', '1']));

  test('is not what has nothing to do with it', () => {
    expect(dependent('x = port', 'other = 5', 'print(x)')).toEqual(['0', '2']);
    const draw = 'import matplotlib.pyplot as plt, numpy\nplt.plot(port)\nnumpy.sum(port)';
    expect(dependent(draw, 'plt.plot(other)', 'numpy.sum(1)')).toEqual(['0']);
  });

  test('is a query that asks for it, and what its result goes into', () => {
    const query = (id: string, source: string, variable: string) => ({
      id,
      type: 'sql' as const,
      source,
      metadata: { atoll: { type: 'sql', variable } },
    });
    const queries = [
      query('asks', "from 'ports.csv'\nwhere name = $port", 'found'),
      query('uses', 'select count(*) from\nfound', 'total'),
      query('apart', "from 'ports.csv'", 'all'),
    ];
    expect(dependentCells([...cells(), ...queries], 'input', 'port')).toEqual(['asks', 'uses']);
  });
});

describe('Dependencies', () => {
  const links = (...sources: string[]) =>
    dependenciesOf(
      sources.map((source, index) => ({ id: String(index), type: 'code' as const, source, metadata: {} })),
    ).map(({ from, to, names }) => `${from}>${to} ${names.join(',')}`);

  test('lead from the last cell that set a name to those that use it', () => {
    expect(links('x = 1', 'y = x + 1', 'x = 5', 'print(x, y)')).toEqual(['0>1 x', '2>3 x', '1>3 y']);
    expect(links('import numpy as np', 'a = np.zeros(3)', 'a[0] = 1', 'total = 0', 'total += a.sum()')).toEqual([
      '0>1 np',
      '1>2 a',
      '3>4 total',
      '2>4 a',
    ]);
    expect(links('def tide(n):\n    return n', 'tide(3)')).toEqual(['0>1 tide']);
  });

  test('are not made of text, remarks, parts and parameters of the same name', () => {
    expect(links('x = 1', `# x\nprint("x", 'x')`, 'other.x', 'draw(x=3)', '"""x\nx"""')).toEqual([]);
    expect(links('x = 1', 'print(f"{x}")')).toEqual(['0>1 x']);
  });

  test('come from inputs and lead to and from queries', () => {
    const cell = (id: string, type: 'code' | 'input' | 'sql', source: string, metadata = {}) => ({
      ...{ id, type, source, metadata },
    });
    const cells = [
      cell('in', 'input', 'months = 3'),
      cell('a', 'code', 'sales = read(months)'),
      cell('q', 'sql', 'select * from sales', { atoll: { variable: 'top' } }),
      cell('b', 'code', 'top'),
    ];
    expect(dependenciesOf(cells).map(({ from, to }) => `${from}>${to}`)).toEqual(['in>a', 'a>q', 'q>b']);
  });
});
