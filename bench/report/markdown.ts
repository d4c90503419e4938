/** Blank if the figure was not measured. */
export const cell = (value: number): string => (Number.isFinite(value) ? value.toLocaleString('en') : '')

/** Two digits below ten, else one. */
export const ratio = (value: number): string => (Number.isFinite(value) ? value.toFixed(value < 10 ? 2 : 1) : '')

export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

export const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)]
