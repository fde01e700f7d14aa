import { Session } from 'node:inspector/promises'

/** A piece of the packages' sources, and how often it was run. */
export interface Block {
  place: string
  count: number
}

// What was compiled before this has no counters, so it comes ahead of the packages' sources.
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** What has run of the packages' sources since this was called last, by V8's own counters. */
export async function takeCoverage(): Promise<Block[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const blocks: Block[] = []
  for (const { url, functions } of result) {
    if (!url.includes('/packages/core/src/')) continue
    for (const { ranges } of functions) {
      for (const { startOffset, endOffset, count } of ranges) {
        if (count > 0) blocks.push({ place: `${url}:${startOffset}-${endOffset}`, count })
      }
    }
  }
  return blocks
}
