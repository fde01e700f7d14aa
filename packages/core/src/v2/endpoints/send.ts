import { optionalParam } from '../../schema/param.js'
import { addressParam, bocParam, boolParam, emptyableBocParam } from '../../schema/params.js'
import { paramsObject } from '../../schema/params-object.js'
import { postEndpoint } from '../endpoint.js'

const externalMessage = paramsObject({
  /** The whole external message. */
  boc: bocParam,
})

/** Sending external messages, and what they would cost. */
export const send = {
  /**
   * Sends an external message; success says that a node took it, not that a block has it.
   * Sending the same message twice does no harm.
   * @throws {MessageRejectedError} when the contract refuses it.
   * @throws {DuplicateMessageError} when the node has it already, and may have accepted it.
   * @throws {OutcomeUnknownError} when it is refused after an attempt that was lost and may have been accepted.
   * @example
   * await v2.sendBoc({ boc })
   */
  sendBoc: postEndpoint('sendBoc', {
    params: externalMessage,
    isRead: false,
  }),

  /**
   * Sends an external message as `sendBoc` does, and answers its hashes.
   * `hash_norm` is what v3 finds the trace by.
   * @throws {MessageRejectedError} when the contract refuses it.
   * @throws {DuplicateMessageError} when the node has it already, and may have accepted it.
   * @throws {OutcomeUnknownError} when it is refused after an attempt that was lost and may have been accepted.
   * @example
   * const sent = await v2.sendBocReturnHash({ boc })
   * console.log(sent.hash_norm ?? sent.hash)
   */
  sendBocReturnHash: postEndpoint('sendBocReturnHash', {
    params: externalMessage,
    isRead: false,
  }),

  /**
   * Sends an external message and answers its hashes; a refusal comes with status 400. C++ server only.
   * @throws {MessageRejectedError} when the node refuses it.
   * @throws {DuplicateMessageError} when the node has it already, and may have accepted it.
   * @throws {OutcomeUnknownError} when it is refused after an attempt that was lost and may have been accepted.
   * @example
   * const { hash_norm } = await v2.sendBocReturnHashNoError({ boc })
   * console.log(hash_norm)
   */
  sendBocReturnHashNoError: postEndpoint('sendBocReturnHashNoError', {
    params: externalMessage,
    servers: 'cpp',
    isRead: false,
  }),

  /**
   * What an external message to an account would cost, in nanocoins.
   * `init_code` and `init_data` are for an account that the message deploys; signatures are taken as valid unless
   * `ignore_chksig` is `false`.
   * @throws {MessageRejectedError} when the contract would refuse it, for its seqno as an example.
   * @example
   * const { source_fees } = await v2.estimateFee({ address, body: boc })
   * console.log(source_fees.gas_fee + source_fees.storage_fee)
   */
  estimateFee: postEndpoint('estimateFee', {
    params: paramsObject({
      /** The account that the message is for. */
      address: addressParam,
      /** The body of the message. */
      body: bocParam,
      /** Code of the contract that the message deploys. @default none */
      init_code: optionalParam(emptyableBocParam),
      /** Data of the contract that the message deploys. @default none */
      init_data: optionalParam(emptyableBocParam),
      /** Whether every signature counts as valid. @default true */
      ignore_chksig: optionalParam(boolParam),
    }),
    isRead: true,
  }),
}
