import { transferPath, type TransferRequest } from './transfer-link.js'

/**
 * Links that open one wallet app with a payment, also where no app handles `ton://`. Each of these apps refuses the payment
 * after `exp`. A wallet is absent where its link would not open the payment, for example on a test network.
 */
export interface WalletLinks {
  /**
   * Keeper, formerly Tonkeeper. Source of the host: https://docs.tonconsole.com/tonkeeper/deep-linking; of the parameters:
   * `deeplinkingService.ts` of https://github.com/tonkeeper/tonkeeper-web.
   */
  keeper?: string
  /** MyTonWallet. Source: `src/util/deeplink/index.ts` of https://github.com/mytonwallet-org/mytonwallet. */
  myTonWallet?: string
  /**
   * Tonhub, on testnet Tonhub Sandbox; only for the native coin, since the app converts the amount of a jetton. Source:
   * `app/utils/url/resolveTransferUrl.ts` of https://github.com/tonwhales/wallet.
   */
  tonhub?: string
}

/** Returns the links of a transfer. */
export function walletLinks(
  transfer: TransferRequest,
  network: 'mainnet' | 'testnet' | undefined,
): WalletLinks {
  const path = `transfer/${transferPath(transfer)}`
  const isNative = transfer.jetton === undefined
  switch (network) {
    case 'mainnet':
      return {
        keeper: `https://app.keeperwallet.com/${path}`,
        myTonWallet: `https://my.tt/${path}`,
        ...(isNative && { tonhub: `https://tonhub.com/${path}` }),
      }
    case 'testnet':
      return isNative ? { tonhub: `https://test.tonhub.com/${path}` } : {}
    default:
      return {}
  }
}
