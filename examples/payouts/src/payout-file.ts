import { open } from 'node:fs/promises'
import { Inject, Injectable, Logger } from '@nestjs/common'
import { canonicalAddress } from '@tonplug/core'
import { PayoutQueue } from './payout-queue.js'
import type { PayoutRequest } from './payout.js'
import type { Settings } from './settings.js'
import { SETTINGS } from './tokens.js'

const FIELDS = ['reference', 'to', 'amount', 'jetton', 'comment']
const LINE_END = 10

/** Reads payouts from a file to which lines are appended, one JSON object per line. */
@Injectable()
export class PayoutFile {
  private readonly logger = new Logger(PayoutFile.name)
  /** Bytes read by this process. The next process reads them again; the queue ignores known references. */
  private offset = 0

  constructor(
    private readonly queue: PayoutQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Queues the lines that were appended since the last call. Ignores an incomplete last line until it ends.
   * @throws {PayoutLineError} when a line is invalid; the lines before it are queued.
   */
  async queueNewLines(): Promise<void> {
    const bytes = await this.readNewBytes()
    const end = bytes.lastIndexOf(LINE_END) + 1
    const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
    let added = 0
    for (const line of lines) {
      if (line.trim() !== '' && (await this.queue.add(readLine(line)))) added += 1
      this.offset += Buffer.byteLength(line) + 1
    }
    if (added > 0) this.logger.log({ message: 'payouts queued', count: added })
  }

  private async readNewBytes(): Promise<Buffer> {
    const file = await open(this.settings.payoutsFile)
    try {
      const { size } = await file.stat()
      const bytes = Buffer.alloc(Math.max(0, size - this.offset))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, this.offset)
      return bytes.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }
}

/** Thrown for an invalid line. */
class PayoutLineError extends Error {
  override readonly name = 'PayoutLineError'

  constructor(line: string, problem: string, cause?: unknown) {
    super(`Invalid line in PAYOUTS_FILE: ${problem}. Fix the line and restart: ${line}`, { cause })
  }
}

/**
 * Parses a line.
 * @throws {PayoutLineError} when the line is invalid.
 */
function readLine(line: string): PayoutRequest {
  const fields = readFields(line)
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name))
  if (unknown !== undefined) throw new PayoutLineError(line, `unknown field ${unknown}`)
  const optional = (name: string): string | undefined => {
    const value = fields[name]
    if (value === undefined || (typeof value === 'string' && value !== '')) return value
    throw new PayoutLineError(line, `${name} must be a non-empty string`)
  }
  const required = (name: string): string => {
    const value = optional(name)
    if (value !== undefined) return value
    throw new PayoutLineError(line, `${name} is missing`)
  }
  const amount = required('amount')
  // A message has 120 bits for an amount.
  if (!/^[1-9]\d{0,35}$/.test(amount)) {
    throw new PayoutLineError(line, 'amount must be a string of digits, in base units')
  }
  const [to, jetton] = [required('to'), optional('jetton')]
  for (const address of [to, jetton]) {
    if (address !== undefined) checkAddress(line, address)
  }
  const reference = required('reference')
  return { reference, to, amount: BigInt(amount), jetton, comment: optional('comment') }
}

function readFields(line: string): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(line)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
      // The fields are validated by the caller.
      return fields as Record<string, unknown>
    }
  } catch (cause) {
    throw new PayoutLineError(line, 'it must be JSON', cause)
  }
  throw new PayoutLineError(line, 'it must be an object')
}

function checkAddress(line: string, address: string): void {
  try {
    canonicalAddress(address)
  } catch (cause) {
    throw new PayoutLineError(line, cause instanceof Error ? cause.message : String(cause), cause)
  }
}
