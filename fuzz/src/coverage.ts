import { Session } from 'node:inspector/promises'

/** A block of the packages' sources, and how often it was run. */
export interface Block {
  place: string
  count: number
}

// Code compiled before this has no counters, so this module must be imported before the packages' sources.
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** Returns the blocks of the packages' sources that have run since the last call, according to V8's counters. */
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
