import DefaultTheme from 'vitepress/theme'
import PaymentFlow from './PaymentFlow.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('PaymentFlow', PaymentFlow),
}
