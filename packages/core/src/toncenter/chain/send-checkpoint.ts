import { isObject } from '../../shared/is-object.js'
import { checkOptions } from '../schema/options.js'
import {
  bocParam,
  hashParam,
  timeParam,
  toBase64Hash,
  type BocLike,
  type HashLike,
  type TimeLike,
} from '../schema/params.js'
import { checkBoc, invalidMessage, normalizedHash } from './normalized-hash.js'
import { waitOptions } from './wait-options.js'

/**
 * A message that may have been sent, as plain JSON. Store it, and continue with it in another process. Its `boc` can be
 * sent by anyone, like the message itself.
 */
export interface SendCheckpoint {
  /** The normalized hash, in base64. */
  hash: string
  /** The message in base64, if known: it can be sent again. */
  boc?: string | undefined
  /** The time until which the contract accepts the message, Unix seconds, if known. */
  validUntil?: number | undefined
}

/**
 * Creates a checkpoint to store before a message is sent, so that another process can continue after a crash.
 * @throws {InvalidParamsError} if the bag of cells is not an external message; {ConfigurationError} for an invalid option.
 * @example
 * ```ts
 * import { createSendCheckpoint, createV2Client, createV3Client, sendAndWait } from '@tonplug/core/toncenter'
 *
 * declare const boc: string
 * declare const validUntil: number
 * declare const store: (checkpoint: object) => Promise<void>
 *
 * await store(await createSendCheckpoint(boc, { validUntil }))
 * await sendAndWait({ v2: createV2Client(), v3: createV3Client() }, boc, { validUntil })
 * ```
 */
export async function createSendCheckpoint(
  boc: BocLike,
  options: { validUntil?: TimeLike | undefined } = {},
): Promise<SendCheckpoint> {
  checkOptions({ validUntil: waitOptions.validUntil }, options)
  const validUntil = readValidUntil(options.validUntil)
  const checkpoint = { hash: await normalizedHash(boc), boc: checkBoc(boc) }
  return validUntil === undefined ? checkpoint : { ...checkpoint, validUntil }
}

/**
 * Returns the checkpoint of a hash or a message, or a stored one.
 * @param validUntil overrides the stored one
 */
export async function toCheckpoint(
  message: BocLike | HashLike | SendCheckpoint,
  validUntil: TimeLike | undefined,
): Promise<SendCheckpoint> {
  if (isSendCheckpoint(message)) {
    const hash = toBase64Hash(message.hash)
    if (hash === undefined) throw invalidMessage('hash', 'must be a 256-bit hash')
    const boc = message.boc === undefined ? undefined : checkBoc(message.boc)
    return { hash, boc, validUntil: readValidUntil(validUntil ?? message.validUntil) }
  }
  const hash = toBase64Hash(message)
  if (hash !== undefined) return { hash, validUntil: readValidUntil(validUntil) }
  if (bocParam.read(message, () => undefined) === undefined) {
    throw invalidMessage('', `must be ${hashParam.expected}; or ${bocParam.expected}`)
  }
  return await createSendCheckpoint(message, { validUntil })
}

/** Returns true for a checkpoint. Cells and bytes do not have a string `hash`. */
export function isSendCheckpoint(message: unknown): message is SendCheckpoint {
  return isObject(message) && typeof message['hash'] === 'string'
}

function readValidUntil(time: TimeLike | undefined): number | undefined {
  if (time === undefined) return undefined
  const seconds = timeParam.read(time, () => undefined)
  if (seconds === undefined) throw invalidMessage('validUntil', `must be ${timeParam.expected}`)
  return seconds
}
