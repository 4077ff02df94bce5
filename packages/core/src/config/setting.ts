import type { ValueKind } from './value-kinds.js';

/** What a setting is when nobody sets it. */
export type Fallback =
  /** A text, read as if the user had written it. */
  | { readonly kind: 'text'; readonly text: string }
  /** Depends on the machine; `shown` describes it in documents. */
  | { readonly kind: 'machine'; readonly shown: string; readonly compute: () => string }
  /** Nothing; `shown` tells what that means. */
  | { readonly kind: 'none'; readonly shown: string };

/** One variable of the environment or of `.env`. */
export interface Setting<T> {
  readonly name: string;
  /** One line for `.env.example` and the README's table. */
  readonly doc: string;
  readonly kind: ValueKind<T>;
  readonly fallback: Fallback;
  /** The value is a cron expression, which the caller of loadConfig may be able to check further. */
  readonly cron: boolean;
}

export type SettingGroup = Readonly<Record<string, Setting<unknown>>>;

/** The values of a group of settings. */
export type Values<G extends SettingGroup> = {
  readonly [K in keyof G]: G[K] extends Setting<infer T> ? T : never;
};

/** A setting with a default that is the same everywhere. */
export function setting<T>(name: string, kind: ValueKind<T>, fallback: string, doc: string): Setting<T> {
  return { name, doc, kind, fallback: { kind: 'text', text: fallback }, cron: false };
}

/** A setting that holds a cron expression. */
export function cronSetting(name: string, kind: ValueKind<string>, fallback: string, doc: string): Setting<string> {
  return { ...setting(name, kind, fallback, doc), cron: true };
}

/** A setting whose default depends on the machine. */
export function machineSetting<T>(
  name: string,
  kind: ValueKind<T>,
  shown: string,
  compute: () => string,
  doc: string,
): Setting<T> {
  return { name, doc, kind, fallback: { kind: 'machine', shown, compute }, cron: false };
}

/** A setting that may be left out altogether. */
export function optionalSetting<T>(
  name: string,
  kind: ValueKind<T>,
  shown: string,
  doc: string,
): Setting<T | undefined> {
  return { name, doc, kind, fallback: { kind: 'none', shown }, cron: false };
}
