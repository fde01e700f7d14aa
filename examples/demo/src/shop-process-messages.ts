import type { KillPoint } from './stop-stores.js'

/** The only argument of a shop's process, as JSON. */
export interface ShopProcessOptions {
  /** The folder in which PGlite stores the shop's files. */
  folder: string
  secret: string
  /** 0 for any free port. */
  port: number
  /** The point at which it stops until it is killed; absent: never. */
  stopAt?: KillPoint
}

/** Messages of a shop's process to its parent. The parent sends a reference to shut it down. */
export type ShopProcessMessage =
  | { kind: 'open'; url: string }
  | { kind: 'stopped' }
  | { kind: 'decision'; decision: string }
  | { kind: 'handler'; handler: string }
  | { kind: 'shipped' }
  | { kind: 'closed'; order: string }
