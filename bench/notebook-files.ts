/** A notebook as people have them: code with what it printed, some text, a table now and then. */
export function notebookOf(count: number): string {
  const cells = Array.from({ length: count }, (_, index) => {
    const id = `c${index}`;
    if (index % 10 === 9) {
      const source = `## Part ${index}\n\nSome words about what comes next, with **weight** and a list:\n\n- one\n- two`;
      return { cell_type: 'markdown', id, metadata: {}, source: lines(source) };
    }
    const table = `<table><tr><th>n</th><th>value</th></tr>${'<tr><td>1</td><td>2.5</td></tr>'.repeat(8)}</table>`;
    const outputs =
      index % 20 === 5
        ? [{ data: { 'text/html': [table], 'text/plain': ['table'] }, metadata: {}, output_type: 'display_data' }]
        : [{ name: 'stdout', output_type: 'stream', text: lines(`line one of ${index}\nline two\nline three\n`) }];
    const source = `x${index} = ${index}\nfor i in range(3):\n    print("value", i, x${index})`;
    return { cell_type: 'code', execution_count: index, id, metadata: {}, outputs, source: lines(source) };
  });
  const metadata = { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } };
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1);
}

const lines = (text: string) => text.split(/(?<=\n)/);
