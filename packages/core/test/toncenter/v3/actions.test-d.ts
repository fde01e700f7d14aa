import type { V3Client } from '../../../src/toncenter/v3/client.js'
import type { V3Result } from '../../../src/toncenter/v3/endpoint-types.js'
import type {
  V3Action as Action,
  V3Trace as Trace,
  V3Transaction as Transaction,
} from '../../../src/toncenter/v3/generated/types.js'

type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

function expectType<_Proof extends true>(): void {}

declare const v3: V3Client
const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

expectType<Equal<V3Result<'actions'>['actions'], Action[]>>()
expectType<Equal<V3Result<'traces'>['traces'], Trace[]>>()
expectType<Equal<V3Result<'transactions'>['transactions'], Transaction[]>>()
expectType<Equal<Trace['actions'], Action[] | undefined>>()
expectType<Equal<NonNullable<Trace['transactions']>[string], Transaction>>()
expectType<Equal<Trace['start_utime'], number>>()
expectType<Equal<Trace['start_lt'], bigint>>()
expectType<Equal<Trace['mc_seqno_end'], number | undefined>>()
expectType<Equal<V3Result<'balanceChanges'>['changes'], Record<string, bigint>>>()
expectType<Equal<V3Result<'balanceChanges'>['jettons'], Record<string, Record<string, bigint>>>>()

type Transfer = V3Result<'jettonTransfers'>['jetton_transfers'][number]
expectType<Equal<Transfer['amount'], bigint>>()
expectType<Equal<Transfer['transaction_aborted'], boolean>>()
expectType<Equal<Transfer['forward_ton_amount'], bigint | undefined>>()
expectType<Equal<V3Result<'nftItems'>['nft_items'][number]['index'], bigint>>()

/** The type of an action selects the type of its details, which are present. */
export function worth(action: Action): bigint | undefined {
  switch (action.type) {
    case 'jetton_transfer':
      return action.details.amount
    case 'ton_transfer':
      return action.details.value
    case 'multisig_approve':
      // @ts-expect-error an approval has no amount
      return action.details.amount
    case 'unreadable':
      // @ts-expect-error details as received have no type
      return action.details.amount
    default:
      return action.success === true ? action.start_lt : undefined
  }
}

/** The details of a filtered list have their type as well. */
export async function received(): Promise<(bigint | undefined)[]> {
  const { actions } = await v3.actions({ account: address, action_type: 'jetton_transfer' })
  // @ts-expect-error the type of the action is not known yet
  void actions[0]?.details?.amount
  return actions.filter((one) => one.type === 'jetton_transfer').map((one) => one.details.amount)
}

/** A tree of any depth. */
export function depth(node: NonNullable<Trace['trace']>): number {
  return 1 + Math.max(0, ...node.children.map(depth))
}

void v3.actions({ action_type: 'a_type_that_is_new', supported_action_types: ['latest'] })
void v3.nftItems({ collection_address: address, index: [5n, '7', 9] })
// @ts-expect-error an index is not a boolean
void v3.nftItems({ collection_address: address, index: true })
// @ts-expect-error the address is required
void v3.nftSales()
