import {
  type DeliveryReport,
  type GatewayStandIn,
  GatewayStandInError,
  type NewTransfer,
  type StandInAsset,
} from '@tonplug/testing'
import { deliver, type Sending } from '../deliveries.js'
import { UsageError } from '../failure.js'
import type { Report } from '../report.js'
import { onOneLine } from '../table.js'

/** What can happen to a transfer. */
export const OUTCOMES = ['create', 'pay', 'fail'] as const

export type Outcome = (typeof OUTCOMES)[number]

/** The transfer that something happens to. */
export interface Triggered {
  outcome: Outcome
  transfer: NewTransfer
  /** What is paid, where it is not what was asked for. */
  rawAmount: bigint | undefined
  /** What the transaction is called; random otherwise. */
  txHash: string | undefined
  /** A jetton that the gateway does not know by itself. */
  jetton: StandInAsset | undefined
}

/** Creates a transfer with a gateway of its own, has it paid or fail, and delivers its webhook. */
export async function trigger(triggered: Triggered, sending: Sending): Promise<Report> {
  const { outcome, transfer, txHash, jetton } = triggered
  if (outcome === 'create') {
    throw new UsageError('create: name the gateway stand-in to create it at with --gateway')
  }
  const assets = jetton === undefined ? [] : [jetton]
  let told: object = {}
  const begin = (gateway: GatewayStandIn): Promise<DeliveryReport> => {
    const { reference } = create(gateway, transfer)
    const delivery = gateway[outcome](reference, { txHash })
    told = gateway.transfer(reference)
    return delivery
  }
  const { isDelivered, json, text } = await deliver({ ...sending, assets }, begin)
  return {
    isDone: isDelivered,
    json: { ...json, transfer: told },
    text: `${describeFields(told)}\n${text}`,
  }
}

function create(gateway: GatewayStandIn, transfer: NewTransfer): { reference: string } {
  try {
    return gateway.createTransfer(transfer)
  } catch (error) {
    if (error instanceof GatewayStandInError) throw new UsageError(error.message)
    throw error
  }
}

/** The fields of an object, one on each line. */
export function describeFields(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `${name.padEnd(18)}  ${onOneLine(text)}`
    })
    .join('\n')
}
