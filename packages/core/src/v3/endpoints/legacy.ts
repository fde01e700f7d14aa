import { getMethodFailure } from '../../endpoint/get-method.js'
import { defaultParam, optionalParam } from '../../schema/param.js'
import {
  addressParam,
  bocParam,
  boolParam,
  emptyableBocParam,
  textParam,
} from '../../schema/params.js'
import { paramsObject } from '../../schema/params-object.js'
import { getEndpoint, postEndpoint } from '../endpoint.js'
import { decodeStack } from '../stack.js'
import { stackArgumentsParam } from '../stack-params.js'

const ofAccount = paramsObject({
  /** The account. */
  address: addressParam,
  /** Whether to ask a node in place of the index; states then have the words of v2. @default false */
  use_v2: optionalParam(boolParam),
})

/** Legacy: methods in the style of API v2, to which the server hands most of them on. */
export const legacy = {
  /**
   * Balance, code, data, last transaction and state of an account, as the index has them.
   * `balance` is in nanocoins. An account that the index has never seen has balance 0 and the status `uninit`.
   * @example
   * const { balance, status } = await v3.addressInformation({ address })
   * console.log(`${balance} nanocoins, ${status}`)
   */
  addressInformation: getEndpoint('/addressInformation', {
    params: ofAccount,
  }),

  /**
   * Another name of `addressInformation`. No description has it.
   * @example
   * const { balance } = await v3.account({ address })
   * console.log(balance)
   */
  account: getEndpoint('/account', {
    params: ofAccount,
    isUndocumented: true,
  }),

  /**
   * What it would cost to process a message from outside. In nanocoins.
   * Signatures are checked unless `ignore_chksig` says otherwise; API v2 has it the other way round.
   * @throws {MessageRejectedError} when the contract does not accept the message.
   * @example
   * const message = { address, body: boc, ignore_chksig: true }
   * const { gas_fee, fwd_fee } = (await v3.estimateFee(message)).source_fees
   * console.log(`${gas_fee + fwd_fee} nanocoins`)
   */
  estimateFee: postEndpoint('/estimateFee', {
    params: paramsObject({
      /** The account that receives the message. */
      address: addressParam,
      /** The body of the message. */
      body: bocParam,
      /** The code to deploy with it. @default none */
      init_code: optionalParam(emptyableBocParam),
      /** The data to deploy with it. @default none */
      init_data: optionalParam(emptyableBocParam),
      /** Whether every signature is taken for valid. @default false */
      ignore_chksig: optionalParam(boolParam),
    }),
    isRead: true,
  }),

  /**
   * Sends a message from outside to the network.
   * Success means that a node took it, not that it is in a block: find its trace by `message_hash_norm`. Sending the
   * same message twice does no harm.
   * @throws {MessageRejectedError} when the contract or the node does not accept the message.
   * @example
   * const { message_hash_norm } = await v3.message({ boc })
   * console.log(message_hash_norm)
   */
  message: postEndpoint('/message', {
    params: paramsObject({
      /** The message. */
      boc: bocParam,
    }),
    isRead: false,
  }),

  /**
   * Runs a get-method of a contract.
   * The exit codes 0 and 1 are success. Slices come as cells at the top of the stack. Arguments are numbers, cells and
   * slices; API v2 takes tuples too.
   * @throws {GetMethodError} when the get-method ends with another exit code than 0 and 1.
   * @example
   * const { stack } = await v3.runGetMethod({ address, method: 'seqno' })
   * const [seqno] = stack
   * if (seqno?.type === 'number') console.log(seqno.value)
   */
  runGetMethod: postEndpoint('/runGetMethod', {
    params: paramsObject({
      /** The contract. */
      address: addressParam,
      /** The name of the get-method. */
      method: textParam,
      /** The arguments, in the order in which the get-method names them. @default none */
      stack: defaultParam(stackArgumentsParam, []),
    }),
    isRead: true,
    failure: getMethodFailure(decodeStack),
  }),

  /**
   * Balance of a wallet, and its type, seqno and id, as the index has them.
   * An account without a contract is answered as well. `balance` is in nanocoins.
   * @throws {ConflictError} when the account is another contract than a wallet.
   * @example
   * const { balance, wallet_type, seqno = 0 } = await v3.walletInformation({ address })
   * console.log(`${wallet_type}, ${balance} nanocoins, next seqno ${seqno}`)
   */
  walletInformation: getEndpoint('/walletInformation', {
    params: ofAccount,
  }),

  /**
   * Another name of `walletInformation`. No description has it.
   * @throws {ConflictError} when the account is another contract than a wallet.
   * @example
   * const { balance } = await v3.wallet({ address })
   * console.log(balance)
   */
  wallet: getEndpoint('/wallet', {
    params: ofAccount,
    isUndocumented: true,
  }),
}
