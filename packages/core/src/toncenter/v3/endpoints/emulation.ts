import { optionalParam } from '../../schema/param.js'
import { addressParam, bocParam, boolParam, timeParam } from '../../schema/params.js'
import { postEndpoint } from '../endpoint.js'
import { blockSeqnoParam, tonConnectMessagesParam } from '../params.js'
import type { EmulatedFields, Emulation } from '../schemas/emulation.js'

const ofEmulation = {
  /** Includes the actions. @default false */
  with_actions: optionalParam(boolParam),
  /** Includes code and data of the accounts, as `code_cells` and `data_cells`. @default false */
  include_code_data: optionalParam(boolParam),
  /** Includes the address book. @default false */
  include_address_book: optionalParam(boolParam),
  /** Includes the metadata of tokens. @default false */
  include_metadata: optionalParam(boolParam),
  /** The masterchain block on whose state it runs. @default the newest */
  mc_block_seqno: optionalParam(blockSeqnoParam),
}

const service = { api: 'emulate/v1', isRead: true, narrow: setPartialApart } as const

/** Emulation: what a message would cause, without sending it. A service beside API v3. */
export const emulation = {
  /**
   * Returns what an external message would cause now.
   * Nothing is sent. Check `is_incomplete` first: of a trace that is too long, only `partial` is known. The state of the
   * accounts may change before the message is sent: the result is a forecast. `parseTrace()` summarizes it.
   * @throws {MessageRejectedError} if the contract does not accept the message.
   * @example
   * const emulated = await v3.emulateTrace({ boc })
   * if (emulated.is_incomplete) throw new Error('the trace is too long')
   * const all = Object.values(emulated.transactions)
   * console.log(all.some(({ in_msg }) => in_msg?.bounced === true) ? 'bounces' : 'arrives')
   */
  emulateTrace: postEndpoint(
    '/emulateTrace',
    {
      /** The external message. */
      boc: bocParam,
      /** Treats every signature as valid. @default false */
      ignore_chksig: optionalParam(boolParam),
      ...ofEmulation,
    },
    service,
  ),

  /**
   * Returns what messages would cause that a wallet sends now, for example the messages of a TON Connect request.
   * Nothing is sent, and no signature is needed. Check `is_incomplete` first: of a trace that is too long, only `partial`
   * is known. The wallet must be deployed. Actions have the types of version 1 unless the header `X-Actions-Version` is
   * `latest`.
   * @throws {ApiError} `ERR_TONPLUG_CONFLICT` if `from` is not a deployed wallet of version 3, 4 or 5.
   * @throws {MessageRejectedError} if the wallet does not accept the message.
   * @example
   * const messages = [{ address, amount: 1_500_000_000n }]
   * const emulated = await v3.emulateTonConnect({ from: source, messages, with_actions: true })
   * if (!emulated.is_incomplete) console.log(emulated.actions?.map(({ type }) => type))
   */
  emulateTonConnect: postEndpoint(
    '/emulateTonConnect',
    {
      /** The wallet. */
      from: addressParam,
      /**
       * One to four messages: `address`, whose format decides if the message bounces; `amount` in nanocoins; the bags of
       * cells `payload` and `stateInit`.
       */
      messages: tonConnectMessagesParam,
      /** When the request expires. @default in five minutes */
      valid_until: optionalParam(timeParam),
      ...ofEmulation,
    },
    service,
  ),
}

/** Moves the effects of an incomplete emulation into `partial`. */
function setPartialApart(received: EmulatedFields | Emulation): Emulation {
  if ('partial' in received) return received
  if (!received.is_incomplete && !isCut(received)) return { ...received, is_incomplete: false }
  const { trace, transactions, actions, ...facts } = received
  return { ...facts, is_incomplete: true, partial: { trace, transactions, actions } }
}

/**
 * Returns true if a message between accounts has no transaction. The server stops after 256 transactions or at a depth of
 * 32, and reports only the former. Source: the emulation server.
 */
function isCut({ transactions }: Pick<EmulatedFields, 'transactions'>): boolean {
  const all = Object.values(transactions)
  const received = new Set(all.map(({ in_msg: message }) => message?.hash))
  // External messages have no value.
  return all.some(({ out_msgs: sent }) =>
    sent.some(({ hash, value }) => value !== undefined && !received.has(hash)),
  )
}
