import * as field from '../schema/fields.js'
import { accountBalance, accountStateFull, walletState } from './schemas/account.js'
import { action } from './schemas/action.js'
import { addressBook, metadata, rowsWithAddresses, rowsWithTokens } from './schemas/address-book.js'
import { block } from './schemas/block.js'
import { dnsAuctions, dnsRecord } from './schemas/dns.js'
import { emulation } from './schemas/emulation.js'
import { jettonBurn, jettonMaster, jettonTransfer, jettonWallet } from './schemas/jetton.js'
import {
  addressInformation,
  estimatedFees,
  runResult,
  sentMessage,
  walletInformation,
} from './schemas/legacy.js'
import { decoded, message } from './schemas/message.js'
import { multisig, multisigOrder } from './schemas/multisig.js'
import { nftCollection, nftItem, nftSale, nftTransfer } from './schemas/nft.js'
import {
  nominatorEvents,
  nominatorPool,
  nominatorRewards,
  poolStake,
  poolValidatorEvents,
  poolValidatorRewards,
} from './schemas/nominator-pools.js'
import { balanceChanges, trace } from './schemas/trace.js'
import { transaction } from './schemas/transaction.js'
import { complaint, cycle, election, validatorEvents } from './schemas/validators.js'
import { vestingContract } from './schemas/vesting.js'

const actions = rowsWithTokens('actions', action)
const blocks = field.object({ blocks: field.presentList(block) })
const traces = rowsWithTokens('traces', trace)
const transactions = rowsWithAddresses('transactions', transaction)

/**
 * The schema of each endpoint's result by path. The build generates decoders from them, so clients do not load them at run
 * time.
 */
export const v3Results = {
  '/accountStates': rowsWithTokens('accounts', accountStateFull),
  '/addressBook': addressBook,
  '/metadata': metadata,
  '/walletStates': rowsWithTokens('wallets', walletState),
  '/actions': actions,
  '/pendingActions': actions,
  '/pendingTraces': traces,
  '/traces': traces,
  '/events': rowsWithTokens('events', trace),
  '/balanceChanges': balanceChanges,
  '/adjacentTransactions': transactions,
  '/blocks': blocks,
  '/masterchainBlockShardState': blocks,
  '/masterchainBlockShards': blocks,
  /** The newest and the oldest masterchain block of the index. */
  '/masterchainInfo': field.object({ last: block, first: block }),
  '/messages': rowsWithTokens('messages', message),
  '/pendingTransactions': transactions,
  '/transactions': transactions,
  '/transactionsByMasterchainBlock': transactions,
  '/transactionsByMessage': transactions,
  '/jetton/burns': rowsWithTokens('jetton_burns', jettonBurn),
  '/jetton/masters': rowsWithTokens('jetton_masters', jettonMaster),
  '/jetton/transfers': rowsWithTokens('jetton_transfers', jettonTransfer),
  '/jetton/wallets': rowsWithTokens('jetton_wallets', jettonWallet),
  '/nft/collections': rowsWithTokens('nft_collections', nftCollection),
  '/nft/items': rowsWithTokens('nft_items', nftItem),
  '/nft/transfers': rowsWithTokens('nft_transfers', nftTransfer),
  '/nft/sales': rowsWithTokens('nft_sales', nftSale),
  '/dns/records': rowsWithAddresses('records', dnsRecord),
  '/dns/activeAuctions': dnsAuctions,
  '/multisig/orders': rowsWithAddresses('orders', multisigOrder),
  '/multisig/wallets': rowsWithAddresses('multisigs', multisig),
  '/vesting': rowsWithAddresses('vesting_contracts', vestingContract),
  '/topAccountsByBalance': field.presentList(accountBalance),
  '/decode': decoded,
  '/addressInformation': addressInformation,
  '/account': addressInformation,
  '/estimateFee': estimatedFees,
  '/message': sentMessage,
  '/runGetMethod': runResult,
  '/walletInformation': walletInformation,
  '/wallet': walletInformation,
  '/emulateTrace': emulation,
  '/emulateTonConnect': emulation,
  '/staking/nominatorPools/pool': nominatorPool,
  '/staking/nominatorPools/nominator': rowsWithAddresses('nominator_pools', poolStake),
  '/staking/nominatorPools/nominatorEvents': nominatorEvents,
  '/staking/nominatorPools/nominatorRewards': nominatorRewards,
  '/staking/nominatorPools/validatorEvents': poolValidatorEvents,
  '/staking/nominatorPools/validatorRewards': poolValidatorRewards,
  '/validators/events': validatorEvents,
  '/validators/elections': rowsWithAddresses('elections', election),
  '/validators/cycles': rowsWithAddresses('cycles', cycle),
  '/validators/complaints': rowsWithAddresses('complaints', complaint),
}

export type V3Results = typeof v3Results
