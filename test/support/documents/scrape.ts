import type { Metrics } from '../../../src/adapters/prometheus/metrics.js'

/** By name and labels, exactly as printed. */
export type Series = Readonly<Record<string, number>>

export const seriesIn = (text: string): Series =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))]
      }),
  )

export const scrape = async (metrics: Metrics): Promise<Series> => seriesIn((await metrics.render()).text)
