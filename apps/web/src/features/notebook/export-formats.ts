/** What the server writes a notebook as. */
export const exportFormats = [
  { format: 'ipynb', label: 'Notebook (.ipynb)' },
  { format: 'py', label: 'Python script (.py)' },
  { format: 'md', label: 'Markdown (.md)' },
  { format: 'html', label: 'Web page (.html)' },
] as const;
