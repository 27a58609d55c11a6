package io.weir.internal.guard;

import io.weir.Ticker;
import io.weir.internal.http.HeaderDialect;
import io.weir.internal.http.RateLimitFields;
import io.weir.internal.http.Refusals;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.settings.Settings;

/**
 * What the settings say, policies aside: whether Weir is on at all, who is calling, and what goes
 * over the wire. Swapped whole when they change.
 */
record RuntimeOptions(
    boolean enabled, ClientAddress addresses, RateLimitFields fields, Refusals refusals) {
  static RuntimeOptions of(Settings settings, Ticker ticker) {
    HeaderDialect dialect = dialect(settings);
    RateLimitFields fields = new RateLimitFields(dialect, ticker);
    return new RuntimeOptions(
        settings.flag("weir.enabled", true),
        new ClientAddress(settings),
        fields,
        new Refusals(fields));
  }

  /** The same, with the addresses of the last one if they are read as before. */
  RuntimeOptions after(RuntimeOptions last) {
    boolean same = addresses.readsAs(last.addresses);
    return same ? new RuntimeOptions(enabled, last.addresses, fields, refusals) : this;
  }

  private static HeaderDialect dialect(Settings settings) {
    String text = settings.text("weir.headers", HeaderDialect.BOTH.text());
    return HeaderDialect.named(text)
        .orElseThrow(() -> settings.invalid("weir.headers", "must be a known dialect"));
  }
}
