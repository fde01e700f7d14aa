import type { Logger } from '@tonplug/core'
import { csvLines, jsonLines, type Operator } from '@tonplug/core/operator'
import { DeskRequestError, respond } from '../responses.js'
import type { Coins } from '../words/coins.js'

const FORMATS = {
  csv: { lines: csvLines, type: 'text/csv; charset=utf-8' },
  jsonl: { lines: jsonLines, type: 'application/jsonl; charset=utf-8' },
}

/**
 * Returns the books as a file, which is made while it is sent.
 * @throws {DeskRequestError} for an invalid parameter.
 */
export function exportBooks(
  { operator, coins, logger }: { operator: Operator; coins: Coins; logger: Logger },
  parameters: URLSearchParams,
): Response {
  const format = parameters.get('format') ?? 'csv'
  if (format !== 'csv' && format !== 'jsonl') throw invalid('format must be csv or jsonl.')
  const query = { from: dateOf(parameters, 'from'), before: dateOf(parameters, 'before') }
  const { lines, type } = FORMATS[format]
  const rows = operator.export({ ...query, decimals: coins.decimals })
  return respond(200, {
    body: ReadableStream.from(encoded(lines(rows), logger)),
    type,
    headers: { 'content-disposition': `attachment; filename="payments.${format}"` },
  })
}

/** A failure after the first line can only cut off the file. */
async function* encoded(
  lines: AsyncIterable<string>,
  logger: Logger,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  try {
    for await (const line of lines) yield encoder.encode(line)
  } catch (error) {
    logger.error('desk export failed', { error })
    throw error
  }
}

function dateOf(parameters: URLSearchParams, name: string): Date | undefined {
  const text = parameters.get(name)
  if (text === null || text === '') return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw invalid(`${name} must be a time in ISO 8601.`)
  return date
}

function invalid(message: string): DeskRequestError {
  return new DeskRequestError(400, 'INVALID', message)
}
