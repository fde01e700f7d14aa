import { getMethodFailure } from '../../endpoint/get-method.js'
import { defaultParam, optionalParam } from '../../schema/param.js'
import {
  addressParam,
  bocParam,
  boolParam,
  emptyableBocParam,
  stringParam,
} from '../../schema/params.js'
import { getEndpoint, postEndpoint } from '../endpoint.js'
import { readStack, stackArgumentsParam } from '../stack.js'

const ofAccount = {
  /** The account. */
  address: addressParam,
  /** Queries a node instead of the index; states then have the names of API v2. @default false */
  use_v2: optionalParam(boolParam),
}

/** Legacy: methods in the style of API v2; the server forwards most of them to API v2. */
export const legacy = {
  /**
   * Returns balance, code, data, last transaction and state of an account from the index.
   * `balance` is in nanocoins. An account that the index has never seen has balance 0 and the status `uninit`.
   * @example
   * const { balance, status } = await v3.addressInformation({ address })
   * console.log(`${balance} nanocoins, ${status}`)
   */
  addressInformation: getEndpoint('/addressInformation', ofAccount),

  /**
   * Another name of `addressInformation`. Undocumented.
   * @example
   * const { balance } = await v3.account({ address })
   * console.log(balance)
   */
  account: getEndpoint('/account', ofAccount, { isUndocumented: true }),

  /**
   * Estimates the cost of an external message, in nanocoins.
   * Signatures are checked unless `ignore_chksig` is `true`; the default of API v2 is the opposite.
   * @throws {MessageRejectedError} if the contract rejects the message.
   * @example
   * const message = { address, body: boc, ignore_chksig: true }
   * const { gas_fee, fwd_fee } = (await v3.estimateFee(message)).source_fees
   * console.log(`${gas_fee + fwd_fee} nanocoins`)
   */
  estimateFee: postEndpoint(
    '/estimateFee',
    {
      /** The account that receives the message. */
      address: addressParam,
      /** The body of the message. */
      body: bocParam,
      /** Code of the contract that the message deploys. @default none */
      init_code: optionalParam(emptyableBocParam),
      /** Data of the contract that the message deploys. @default none */
      init_data: optionalParam(emptyableBocParam),
      /** Treats every signature as valid. @default false */
      ignore_chksig: optionalParam(boolParam),
    },
    { isRead: true },
  ),

  /**
   * Sends an external message.
   * Success means that a node accepted it, not that a block contains it: find its trace by `message_hash_norm`.
   * Sending the same message twice is safe.
   * @throws {MessageRejectedError} if the contract or the node rejects the message.
   * @example
   * const { message_hash_norm } = await v3.message({ boc })
   * console.log(message_hash_norm)
   */
  message: postEndpoint(
    '/message',
    {
      /** The message. */
      boc: bocParam,
    },
    { isRead: false },
  ),

  /**
   * Runs a get-method of a contract.
   * The exit codes 0 and 1 mean success. Slices at the top of the stack are returned as cells. Arguments are numbers,
   * cells and slices; API v2 accepts tuples too.
   * @throws {GetMethodError} if the get-method ends with an exit code other than 0 and 1.
   * @example
   * const { stack } = await v3.runGetMethod({ address, method: 'seqno' })
   * const [seqno] = stack
   * if (seqno?.type === 'number') console.log(seqno.value)
   */
  runGetMethod: postEndpoint(
    '/runGetMethod',
    {
      /** The contract. */
      address: addressParam,
      /** The name of the get-method. */
      method: stringParam,
      /** The arguments, in the order of the get-method. @default none */
      stack: defaultParam(stackArgumentsParam, []),
    },
    { isRead: true, failure: getMethodFailure(readStack) },
  ),

  /**
   * Returns the balance of a wallet, and its type, seqno and id, from the index.
   * An account without a contract is returned too. `balance` is in nanocoins.
   * @throws {ApiError} `ERR_TONPLUG_CONFLICT` if the account is a contract other than a wallet.
   * @example
   * const { balance, wallet_type, seqno = 0 } = await v3.walletInformation({ address })
   * console.log(`${wallet_type}, ${balance} nanocoins, next seqno ${seqno}`)
   */
  walletInformation: getEndpoint('/walletInformation', ofAccount),

  /**
   * Another name of `walletInformation`. Undocumented.
   * @throws {ApiError} `ERR_TONPLUG_CONFLICT` if the account is a contract other than a wallet.
   * @example
   * const { balance } = await v3.wallet({ address })
   * console.log(balance)
   */
  wallet: getEndpoint('/wallet', ofAccount, { isUndocumented: true }),
}
