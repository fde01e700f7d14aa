import type { Cursor } from '../../../src/toncenter/paging/cursor.js'
import type { Paginator } from '../../../src/toncenter/paging/paginator.js'
import type { V3Client } from '../../../src/toncenter/v3/client.js'
import type { V3Result } from '../../../src/toncenter/v3/endpoint-types.js'
import type { MasterchainBlock } from '../../../src/toncenter/v3/block-watch.js'
import type { RowWatch } from '../../../src/toncenter/follow/row-watch.js'

type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

function expectType<_Proof extends true>(): void {}

declare const v3: V3Client
const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

type Transaction = V3Result<'transactions'>['transactions'][number]

const walk = v3.transactions.paginate({ account: address, sort: 'asc' }, { pageSize: 500 })
expectType<Equal<typeof walk, Paginator<Transaction>>>()
walk.cursor() satisfies Cursor
v3.topAccountsByBalance.paginate({}) satisfies AsyncIterable<{ balance: bigint }>
// @ts-expect-error a walk sets limit itself
v3.transactions.paginate({ limit: 5 })
// @ts-expect-error a walk sets offset itself
v3.transactions.paginate({ offset: 5 })
// @ts-expect-error a misspelt parameter
v3.transactions.paginate({ acount: address })
// @ts-expect-error the seqno is required
v3.masterchainBlockShards.paginate({})
// @ts-expect-error nothing to walk over
v3.masterchainInfo.paginate({})

const follow = v3.transactions.watch({ account: [address] }, { from: new Date(), pollMs: 1000 })
expectType<Equal<typeof follow, RowWatch<Transaction>>>()
follow.cursor() satisfies Cursor
// @ts-expect-error a follow has its own order
v3.transactions.watch({ sort: 'asc' })
// @ts-expect-error a follow has its own bounds
v3.messages.watch({ start_utime: 5 })
// @ts-expect-error a list of what there is now
v3.jettonWallets.watch({})

const blocks = v3.transactionsByMasterchainBlock.watch()
blocks satisfies AsyncIterable<MasterchainBlock>
v3.transactionsByMasterchainBlock.watch({ seqno: 5 }, { prefetch: 4, cursor: blocks.cursor() })
// @ts-expect-error blocks come one by one
blocks.pages()
