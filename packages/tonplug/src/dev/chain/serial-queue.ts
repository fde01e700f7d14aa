/** Runs tasks one after the other. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>

/** Creates an empty queue. A failed task does not stop the later ones. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const next = last.then(task, task)
    last = next.catch(() => undefined)
    return next
  }
}
