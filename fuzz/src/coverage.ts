import { Session } from 'node:inspector/promises'

/** A piece of the packages' sources, and how often it was run. */
export interface Block {
  place: string
  count: number
}

/** Counts what runs of the packages' sources, by V8's own means. */
export interface Coverage {
  /** What has run since this was called last. */
  take: () => Promise<Block[]>
  stop: () => void
}

export async function startCoverage(): Promise<Coverage> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return {
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const blocks: Block[] = []
      for (const { url, functions } of result) {
        if (!/\/packages\/core\/(src|dist)\//.test(url)) continue
        for (const { ranges } of functions) {
          for (const { startOffset, endOffset, count } of ranges) {
            if (count > 0) blocks.push({ place: `${url}:${startOffset}-${endOffset}`, count })
          }
        }
      }
      return blocks
    },
    stop: () => session.disconnect(),
  }
}
