import { objectField } from '../../../schema/fields.js'
import { address, bigint, flag, int, text } from './words.js'

const query = { query_id: bigint, destination: address }
const between = { ...query, source: address }
const paid = { ...between, amount: bigint }

/** Payments of the compute network Cocoon. */
export const cocoon = {
  cocoon_worker_payout: objectField({
    ...paid,
    payout_type: text,
    new_tokens: bigint,
    worker_state: int,
    worker_tokens: bigint,
  }),
  cocoon_proxy_payout: objectField(between),
  cocoon_proxy_charge: objectField({ ...between, new_tokens_used: bigint, expected_address: text }),
  cocoon_client_top_up: objectField(paid),
  cocoon_register_proxy: objectField(query),
  cocoon_unregister_proxy: objectField({ ...query, seqno: int }),
  cocoon_client_register: objectField({ ...between, nonce: bigint }),
  cocoon_client_change_secret_hash: objectField({ ...between, new_secret_hash: text }),
  cocoon_client_request_refund: objectField({ ...between, via_wallet: flag }),
  cocoon_grant_refund: objectField({ ...paid, new_tokens_used: bigint, expected_address: text }),
  cocoon_client_increase_stake: objectField({ ...paid, new_stake: bigint }),
  cocoon_client_withdraw: objectField({ ...paid, withdraw_amount: bigint }),
}
