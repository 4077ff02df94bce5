import { expect, it } from 'vitest';

it("the README's table of settings is that of the schemas (`pnpm settings-table` writes it)", async () => {
  const script = new URL('../../../../../.ci/settings-table.mjs', import.meta.url).href;
  const { settingsTable } = (await import(script)) as { settingsTable: () => { is: string; shouldBe: string } };
  const { is, shouldBe } = settingsTable();
  expect(is).toBe(shouldBe);
});
