package io.weir.guard;

import io.weir.Ticker;
import io.weir.http.Dialect;
import io.weir.http.RateLimitFields;
import io.weir.http.Refusals;
import io.weir.key.ClientAddress;
import io.weir.settings.Settings;

/**
 * What the settings say, policies aside: whether Weir is on at all, who is calling, and what goes
 * over the wire. Swapped whole when they change.
 */
record Setup(boolean enabled, ClientAddress addresses, RateLimitFields fields, Refusals refusals) {
  static Setup of(Settings settings, Ticker ticker) {
    Dialect dialect = dialect(settings);
    RateLimitFields fields = new RateLimitFields(dialect, ticker);
    return new Setup(
        settings.flag("weir.enabled", true),
        new ClientAddress(settings),
        fields,
        new Refusals(fields));
  }

  /** The same, with the addresses of the last one if they are read as before. */
  Setup after(Setup last) {
    boolean same = addresses.readsAs(last.addresses);
    return same ? new Setup(enabled, last.addresses, fields, refusals) : this;
  }

  private static Dialect dialect(Settings settings) {
    String text = settings.text("weir.headers", Dialect.BOTH.text());
    return Dialect.named(text)
        .orElseThrow(() -> settings.invalid("weir.headers", "must be a known dialect"));
  }
}
