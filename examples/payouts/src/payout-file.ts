import { open } from 'node:fs/promises'
import { Inject, Injectable, Logger } from '@nestjs/common'
import { parseAddress } from '@tonplug/core'
import { PayoutQueue } from './payout-queue.js'
import type { PayoutRequest } from './payout.js'
import type { Settings } from './settings.js'
import { SETTINGS } from './tokens.js'

const KNOWN = ['reference', 'to', 'amount', 'jetton', 'comment']
const LINE_END = 10

/** Takes payouts from a file that grows: one JSON object per line. */
@Injectable()
export class PayoutFile {
  private readonly logger = new Logger(PayoutFile.name)
  /** Bytes that this process has read. The next one reads all of them again: the queue knows the references. */
  private taken = 0

  constructor(
    private readonly queue: PayoutQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Queues what was added since the last time. A line without an end is left for the next one: it may be half written.
   * @throws when a line is no payout; what stands above it is queued.
   */
  async takeNew(): Promise<void> {
    const bytes = await this.readOn()
    const end = bytes.lastIndexOf(LINE_END) + 1
    const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
    let added = 0
    for (const line of lines) {
      if (line.trim() !== '' && (await this.queue.add(readLine(line)))) added += 1
      this.taken += Buffer.byteLength(line) + 1
    }
    if (added > 0) this.logger.log(`Queued ${added} payouts`)
  }

  private async readOn(): Promise<Buffer> {
    const file = await open(this.settings.payoutsFile)
    try {
      const { size } = await file.stat()
      const bytes = Buffer.alloc(Math.max(0, size - this.taken))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, this.taken)
      return bytes.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }
}

/** A line that is no payout. */
class PayoutLineError extends Error {
  override readonly name = 'PayoutLineError'

  constructor(line: string, problem: string, cause?: unknown) {
    super(`${line} in PAYOUTS_FILE: ${problem}; mend the line and start again`, { cause })
  }
}

/** @throws {PayoutLineError} when it is none. */
function readLine(line: string): PayoutRequest {
  const fields = readFields(line)
  const unknown = Object.keys(fields).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined) throw new PayoutLineError(line, `there is no field ${unknown}`)
  const text = (name: string): string | undefined => {
    const value = fields[name]
    if (value === undefined || (typeof value === 'string' && value !== '')) return value
    throw new PayoutLineError(line, `${name} is not a text`)
  }
  const required = (name: string): string => {
    const value = text(name)
    if (value !== undefined) return value
    throw new PayoutLineError(line, `${name} is missing`)
  }
  const amount = required('amount')
  // More than 120 bits do not fit into a message.
  if (!/^[1-9]\d{0,35}$/.test(amount)) {
    throw new PayoutLineError(line, 'amount is not a text of digits, in base units')
  }
  const [to, jetton] = [required('to'), text('jetton')]
  for (const address of [to, jetton]) {
    if (address !== undefined) checkAddress(line, address)
  }
  const reference = required('reference')
  return { reference, to, amount: BigInt(amount), jetton, comment: text('comment') }
}

function readFields(line: string): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(line)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
      // An object without any promise about its values.
      return fields as Record<string, unknown>
    }
  } catch (cause) {
    throw new PayoutLineError(line, 'it is not JSON', cause)
  }
  throw new PayoutLineError(line, 'it is not an object')
}

function checkAddress(line: string, address: string): void {
  try {
    parseAddress(address)
  } catch (cause) {
    throw new PayoutLineError(line, cause instanceof Error ? cause.message : String(cause), cause)
  }
}
