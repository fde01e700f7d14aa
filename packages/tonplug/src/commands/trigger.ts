import {
  type DeliveryReport,
  type MockGateway,
  MockGatewayError,
  type NewTransfer,
  type MockGatewayAsset,
} from '@tonplug/testing'
import { sendWebhook, type Sending } from '../deliveries.js'
import { UsageError } from '../failure.js'
import type { Report } from '../report.js'
import { onOneLine } from '../table.js'

/** The outcomes of a transfer. */
export const OUTCOMES = ['create', 'pay', 'fail'] as const satisfies readonly Outcome[]

export type Outcome = 'create' | 'pay' | 'fail'

/** Options of `tonplug trigger`. */
export interface Triggered {
  outcome: Outcome
  transfer: NewTransfer
  /** Deviations of the payment from the transfer. */
  rawAmount: bigint | undefined
  /** Hash of the transaction; random by default. */
  txHash: string | undefined
  /** A jetton other than USDT. */
  jetton: MockGatewayAsset | undefined
}

/** Creates a transfer at a mock gateway of its own, pays or fails it, and delivers its webhook. */
export async function trigger(triggered: Triggered, sending: Sending): Promise<Report> {
  const { outcome, transfer, txHash, jetton } = triggered
  if (outcome === 'create') {
    throw new UsageError('create: give the mock gateway with --gateway')
  }
  const assets = jetton === undefined ? [] : [jetton]
  let status: object = {}
  const begin = (gateway: MockGateway): Promise<DeliveryReport> => {
    const { reference } = create(gateway, transfer)
    const delivery = gateway[outcome](reference, { txHash })
    status = gateway.transfer(reference)
    return delivery
  }
  const { isDone, json, text } = await sendWebhook({ ...sending, assets }, begin)
  const fields = describeFields(status)
  return { isDone, json: { ...json, transfer: status }, text: `${fields}\n${text}` }
}

function create(gateway: MockGateway, transfer: NewTransfer): { reference: string } {
  try {
    return gateway.createTransfer(transfer)
  } catch (error) {
    if (error instanceof MockGatewayError) throw new UsageError(error.message)
    throw error
  }
}

/** Prints the fields of an object, one per line. */
export function describeFields(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `${name.padEnd(18)}  ${onOneLine(text)}`
    })
    .join('\n')
}
