import type { KillPoint } from './hold-stores.js'

/** The only argument of a shop's process, as JSON. */
export interface ShopProcessOptions {
  /** Where PGlite keeps the shop's files. */
  folder: string
  secret: string
  /** 0 for any free one. */
  port: number
  /** How far its clock is ahead of the machine's. */
  aheadMs: number
  /** Where it stops and waits for its end; absent, it does not. */
  holdAt?: KillPoint
}

/** What a shop's process tells its parent. It is told a reference when it is to close. */
export type ShopProcessMessage =
  | { kind: 'open'; url: string }
  | { kind: 'held' }
  | { kind: 'decision'; decision: string }
  | { kind: 'handler'; handler: string }
  | { kind: 'shipped' }
  | { kind: 'closed'; order: string }
