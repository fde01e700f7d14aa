import { optionalParam } from '../../schema/param.js'
import { addressParam, bocParam, boolParam, emptyableBocParam } from '../../schema/params.js'
import { postEndpoint } from '../endpoint.js'

const externalMessage = {
  /** The whole external message. */
  boc: bocParam,
}

/** External messages: sending and fees. */
export const send = {
  /**
   * Sends an external message. Success means that a node accepted it, not that a block contains it.
   * Sending the same message twice is safe.
   * @throws {MessageRejectedError} if the contract rejects it.
   * @throws {ApiError} `ERR_TONPLUG_DUPLICATE_MESSAGE` if the node already has it and may have accepted it.
   * @throws {OutcomeUnknownError} if it is rejected after an attempt without a response, which may have been accepted.
   * @example
   * await v2.sendBoc({ boc })
   */
  sendBoc: postEndpoint('sendBoc', externalMessage, { isRead: false }),

  /**
   * Sends an external message as `sendBoc` does, and returns its hashes.
   * API v3 finds the trace by `hash_norm`.
   * @throws {MessageRejectedError} if the contract rejects it.
   * @throws {ApiError} `ERR_TONPLUG_DUPLICATE_MESSAGE` if the node already has it and may have accepted it.
   * @throws {OutcomeUnknownError} if it is rejected after an attempt without a response, which may have been accepted.
   * @example
   * const sent = await v2.sendBocReturnHash({ boc })
   * console.log(sent.hash_norm ?? sent.hash)
   */
  sendBocReturnHash: postEndpoint('sendBocReturnHash', externalMessage, { isRead: false }),

  /**
   * Sends an external message and returns its hashes; a refusal has status 400. C++ server only.
   * @throws {MessageRejectedError} if the node rejects it.
   * @throws {ApiError} `ERR_TONPLUG_DUPLICATE_MESSAGE` if the node already has it and may have accepted it.
   * @throws {OutcomeUnknownError} if it is rejected after an attempt without a response, which may have been accepted.
   * @example
   * const { hash_norm } = await v2.sendBocReturnHashNoError({ boc })
   * console.log(hash_norm)
   */
  sendBocReturnHashNoError: postEndpoint('sendBocReturnHashNoError', externalMessage, {
    servers: 'cpp',
    isRead: false,
  }),

  /**
   * Estimates the cost of an external message to an account, in nanocoins.
   * `init_code` and `init_data` are for an account that the message deploys. Signatures count as valid unless
   * `ignore_chksig` is `false`.
   * @throws {MessageRejectedError} if the contract would reject it, for example because of its seqno.
   * @example
   * const { source_fees } = await v2.estimateFee({ address, body: boc })
   * console.log(source_fees.gas_fee + source_fees.storage_fee)
   */
  estimateFee: postEndpoint(
    'estimateFee',
    {
      /** The account that the message is for. */
      address: addressParam,
      /** The body of the message. */
      body: bocParam,
      /** Code of the contract that the message deploys. @default none */
      init_code: optionalParam(emptyableBocParam),
      /** Data of the contract that the message deploys. @default none */
      init_data: optionalParam(emptyableBocParam),
      /** Treats every signature as valid. @default true */
      ignore_chksig: optionalParam(boolParam),
    },
    { isRead: true },
  ),
}
