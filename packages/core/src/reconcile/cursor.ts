import { isObject } from '../schema/readers.js'

/** Keeps how far a reconciler has come, so that a restart does not go through everything again. Any text is kept as it is. */
export interface ReconcileCursor {
  load(): Promise<string | null | undefined>
  save(text: string): Promise<void>
}

/** How far a reconciler has come. */
export interface Progress {
  /** The receiver that it is the progress of. */
  receiver?: string | undefined
  /** The chain has been gone through up to here, Unix seconds. */
  scannedTo?: number | undefined
  /** How much of it at once, seconds: less where a run's time was over before. */
  windowSeconds?: number | undefined
  /** When it began to go through everything since the oldest open order. */
  fullAtMs?: number | undefined
  /** The order that was looked up by itself last: when it was created, and its reference. */
  lookedUp?: readonly [createdMs: number, reference: string] | undefined
}

/** Forgets everything when the process ends. */
export function memoryCursor(): ReconcileCursor {
  let text: string | undefined
  return {
    load: async () => text,
    save: async (given) => {
      text = given
    },
  }
}

/** What cannot be read is taken for nothing: the next run goes through everything. */
export function readProgress(text: string | null | undefined): Progress {
  let read: unknown
  try {
    read = JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
  if (!isObject(read)) return {}
  const { receiver, scannedTo, windowSeconds, fullAtMs, lookedUp } = read
  const [createdMs, reference]: unknown[] = Array.isArray(lookedUp) ? lookedUp : []
  const isPlace = typeof createdMs === 'number' && typeof reference === 'string'
  return {
    receiver: typeof receiver === 'string' ? receiver : undefined,
    scannedTo: numberOf(scannedTo),
    windowSeconds: numberOf(windowSeconds),
    fullAtMs: numberOf(fullAtMs),
    lookedUp: isPlace ? [createdMs, reference] : undefined,
  }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
