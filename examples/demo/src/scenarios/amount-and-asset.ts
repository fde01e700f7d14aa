import { sampleSuccess } from '../sample-payloads.js'
import { type GatewayScenario, buyAndDeliver, paidOnce } from '../scenario.js'

const refused = { answers: '200', order: 'pending', handlers: 'onMismatch' }
const giftBox = { amount: '25', rawAmount: '25000000', assetTicker: 'USD₮' }

// The jetton of the shop's price as workchain and hex; the catalog has it as a friendly address.
const USDT_RAW = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
const OTHER_JETTON = 'EQC11Uw55mZxyXMbn0ceWF2CYs1PVJY_DJMILY3PM01MeEnk'

/** Payments of another amount or asset. */
export const amountScenarios: readonly GatewayScenario[] = [
  {
    sent: 'one base unit too little',
    promised: { decisions: 'amount_mismatch', ...refused },
    run: buyAndDeliver('hoodie', (reference) =>
      sampleSuccess(reference, { amount: '10.499999999', rawAmount: '10499999999' }),
    ),
  },
  {
    sent: 'one base unit too much',
    promised: { decisions: 'amount_mismatch', ...refused },
    run: buyAndDeliver('hoodie', (reference) =>
      sampleSuccess(reference, { amount: '10.500000001', rawAmount: '10500000001' }),
    ),
  },
  {
    sent: 'the right amount of another jetton with the same ticker',
    promised: { decisions: 'asset_mismatch', ...refused },
    run: buyAndDeliver('gift-box', (reference) =>
      sampleSuccess(reference, { ...giftBox, asset: OTHER_JETTON }),
    ),
  },
  {
    sent: 'the right jetton in another address format',
    promised: { answers: '200', decisions: 'paid', ...paidOnce },
    run: buyAndDeliver('gift-box', (reference) =>
      sampleSuccess(reference, { ...giftBox, asset: USDT_RAW }),
    ),
  },
]
