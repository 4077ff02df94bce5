import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceReader, type PriceContext } from '../../../src/extract/price/index.js';

const readPrice = priceReader();

function read(text: string, context?: PriceContext): string {
  const price = readPrice(text, context);
  return price === null ? 'none' : `${price.amount} ${price.currency ?? '?'}`;
}

describe('a price text', () => {
  it.each([
    // separators
    ['2.749,00 €', '2749.00 EUR'],
    ['€ 2,749.50', '2749.50 EUR'],
    ['CHF 3’480.-', '3480 CHF'],
    ['4 990,50 Kč', '4990.50 CZK'],
    ['₹2,75,499', '275499 INR'],
    ['248.500', '248500 ?'],
    ['12.345', '12345 ?'],
    ['0.345', '0.345 ?'],
    ['5123.456', '5123.456 ?'],
    ['3.141.592,65', '3141592.65 ?'],
    ['0087.10', '87.10 ?'],
    // cents apart
    ['64€ 95', '64.95 EUR'],
    ['64€95', '64.95 EUR'],
    ['$17 49', '17.49 ?'],
    ['17 49 zł', '17.49 PLN'],
    ['21 .50 €', '21.50 EUR'],
    // no cents
    ['75,- €', '75 EUR'],
    ['₹ 899/-', '899 INR'],
    ['1.250:-', '1250 SEK'],
    // marks
    ['US$ 72', '72 USD'],
    ['AU $72', '72 AUD'],
    ['72 $ CA', '72 CAD'],
    ['NZD $72', '72 NZD'],
    ['$72 CAD', '72 CAD'],
    ['Rs.350', '350 ?'],
    ['S/ 42.90', '42.90 PEN'],
    ['640 ₽', '640 RUB'],
    ['1 850 грн', '1850 UAH'],
    ['73.500đ', '73500 VND'],
    ['45元', '45 CNY'],
    ['￥１，６８０（税込）', '1680 JPY'],
    ['到手价￥168', '168 CNY'],
    ['¥168', '168 ?'],
    ['NT$ 680 元', '680 TWD'],
    ['٧٥٫٥٠ ر.س', '75.50 SAR'],
    ['KD 7.250', '7.250 KWD'],
    ['39,900 원', '39900 KRW'],
    // powers of ten in words
    ['3.5万元', '35000 CNY'],
    ['2万8000円', '28000 JPY'],
    ['₹2.4 lakh', '240000 INR'],
    ['$2.5k', '2500 ?'],
    ['4만 5,900원', '45900 KRW'],
    ['6만5천원', '65000 KRW'],
    ['8천원', '8000 KRW'],
    ['2억 3천만원', '230000000 KRW'],
    ['5千克 80元', '80 CNY'],
    ['€3.4M', '3400000 EUR'],
    ['75 k€', '75000 EUR'],
    ['2,5 mld. Kč', '2500000000 CZK'],
    ['R$ 3 mil', '3000 BRL'],
    ['450 tis. Kč', '450000 CZK'],
    // signs with space beside them
    ['18 , 90 €', '18.90 EUR'],
    ['$ 18 . 95', '18.95 ?'],
    ['2. 499,00 €', '2499.00 EUR'],
    ['Rp 2. 450. 000', '2450000 IDR'],
    ['€.18,90', '18.90 EUR'],
    ['18·90 €', '18.90 EUR'],
    ['18‚90 €', '18.90 EUR'],
    ['2 499,567.89 $', '2499567.89 ?'],
    ['€ 2.499.50', '2499.50 EUR'],
    ['18,00 ,- Kč', '18.00 CZK'],
    // digits behind a mark: cents, or a note's number
    ['18€95/kg', '18.95 EUR'],
    ['18€95TTC', '18.95 EUR'],
    ['18€95-21€95', '18.95 EUR'],
    ['18zł50', '18.50 PLN'],
    ['18,95 €2', '18.95 EUR'],
    ['18,95 €3)4)', '18.95 EUR'],
    ['à partir de 18€95', '18.95 EUR'],
    ['18 руб. 50 коп.', '18.50 RUB'],
    ['18 руб. 5 коп.', '18.05 RUB'],
    ['7 zł 99 gr', '7.99 PLN'],
    ['8元5角', '8.50 CNY'],
    // currencies in words of other languages
    ['300日元', '300 JPY'],
    ['300韩元', '300 KRW'],
    ['300欧元', '300 EUR'],
    ['300英镑', '300 GBP'],
    ['300加拿大元', '300 CAD'],
    ['300ユーロ', '300 EUR'],
    ['300 гривен', '300 UAH'],
    ['RUR 300', '300 RUB'],
    // words that are codes, and units that are marks
    ['TEA CUP $8.50', '8.50 ?'],
    ['CUP 8.50', '8.50 CUP'],
    ['Parmigiano DOP 18,90 €', '18.90 EUR'],
    ['0,7 L 8,50 €', '8.50 EUR'],
    ['400 G 2,99 €', '2.99 EUR'],
    ['5ft - $8.99', '8.99 ?'],
    ['12 Ft', '12 HUF'],
    ['2 KGS $8.50', '8.50 ?'],
    ['1.5L $2.50', '2.50 ?'],
    // percents and dates
    ['-30% 18,00 €', '18.00 EUR'],
    ['MwSt. 19% 18,90 €', '18.90 EUR'],
    ['%30', 'none'],
    ['2026-01-15', 'none'],
    ['2026-01-15 18,90 €', '18.90 EUR'],
    // the old price first
    ['Le prix initial était : 30,00 €. Le prix actuel est : 18,00 €.', '18.00 EUR'],
    ['de R$ 30,00 por R$ 18,00', '18.00 BRL'],
    ['Listenpreis 30,00 € jetzt 18,00 €', '18.00 EUR'],
    ['参考价：¥300 现价：¥180', '180 CNY'],
    ['정가 30,000원 판매가 18,000원', '18000 KRW'],
    ['$8.50 / €7.50', '8.50 ?'],
    // words around it
    ['from £7.25 each', '7.25 GBP'],
    ['2 for €9', '9 EUR'],
    ['Model 400: 129,90 EUR', '129.90 EUR'],
    ['10 % off: 45,00 €', '45.00 EUR'],
    ['Was £80 now £60', '60 GBP'],
    ['原价¥99 券后¥59', '59 CNY'],
    ['14,50 € - 19,50 €', '14.50 EUR'],
    ['14.50 - 19.50 EUR', '14.50 EUR'],
    ['6,20 € / 100 g', '6.20 EUR'],
    ['Gratis', '0 ?'],
    // no prices
    ['-20%', 'none'],
    ['sold out', 'none'],
    ['750 ml', 'none'],
    ['18:30', 'none'],
    ['03.11.2026', 'none'],
    ['A4', 'none'],
    ['', 'none'],
    ['9'.repeat(40), 'none'],
    ['1'.repeat(5000), 'none'],
  ])('%s is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each<[string, PriceContext, string]>([
    ['3.499', { decimalSign: '.' }, '3.499 ?'],
    ['3.499', { decimalSign: ',' }, '3499 ?'],
    ['3,499.00', { decimalSign: ',' }, '3499.00 ?'],
    ['45', { currency: 'PLN' }, '45 PLN'],
    ['$45', { currency: 'CAD' }, '45 CAD'],
    ['45 €', { currency: 'CAD' }, '45 EUR'],
    ['45 kr', { currency: 'NOK' }, '45 NOK'],
    ['45', { currencyText: 'All prices in zł' }, '45 PLN'],
    ['45', { currencyText: 'usd' }, '45 USD'],
    ['45', { currencyText: '$ CAD' }, '45 CAD'],
    ['45', { currencyText: 'NT$ TWD' }, '45 TWD'],
    ['45', { currencyText: '¥ JPY' }, '45 JPY'],
    ['45', { currencyText: 'usd $' }, '45 USD'],
    ['45', { currencyText: '&euro;' }, '45 EUR'],
    ['45', { currencyText: 'TOP' }, '45 TOP'],
    ['$45', { currencyText: 'AUD' }, '45 AUD'],
    ['45', { currencyText: 'RRP £50' }, '45 GBP'],
    ['7,250', { currencyText: 'TND' }, '7.250 TND'],
  ])('%s with %o is %s', (text, context, expected) => {
    expect(read(text, context)).toBe(expected);
  });

  it('gives back what was written, in every spelling, digit by digit', () => {
    const spellings = fc.constantFrom(
      [',', '.'],
      ['.', ','],
      [' ', ','],
      ["'", '.'],
      ['\u00a0', ','],
      ['\u202f', ','],
      ['’', '.'],
    );
    const marks = fc.constantFrom(
      ['€', 'EUR'],
      ['£', 'GBP'],
      ['zł', 'PLN'],
      ['₹', 'INR'],
      ['USD', 'USD'],
      ['₽', 'RUB'],
    );
    const cents = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, '0'));
    const whole = fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 999_999_999 }));
    fc.assert(
      fc.property(
        whole,
        cents,
        spellings,
        marks,
        fc.boolean(),
        fc.boolean(),
        (amount, part, spelling, mark, front, grouped) => {
          const [group = '', point = ''] = spelling;
          const [sign = '', code = ''] = mark;
          const digits = grouped ? String(amount).replace(/\B(?=(\d{3})+$)/g, group) : String(amount);
          const text = front ? `${sign} ${digits}${point}${part}` : `${digits}${point}${part} ${sign}`;
          expect(read(text)).toBe(`${amount}.${part} ${code}`);
        },
      ),
    );
  });

  it('never makes the reader throw or stall', () => {
    const parts = fc.array(
      fc.constantFrom('1', '99', '.', ',', ' ', '€', '$', 'kr', '万', '%', '-', 'k', "'", ':', 'US', '円'),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 300 }),
          parts.map((list) => list.join('')),
        ),
        (text) => {
          const price = readPrice(text);
          if (price !== null) expect(price.amount).toMatch(/^(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/);
        },
      ),
    );
  });
});
