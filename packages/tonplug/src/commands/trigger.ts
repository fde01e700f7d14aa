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
export const OUTCOMES = ['pay', 'fail'] as const

export type Outcome = (typeof OUTCOMES)[number]

/** The transfer that something happens to. */
export interface Triggered {
  outcome: Outcome
  transfer: NewTransfer
  /** What the transaction is called; random otherwise. */
  txHash: string | undefined
  /** A jetton that the gateway does not know by itself. */
  jetton: StandInAsset | undefined
}

/** Creates a transfer, has it paid or fail, and delivers its webhook. */
export async function trigger(triggered: Triggered, sending: Sending): Promise<Report> {
  const { outcome, transfer, txHash, jetton } = triggered
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
    text: `${describe(told)}\n${text}`,
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

function describe(transfer: object): string {
  return Object.entries(transfer)
    .map(([name, value]) => `${name.padEnd(14)}  ${onOneLine(String(value))}`)
    .join('\n')
}
