/** Runs the calls of each key one after another. */
export type SerialQueue = <Result>(work: () => Promise<Result>, key?: string) => Promise<Result>

/** Creates an empty queue. */
export function createSerialQueue(): SerialQueue {
  const last = new Map<string, Promise<unknown>>()
  return (work, key = '') => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work)
    const ended = turn.catch(() => undefined)
    last.set(key, ended)
    return turn
  }
}
