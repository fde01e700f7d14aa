import type { StreamedEvent } from './trace-update.js'

/** The faults of a simulated stream. Tests set them at any time. */
export interface StreamFaults {
  /** Connections that a key may have; 0 for a key without a plan. @default Infinity */
  maxConnections: number
  /** Addresses of one connection. @default Infinity */
  maxAddresses: number
  /** A connection that has ended counts for so long against `maxConnections`, milliseconds. @default 0 */
  lingerMs: number
  /** Open connections stay open and receive nothing more, neither events nor signs of life. @default false */
  isHalfOpen: boolean
  /** Events that a connection receives before the others are dropped without a sign. @default Infinity */
  dropAfter: number
  /** Returns true for an event that is dropped without a sign. @default none */
  drops: ((event: StreamedEvent) => boolean) | undefined
  /** Number of times that each event is sent. @default 1 */
  repeats: number
  /** Sends the highest finality of a trace first, and lower ones after it. @default false */
  isReversed: boolean
}

export function noFaults(): StreamFaults {
  return {
    maxConnections: Infinity,
    maxAddresses: Infinity,
    lingerMs: 0,
    isHalfOpen: false,
    dropAfter: Infinity,
    drops: undefined,
    repeats: 1,
    isReversed: false,
  }
}
