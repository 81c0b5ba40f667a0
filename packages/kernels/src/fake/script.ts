/** The small part of Python that the fake kernel understands: enough for the test suites of code that uses kernels. */
export type Step =
  | { does: 'print'; text: string; to: 'stdout' | 'stderr' }
  | { does: 'display'; text: string }
  | { does: 'result'; text: string }
  | { does: 'assign'; name: string; value: string }
  | { does: 'add'; name: string; value: number }
  | { does: 'read'; name: string }
  | { does: 'fail'; name: string; value: string }
  | { does: 'input'; name: string; prompt: string }
  | { does: 'sleep'; seconds: number }
  | { does: 'loop' }
  | { does: 'exit'; code: number }
  | { does: 'crash' }
  | { does: 'echo'; text: string };

type Reading = [RegExp, (match: string[]) => Step];

const text = String.raw`"((?:[^"\\]|\\.)*)"`;
const unquoted = (quoted: string | undefined) => JSON.parse(`"${quoted ?? ''}"`) as string;

const readings: Reading[] = [
  [new RegExp(`^print\\(${text}\\)$`), ([, said]) => ({ does: 'print', text: `${unquoted(said)}\n`, to: 'stdout' })],
  [
    new RegExp(`^print\\(${text}, file=sys.stderr\\)$`),
    ([, said]) => ({ does: 'print', text: `${unquoted(said)}\n`, to: 'stderr' }),
  ],
  [new RegExp(`^display\\(${text}\\)$`), ([, shown]) => ({ does: 'display', text: `'${unquoted(shown)}'` })],
  [/^display\("(.)" \* (\d+)\)$/, ([, each = '', count]) => ({ does: 'display', text: each.repeat(Number(count)) })],
  [new RegExp(`^${text}$`), ([, value]) => ({ does: 'result', text: `'${unquoted(value)}'` })],
  [/^(\d+)$/, ([, value = '']) => ({ does: 'result', text: value })],
  [/^(\d+)\+(\d+)$/, ([, one, two]) => ({ does: 'result', text: String(Number(one) + Number(two)) })],
  [/^1\/0$/, () => ({ does: 'fail', name: 'ZeroDivisionError', value: 'division by zero' })],
  [
    new RegExp(`^raise (\\w+)(?:\\(${text}\\))?$`),
    ([, name = '', value]) => ({ does: 'fail', name, value: unquoted(value) }),
  ],
  [
    new RegExp(`^(\\w+) = input\\(${text}\\)$`),
    ([, name = '', prompt]) => ({ does: 'input', name, prompt: unquoted(prompt) }),
  ],
  [/^(\w+) = (\d+)$/, ([, name = '', value = '']) => ({ does: 'assign', name, value })],
  [/^(\w+) \+= (\d+)$/, ([, name = '', value]) => ({ does: 'add', name, value: Number(value) })],
  [/^(?:time\.)?sleep\(([\d.]+)\)$/, ([, seconds]) => ({ does: 'sleep', seconds: Number(seconds) })],
  [/^while True: pass$/, () => ({ does: 'loop' })],
  [/^os\._exit\((\d+)\)$/, ([, code]) => ({ does: 'exit', code: Number(code) })],
  [/^crash$/, () => ({ does: 'crash' })],
  [/^(\w+)$/, ([, name = '']) => ({ does: 'read', name })],
];

function stepOf(line: string): Step {
  for (const [pattern, read] of readings) {
    const match = pattern.exec(line);
    if (match) return read([...match]);
  }
  return { does: 'echo', text: `${line}\n` };
}

/** The only loop is `for i in range(n):` with one indented line that prints i; unknown code is echoed. */
export function stepsOf(code: string): Step[] {
  const unrolled = code.replace(/for i in range\((\d+)\):\n {4}print\(i\)/g, (_, count) =>
    Array.from({ length: Number(count) }, (_each, index) => `print("${index}")`).join('\n'),
  );
  return unrolled
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('import '))
    .map(stepOf);
}
