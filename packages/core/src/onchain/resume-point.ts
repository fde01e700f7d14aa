import { InvalidParamsError } from '../errors/params.js'
import { toBase64Hash, type HashLike } from '../schema/hash.js'
import { bocParam, hashParam, timeParam, type BocLike, type TimeLike } from '../schema/params.js'
import { checkBoc, normalizedHash } from './normalized-hash.js'

/**
 * A message that may be on its way, as plain JSON: store it, and go on from it in another process. Whoever has its
 * `boc` can send it, as they can do with the message itself.
 */
export interface ResumePoint {
  /** Its normalised hash, in base64. */
  hash: string
  /** The message itself, in base64, where it is known: it can be sent again. */
  boc?: string | undefined
  /** From when on the contract takes it no more, Unix seconds, where that is known. */
  validUntil?: number | undefined
}

/**
 * What to store before a message is sent, so that another process can go on if this one ends meanwhile.
 * @throws {InvalidParamsError} when the bag of cells holds no message from outside.
 * @example
 * ```ts
 * import { createResumePoint, createV2Client, createV3Client, sendAndWait } from '@tonplug/core'
 *
 * declare const boc: string
 * declare const validUntil: number
 * declare const store: (resume: object) => Promise<void>
 *
 * await store(await createResumePoint(boc, { validUntil }))
 * await sendAndWait({ v2: createV2Client(), v3: createV3Client() }, boc, { validUntil })
 * ```
 */
export async function createResumePoint(
  boc: BocLike,
  options: { validUntil?: TimeLike | undefined } = {},
): Promise<ResumePoint> {
  const validUntil = readValidUntil(options.validUntil)
  const point = { hash: await normalizedHash(boc), boc: checkBoc(boc) }
  return validUntil === undefined ? point : { ...point, validUntil }
}

/**
 * What is meant: a hash, a message, or where somebody else has left off.
 * @param validUntil of the options; goes ahead of the stored one
 */
export async function readMessage(
  message: BocLike | HashLike | ResumePoint,
  validUntil: TimeLike | undefined,
): Promise<ResumePoint> {
  if (isResumePoint(message)) {
    const hash = toBase64Hash(message.hash)
    if (hash === undefined) throw wrongOption('hash', 'must be a 256-bit hash')
    const boc = message.boc === undefined ? undefined : checkBoc(message.boc)
    return { hash, boc, validUntil: readValidUntil(validUntil ?? message.validUntil) }
  }
  const hash = toBase64Hash(message)
  if (hash !== undefined) return { hash, validUntil: readValidUntil(validUntil) }
  if (bocParam.read(message, () => undefined) === undefined) {
    throw wrongOption('', `must be ${hashParam.expected}; or ${bocParam.expected}`)
  }
  return await createResumePoint(message, { validUntil })
}

/** A cell and bytes have no `hash` that is a text. */
export function isResumePoint(message: unknown): message is ResumePoint {
  return (
    typeof message === 'object' &&
    message !== null &&
    'hash' in message &&
    typeof message.hash === 'string'
  )
}

function readValidUntil(time: TimeLike | undefined): number | undefined {
  if (time === undefined) return undefined
  const seconds = timeParam.read(time, () => undefined)
  if (seconds === undefined) throw wrongOption('validUntil', `must be ${timeParam.expected}`)
  return seconds
}

function wrongOption(path: string, problem: string): InvalidParamsError {
  return new InvalidParamsError({ endpoint: 'message', issues: [{ path, problem }] })
}
